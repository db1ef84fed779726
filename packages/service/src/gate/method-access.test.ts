import type { AnyOperation, ExtensionFacts } from "@nodewright/runtime";
import { describe, expect, it } from "vitest";
import { accessName, type Grant, type MethodAccess } from "../registry/registry.ts";
import { grantedLimits } from "../registry/plan-limits.ts";
import { enableHint, isMethodEnabled, problemOfAccess } from "./method-access.ts";

describe("method access", () => {
  function operation(method: string, extensions: Partial<ExtensionFacts> = {}): AnyOperation {
    return {
      kind: "graphql",
      name: method,
      origin: `Query.${method}`,
      root: "query",
      field: method,
      extensions: { disabledByDefault: false, nodeControl: false, units: 1, ...extensions },
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
    expect(enableHint).toMatch(/operator .* only on a node of your own\.$/);
  });

  it("switches a method and its second name together", () => {
    const alias = operation("verifytxoutput", { disabledByDefault: true });

    expect(problemOfAccess(alias, grantWith({ verifytxoutproof: "on" }))).toBeUndefined();
    expect(
      problemOfAccess(operation("verifytxoutproof", { disabledByDefault: true }), grantWith({ verifytxoutput: "on" })),
    ).toBeUndefined();
  });

  it.each([
    [
      { kind: "http", name: "getTip", method: "GET", path: "/tip" },
      { name: "rest:getTip", method: "getTip" },
    ],
    [
      { kind: "rpc", name: "stopNode", method: "stop" },
      { name: "rpc:stop", method: "stop" },
    ],
    [
      { kind: "graphql", name: "queryBlock", field: "block", root: "query" },
      { name: "graphql:block", method: "block" },
    ],
  ])("names the operation as its clients do: %o", (facts, { name, method }) => {
    const disabled = { ...operation("x", { disabledByDefault: true }), ...facts } as unknown as AnyOperation;

    expect(problemOfAccess(disabled, grantWith({}))).toMatchObject({
      message: `The method ${method} is disabled for this subscription`,
      details: {
        reason: "method-disabled",
        method,
        enable: "Ask the operator of this service to enable it for your subscription",
      },
    });
    const switched: Grant = { ...grantWith({}), access: new Map([[name, "on"]]) };
    expect(problemOfAccess(disabled, switched)).toBeUndefined();
  });

  it("says of what acts on a shared node that it needs an owned one", () => {
    const control = operation("stop", { nodeControl: true });
    const hints = [grantWith({}), grantWith({}, "owned")].map((grant) => problemOfAccess(control, grant)?.details);

    expect(hints).toMatchObject([
      { enable: "It acts on the node itself, and can be enabled on a node of your own only" },
      { enable: "Ask the operator of this service to enable it for your subscription" },
    ]);
  });

  it.each([
    [{ disabledByDefault: false, nodeControl: false }, undefined, true],
    [{ disabledByDefault: false, nodeControl: false }, "off", false],
    [{ disabledByDefault: true, nodeControl: false }, undefined, false],
    [{ disabledByDefault: true, nodeControl: false }, "on", true],
    [{ disabledByDefault: false, nodeControl: true }, "on", false],
  ] as const)("enables a JSON-RPC method with the marks %j and the switch %s: %s", (marks, state, isEnabled) => {
    const access = new Map(state === undefined ? [] : [[accessName("rpc", "method"), state]]);

    expect(isMethodEnabled("method", marks, { ...grantWith({}), access })).toBe(isEnabled);
  });
});
