import { armsOf, isTimeType, membersOf } from "../../compare/member-facts.ts";
import { rangeRoleOf } from "../../compare/range-role.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { inferListRoles } from "../../inference/list-roles.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { elementTypeOf } from "./operation-shape.ts";

/** What an optional parameter is for, as far as its name and type tell. */
export type ParameterRole =
  | { readonly kind: "limit" | "offset" | "page" | "cursor" | "sort" | "direction" }
  /** Elements have this value of `member`. */
  | { readonly kind: "filter"; readonly member: RecordMember }
  /** Elements have at least, or at most, this value of `member`. */
  | { readonly kind: "minimum" | "maximum"; readonly member: RecordMember }
  /** Where it is true, objects have `member`. */
  | { readonly kind: "include"; readonly member: RecordMember }
  /** Where it is true, only some of the elements are listed; where it is false, those alone that `widen` does not add. */
  | { readonly kind: "narrow" | "widen"; readonly member: RecordMember | undefined }
  | { readonly kind: "verbose" }
  | { readonly kind: "none" };

const backwardCursorName =
  /^(?:before|endingbefore|endbefore|beforeid|before[a-z]*(?:id|hash)|maxid|prevcursor|previouscursor|prevpagetoken)$/;
const verboseName = /^(?:verbose|verbosity|full|detail|detailed|details|expanded|raw|brief|summary|short|compact)$/;

/** Tells what a query parameter of an operation is for. */
export function roleOf(operation: SuiteHttpOperation, parameter: SuiteParameter, types: SuiteTypes): ParameterRole {
  if (parameter.location !== "query") return { kind: "none" };
  const plain = plainName(parameter.name);
  const kinds = new Set(armsOf(parameter.type, types).map(({ kind }) => kind));
  const element = elementTypeOf(operation, types);
  if (element === undefined) return objectRole(operation, plain, kinds, types);
  const inferred = inferListRoles(queryParametersOf(operation), types).find((one) => one.parameter === parameter);
  if (inferred !== undefined) return { kind: inferred.role };
  const isDate = isTimeType(parameter.type, types);
  const members = membersOf(element, types);
  const same = members.find((member) => plainName(member.name) === plain);
  if (same !== undefined) return { kind: "filter", member: same };
  const bounded = isDate ? members : members.filter((member) => !isTimeType(member.type, types));
  return (
    rangeRoleOf(parameter.name, bounded, types) ??
    listedRole(plain, members) ??
    includedRole(plain, kinds, members, types)
  );
}

/** The parameters of a query. */
export function queryParametersOf({ parameters }: SuiteHttpOperation): readonly SuiteParameter[] {
  return parameters.filter(({ location }) => location === "query");
}

/** A boolean that adds a member to elements, or that narrows or widens what is listed. */
function includedRole(
  plain: string,
  kinds: ReadonlySet<SuiteType["kind"]>,
  members: readonly RecordMember[],
  types: SuiteTypes,
): ParameterRole {
  const included = includeRole(plain, kinds, members);
  if (included.kind !== "none" || !kinds.has("boolean")) return included;
  const only = /^only(.+)$/.exec(plain)?.[1] ?? /^(.+)only$/.exec(plain)?.[1];
  const added = /^includ(?:e|ing)(.+)$/.exec(plain)?.[1];
  const state = only ?? added;
  if (state === undefined) return included;
  const member = members.find(
    ({ name, type }) =>
      (plainName(name) === state || plainName(name) === `is${state}`) &&
      armsOf(type, types).every(({ kind }) => kind === "boolean" || kind === "null"),
  );
  return { kind: only === undefined ? "widen" : "narrow", member };
}

/** Whether a parameter names where a page begins or ends: what was never shown is no such place. */
export function isCursor(operation: SuiteHttpOperation, parameter: SuiteParameter, types: SuiteTypes): boolean {
  if (roleOf(operation, parameter, types).kind === "cursor") return true;
  if (parameter.location !== "query" || elementTypeOf(operation, types) === undefined) return false;
  return backwardCursorName.test(plainName(parameter.name)) && !isTimeType(parameter.type, types);
}

/** The parameters of one role. */
export function parametersOfRole(
  operation: SuiteHttpOperation,
  kind: ParameterRole["kind"],
  types: SuiteTypes,
): readonly SuiteParameter[] {
  return operation.parameters.filter((parameter) => roleOf(operation, parameter, types).kind === kind);
}

function objectRole(
  { successes }: SuiteHttpOperation,
  plain: string,
  kinds: ReadonlySet<SuiteType["kind"]>,
  types: SuiteTypes,
): ParameterRole {
  const type = successes.find(({ content }) => content !== undefined)?.content?.type;
  return includeRole(plain, kinds, membersOf(type, types));
}

/** `tag` of elements that have `tags`. */
function listedRole(plain: string, members: readonly RecordMember[]): ParameterRole | undefined {
  const member = members.find(
    ({ name, type }) => plainName(name) === `${plain}s` && (type.kind === "list" || type.kind === "reference"),
  );
  return member === undefined ? undefined : { kind: "filter", member };
}

/** `includeOwner` or `with_owner` of what may have `owner`. */
function includeRole(
  plain: string,
  kinds: ReadonlySet<SuiteType["kind"]>,
  members: readonly RecordMember[],
): ParameterRole {
  if (kinds.has("boolean")) {
    const thing = /^(?:include|with|show|expand|embed|add|return)(.+)$/.exec(plain)?.[1];
    const member = members.find(
      ({ name, required }) => !required && thing !== undefined && isSameThing(plainName(name), thing),
    );
    if (member !== undefined) return { kind: "include", member };
  }
  return verboseName.test(plain) ? { kind: "verbose" } : { kind: "none" };
}

function isSameThing(name: string, thing: string): boolean {
  return name === thing || name === `${thing}s` || `${name}s` === thing;
}
