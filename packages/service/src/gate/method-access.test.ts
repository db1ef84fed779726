import type { AnyOperation, MarkFacts } from "@nodewright/runtime";
import { describe, expect, it } from "vitest";
import { accessName, type Grant, type MethodAccess } from "../registry/registry.ts";
import { grantedLimits } from "../registry/plan-limits.ts";
import { enableHint, problemOfAccess } from "./method-access.ts";

describe("method access", () => {
  function operation(method: string, marks: Partial<MarkFacts> = {}): AnyOperation {
    return {
      kind: "graphql",
      name: method,
      origin: `Query.${method}`,
      root: "query",
      field: method,
      marks: { disabledByDefault: false, nodeControl: false, units: 1, ...marks },
    };
  }

  function grantWith(switches: Record<string, MethodAccess["state"]>, kind: "shared" | "owned" = "shared"): Grant {
    return {
      node: { id: "some-node", chain: "ethereum", network: "dev", kind },
      subscriptionId: "s",
      keyId: "k",
      limits: grantedLimits({ bodyBytes: 1, batchMembers: 1 }),
      access: new Map(Object.entries(switches).map(([name, state]) => [accessName("graphql", name), state])),
    };
  }

  it("lets everybody call what is on by default", () => {
    expect(problemOfAccess(operation("block"), grantWith({}))).toBeUndefined();
    expect(problemOfAccess(operation("block"), grantWith({ logs: "off" }))).toBeUndefined();
  });

  it("refuses what is off by default, until it is switched on", () => {
    const disabled = operation("logs", { disabledByDefault: true });

    expect(problemOfAccess(disabled, grantWith({}))).toMatchObject({
      code: "method_disabled",
      rpcCode: -32601,
      httpStatus: 403,
      details: { reason: "method-disabled", method: "logs", enable: expect.stringContaining("operator") },
    });
    expect(problemOfAccess(disabled, grantWith({ logs: "on" }))).toBeUndefined();
    expect(problemOfAccess(disabled, grantWith({ logs: "off" }))).toBeDefined();
  });

  it("refuses what was switched off for a subscription", () => {
    expect(problemOfAccess(operation("block"), grantWith({ block: "off" }))).toBeDefined();
  });

  it("never lets a shared node be controlled; an owned one by its owner's leave", () => {
    const control = operation("stop", { nodeControl: true });

    expect(problemOfAccess(control, grantWith({ stop: "on" }))).toBeDefined();
    expect(problemOfAccess(control, grantWith({}, "owned"))).toBeDefined();
    expect(problemOfAccess(control, grantWith({ stop: "on" }, "owned"))).toBeUndefined();
  });

  it("hints at whoever can enable a method, of the operator's and of those that act on a node", () => {
    expect(enableHint).toMatch(/operator .* on a node of your own only\.$/);
  });

  it("switches a method and its second name together", () => {
    const alias = operation("verifytxoutput", { disabledByDefault: true });

    expect(problemOfAccess(alias, grantWith({ verifytxoutproof: "on" }))).toBeUndefined();
    expect(
      problemOfAccess(operation("verifytxoutproof", { disabledByDefault: true }), grantWith({ verifytxoutput: "on" })),
    ).toBeUndefined();
  });
});
