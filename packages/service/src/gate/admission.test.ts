import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { ServiceError } from "@nodewright/runtime";
import { describe, expect, it } from "vitest";
import { grantedLimits } from "../registry/plan-limits.ts";
import { type Admitted, createAdmissions, type Refused, type RunningNode } from "./admission.ts";

const node: RunningNode = { id: "some-node", chain: "bitcoin", unavailable: () => undefined };
const admitted: Admitted<RunningNode> = {
  admitted: true,
  servedInterface: "rpc",
  grant: {
    node: { id: node.id, chain: node.chain, network: "main", kind: "shared" },
    subscriptionId: "s",
    keyId: "k",
    limits: grantedLimits({ bodyBytes: 1, batchMembers: 1 }),
    access: new Map(),
  },
  node,
  key: "key",
};
const refused: Refused = {
  admitted: false,
  servedInterface: "rpc",
  reason: new ServiceError("unauthenticated", "No"),
  endsConnection: false,
};

describe("the gate's findings", () => {
  const createRequest = () => new IncomingMessage(new Socket());

  it("are those of the request, and of the gate that found them", () => {
    const [admissions, others] = [createAdmissions(), createAdmissions()];
    const [first, second, third] = [createRequest(), createRequest(), createRequest()];
    admissions.remember(first, admitted);
    admissions.remember(second, refused);

    expect([first, second, third].map((request) => admissions.find(request))).toEqual([admitted, refused, undefined]);
    expect(admissions.getAdmitted(first)).toBe(admitted);
    expect(others.find(first)).toBeUndefined();
  });

  it("throw for what runs behind the gate without having been admitted", () => {
    const admissions = createAdmissions();
    const [unseen, second] = [createRequest(), createRequest()];
    admissions.remember(second, refused);

    for (const request of [unseen, second]) {
      expect(() => admissions.getAdmitted(request)).toThrow("A request has passed the gate without being admitted");
    }
  });
});
