import { type AnyOperation, type MarkFacts, ServiceError } from "@nodewright/runtime";
import { accessName, type Grant, type ServedInterface } from "../registry/registry.ts";

/** The marks of an operation that decide who may call it. */
export type AccessMarks = Pick<MarkFacts, "disabledByDefault" | "nodeControl">;

/** By method as on the wire. */
export type MarkedMethods = ReadonlyMap<string, AccessMarks>;

/** Why a method can't be called. */
type AccessProblem = "shared-node" | "disabled";

const enableHints: Readonly<Record<AccessProblem, string>> = {
  "shared-node": "It acts on the node itself, and can be enabled on a node of your own only",
  disabled: "Ask the operator of this service to enable it for your subscription",
};

/** Where methods that are off can be enabled, whichever they are, in one line for a person. */
export const enableHint: string =
  "Ask the operator of this service to enable a method for your subscription. What acts on the node itself can be enabled on a node of your own only.";

/** Says why the holder of a key may not call an operation, or `undefined` when it may. */
export function problemOfAccess(operation: AnyOperation, grant: Grant): ServiceError | undefined {
  const { marks } = operation;
  // Nearly every request: no name need be made to look up.
  if (!marks.disabledByDefault && !marks.nodeControl && grant.access.size === 0) return undefined;
  const method = methodName(operation);
  const problem = judgeAccess(marks, accessName(interfaceOf(operation), method), grant);
  return problem === undefined ? undefined : methodDisabled(method, enableHints[problem]);
}

/** Whether the holder of a key may call a JSON-RPC method with these marks. */
export function isMethodEnabled(method: string, marks: AccessMarks, grant: Grant): boolean {
  return judgeAccess(marks, accessName("rpc", method), grant) === undefined;
}

/**
 * Why what has this `accessName` can't be called. What acts on the node itself is never forwarded from a shared node, whatever the
 * subscription's switches say.
 */
export function judgeAccess(
  marks: AccessMarks,
  name: string,
  grant: Pick<Grant, "node" | "access">,
): AccessProblem | undefined {
  if (marks.nodeControl && grant.node.kind === "shared") return "shared-node";
  const state = grant.access.get(name);
  const isOn = state === undefined ? !marks.disabledByDefault && !marks.nodeControl : state === "on";
  return isOn ? undefined : "disabled";
}

/** As callers name it. */
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
