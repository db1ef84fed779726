import { type AnyOperation, ServiceError } from "@nodewright/runtime";
import { accessName, type ServedInterface } from "../registry/registry.ts";
import type { Admitted, RunningNode } from "./admission.ts";

/**
 * Says why the holder of a key may not call an operation, or `undefined` when it may.
 *
 * What acts on the node itself is never forwarded from a shared node, whatever the subscription's switches say.
 */
export function problemOfAccess(
  operation: AnyOperation,
  { grant }: Pick<Admitted<RunningNode>, "grant">,
): ServiceError | undefined {
  const { disabledByDefault, nodeControl } = operation.marks;
  if (!disabledByDefault && !nodeControl && grant.access.size === 0) return undefined;
  const method = methodName(operation);
  if (nodeControl && grant.node.kind === "shared") {
    return methodDisabled(method, "It acts on the node itself, and can be enabled on a node of your own only");
  }
  const state = grant.access.get(accessName(interfaceOf(operation), method));
  const isOn = state === undefined ? !disabledByDefault && !nodeControl : state === "on";
  return isOn
    ? undefined
    : methodDisabled(method, "Ask the operator of this service to enable it for your subscription");
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
