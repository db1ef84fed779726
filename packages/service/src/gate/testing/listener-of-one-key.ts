import type { FastifyInstance } from "fastify";
import { digestOfKey } from "../../registry/api-key.ts";
import { grantedLimits } from "../../registry/plan-limits.ts";
import type { Chain } from "../../registry/registry.ts";
import { createPublicListener } from "../public-listener.ts";

/** Only key that it accepts, for every node. */
export const onlyKey = "right-and-long-enough";

/** Body limit of its plan, in bytes. */
export const bodyBytes = 100;

/** Creates a public listener whose interfaces accept any request; each body that has reached one is passed to `onBody`. */
export function createListenerOfOneKey(onBody: (body: string) => void): FastifyInstance {
  const limits = grantedLimits({ bodyBytes, batchMembers: 1 });
  const take = (instance: FastifyInstance): void => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    instance.all("/*", async ({ body }) => {
      onBody(typeof body === "string" ? body : "");
      return "taken";
    });
  };
  return createPublicListener({
    registry: {
      findGrant: (id, digest) =>
        digest === digestOfKey(onlyKey)
          ? {
              keyId: "key",
              subscriptionId: "subscription",
              node: { id, chain: chainOf(id), network: "main", kind: "shared" },
              access: new Map(),
              limits,
            }
          : undefined,
    },
    findNode: (id) => ({ id, chain: chainOf(id), unavailable: () => undefined }),
    status: () => "ok",
    onInternalError: (error) => {
      throw error;
    },
    routes: { bitcoin: take, ethereum: take },
  });
}

function chainOf(nodeId: string): Chain {
  return nodeId.startsWith("bitcoin") ? "bitcoin" : "ethereum";
}
