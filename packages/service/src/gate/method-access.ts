import { type AnyOperation, type ExtensionFacts, ServiceError } from "@nodewright/runtime";
import { accessName, type Grant, type ServedInterface } from "../registry/registry.ts";

/** Extensions of an operation that decide who may call it. */
export type AccessMarks = Pick<ExtensionFacts, "disabledByDefault" | "nodeControl">;

/** Methods by name on the wire. */
export type MarkedMethods = ReadonlyMap<string, AccessMarks>;

/** Reason why a method can't be called. */
type AccessProblem = "shared-node" | "disabled";

const enableHints: Readonly<Record<AccessProblem, string>> = {
  "shared-node": "It acts on the node itself, and can be enabled on a node of your own only",
  disabled: "Ask the operator of this service to enable it for your subscription",
};

/** Line for a person that describes where disabled methods can be enabled, whichever they are. */
export const enableHint: string =
  "Ask the operator of this service to enable a method for your subscription. Methods that control the node can be enabled only on a node of your own.";

/** Returns why the holder of a key may not call an operation, or `undefined` when it may. */
export function problemOfAccess(operation: AnyOperation, grant: Grant): ServiceError | undefined {
  const { extensions } = operation;
  // The usual case: no name has to be built for the lookup.
  if (!extensions.disabledByDefault && !extensions.nodeControl && grant.access.size === 0) return undefined;
  const method = methodName(operation);
  const problem = checkAccess(extensions, accessName(interfaceOf(operation), method), grant);
  return problem === undefined ? undefined : methodDisabled(method, enableHints[problem]);
}

/** Returns whether the holder of a key may call a JSON-RPC method with these extensions. */
export function isMethodEnabled(method: string, marks: AccessMarks, grant: Grant): boolean {
  return checkAccess(marks, accessName("rpc", method), grant) === undefined;
}

/**
 * Returns why the operation with this `accessName` can't be called. A method that acts on the node itself is never forwarded from a shared
 * node, whatever the subscription's switches.
 */
export function checkAccess(
  marks: AccessMarks,
  name: string,
  grant: Pick<Grant, "node" | "access">,
): AccessProblem | undefined {
  if (marks.nodeControl && grant.node.kind === "shared") return "shared-node";
  const state = grant.access.get(name);
  const isOn = state === undefined ? !marks.disabledByDefault && !marks.nodeControl : state === "on";
  return isOn ? undefined : "disabled";
}

/** Returns the name that clients use. */
function methodName(operation: AnyOperation): string {
  switch (operation.kind) {
    case "http":
      return operation.name;
    case "rpc":
      return operation.method;
    case "graphql":
      return operation.field;
  }
}

function interfaceOf(operation: AnyOperation): ServedInterface {
  return operation.kind === "http" ? "rest" : operation.kind;
}

function methodDisabled(method: string, enable: string): ServiceError {
  return new ServiceError("method_disabled", `The method ${method} is disabled for this subscription`, {
    details: { reason: "method-disabled", method, enable },
  });
}
