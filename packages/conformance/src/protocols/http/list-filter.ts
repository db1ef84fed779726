import { escapeSegment } from "@nodewright/api-model";
import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { RecordMember } from "../../suite/suite-type.ts";
import type { HttpContext, Observation } from "./http-context.ts";
import type { Input } from "./http-request.ts";
import { parametersOfRole } from "./parameter-roles.ts";
import { defaultOf, firstValid, integerBounds, itemsOf } from "./relation-base.ts";

/** A parameter that chooses elements by a member of theirs. */
export interface Filter {
  readonly operation: SuiteHttpOperation;
  readonly base: Input;
  readonly parameter: SuiteParameter;
  readonly member: RecordMember;
}

/** The greatest documented limit, so that a list is as whole as it can be had. */
export function widest(context: HttpContext, operation: SuiteHttpOperation): Input {
  const [limit] = parametersOfRole(operation, "limit", context.types);
  if (limit === undefined) return {};
  const { maximum } = integerBounds(limit.type, context.types);
  const value = firstValid(limit, [maximum ?? 50, 10], context.types);
  return value === undefined ? {} : { [limit.property]: value };
}

/** Elements that an answer has at most; a list of that many may go on. */
function sizeLimit(context: HttpContext, operation: SuiteHttpOperation): number {
  const [limit] = parametersOfRole(operation, "limit", context.types);
  if (limit === undefined) return isCapped(context, operation) ? 1 : Number.POSITIVE_INFINITY;
  const value = widest(context, operation)[limit.property] ?? defaultOf(limit, context.types);
  return typeof value === "number" ? value : 1;
}

/** Whether a list is all that there is: not cut by a limit. */
export function isComplete(context: HttpContext, operation: SuiteHttpOperation, whole: Observation): boolean {
  return itemsOf(whole).length < sizeLimit(context, operation);
}

/** Pages without a limit end somewhere that nobody knows. */
function isCapped({ types }: HttpContext, operation: SuiteHttpOperation): boolean {
  return (["page", "cursor", "offset"] as const).some((kind) => parametersOfRole(operation, kind, types).length > 0);
}

export function filterFinding(rule: Rule, message: string, detail: string, { parameter, member }: Filter): Finding {
  const pointer = `/*/${escapeSegment(member.name)}`;
  const guess = `\`${parameter.name}\` is taken to choose by \`${member.name}\`, as their names say`;
  return { rule, message, detail, pointer, guess, ...withPlace(parameter.place ?? parameter.type.place) };
}
