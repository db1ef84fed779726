import { isBroken } from "../../contract/finding.ts";
import { type RelationTarget, relationTarget } from "../../relations/relation-cases.ts";
import { callOperation, type HttpContext } from "./http-context.ts";

/** Returns the relation target for the operations of the description. */
export function httpTarget(context: HttpContext): RelationTarget {
  return relationTarget(context.session, context.suite.operations, async (play, operation, input) => {
    const { kind, response, value, type, findings } = (await callOperation(context, play, operation, input)).checked;
    const { status } = response;
    if (kind === "success") return { kind: "value", value, type, isBroken: isBroken(findings) };
    return status === 501 || status === 405
      ? { kind: "nothing", problem: `${operation.name} has the status ${status}` }
      : { kind: "failure", code: String(status) };
  });
}
