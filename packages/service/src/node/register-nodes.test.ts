import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRandomKey, digestOfKey } from "../registry/api-key.ts";
import { openEmbeddedRegistry } from "../registry/embedded-registry.ts";
import type { Registry, ServedNode } from "../registry/registry.ts";
import { registerNodes } from "./register-nodes.ts";

describe("the registration of the nodes of a start", () => {
  const node: ServedNode = { id: "bitcoin-mainnet", chain: "bitcoin", network: "mainnet", kind: "shared" };
  let directory: string;
  let registry: Registry;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "nodewright-nodes-"));
    registry = await openEmbeddedRegistry(directory);
  });

  afterEach(async () => {
    await registry.close();
    await rm(directory, { recursive: true });
  });

  const grantOf = (key: string) => registry.findGrant(node.id, digestOfKey(key));

  it("puts a key in force, keeps it over starts, and revokes it when another takes its place", async () => {
    const [first, second] = [createRandomKey(), createRandomKey()];
    await registerNodes(registry, [node], first);
    const grant = grantOf(first);
    await registerNodes(registry, [node], first);
    expect(grantOf(first)).toEqual(grant);

    await registerNodes(registry, [node], second);

    expect(grantOf(first)).toBeUndefined();
    expect(grantOf(second)?.subscriptionId).toBe(grant?.subscriptionId);
    expect(registry.listSubscriptions(node.id)).toHaveLength(1);
  });

  it("keeps to its subscription whatever others the account has", async () => {
    const key = createRandomKey();
    await registerNodes(registry, [node], key);
    const own = grantOf(key)?.subscriptionId;
    for (let count = 0; count < 10; count += 1) {
      await registry.createSubscription({ accountId: "local", nodeId: node.id, plan: "default" });
    }

    await registerNodes(registry, [node], key);
    expect(grantOf(key)?.subscriptionId).toBe(own);

    const next = createRandomKey();
    await registerNodes(registry, [node], next);
    expect([grantOf(key), grantOf(next)?.subscriptionId]).toEqual([undefined, own]);
  });

  it("leaves a key alone that already opens the node for somebody", async () => {
    await registerNodes(registry, [node], createRandomKey());
    await registry.putAccount({ id: "alice", name: "Alice" });
    const subscription = await registry.createSubscription({ accountId: "alice", nodeId: node.id, plan: "default" });
    const { key } = await registry.createKey({ subscriptionId: subscription.id, label: "hers" });

    await registerNodes(registry, [node], key);

    expect(grantOf(key)?.subscriptionId).toBe(subscription.id);
    expect(registry.listKeys(subscription.id)).toHaveLength(1);
  });
});
