import { armsOf, membersOf } from "../compare/member-facts.ts";
import { isTimeType, rangeRoleOf } from "../compare/range-role.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
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

const limitName =
  /^(?:page|max)?limit$|^(?:count|n|num|size|pagesize|pagelength|perpage|pagecount|maxresults|maxitems|max|first|top|take|rows|itemsperpage|resultsperpage|numresults|maxcount)$/;
const offsetName = /^(?:offset|skip|start|startindex|startat|from|startingat|first|pageoffset)$/;
const pageName = /^(?:page|pagenumber|pageno|pagenum|pageindex|p)$/;
const cursorName =
  /^(?:cursor|pagecursor|nextcursor|pagetoken|nexttoken|nextpagetoken|continuation|continuationtoken|marker|after|startingafter|startafter|sinceid|afterid|lastid|lastseenid|after[a-z]*(?:id|hash|txid)|lastseen[a-z]*|exclusivestartkey)$/;
const backwardCursorName =
  /^(?:before|endingbefore|endbefore|beforeid|before[a-z]*(?:id|hash)|maxid|prevcursor|previouscursor|prevpagetoken)$/;
const sortName = /^(?:sort|sortby|orderby|ordering|order|sortkey|sortfield)$/;
const directionName =
  /^(?:order|direction|sortorder|sortdirection|dir|sortdir|orderdirection|reverse|desc|descending)$/;
const verboseName = /^(?:verbose|verbosity|full|detail|detailed|details|expanded|raw|brief|summary|short|compact)$/;

/** Tells what a query parameter of an operation is for. */
export function roleOf(operation: SuiteHttpOperation, parameter: SuiteParameter, types: SuiteTypes): ParameterRole {
  if (parameter.location !== "query") return { kind: "none" };
  const plain = plainName(parameter.name);
  const kinds = new Set(armsOf(parameter.type, types).map(({ kind }) => kind));
  const isInteger = armsOf(parameter.type, types).some((arm) => arm.kind === "number" && arm.integer);
  const element = elementTypeOf(operation, types);
  if (element === undefined) return objectRole(operation, plain, kinds, types);
  if (isInteger && limitName.test(plain)) return { kind: "limit" };
  if (isInteger && offsetName.test(plain)) return { kind: "offset" };
  if (isInteger && pageName.test(plain)) return { kind: "page" };
  const isDate = isTimeType(parameter.type, types);
  if (cursorName.test(plain) && !isDate) return { kind: "cursor" };
  const members = membersOf(element, types);
  const same = members.find((member) => plainName(member.name) === plain);
  const isOrder = directionName.test(plain) && isDirection(parameter.type, types);
  if (isOrder) return { kind: "direction" };
  if (sortName.test(plain)) return { kind: "sort" };
  if (same !== undefined) return { kind: "filter", member: same };
  const bounded = isDate ? members : members.filter((member) => !isTimeType(member.type, types));
  return (
    rangeRoleOf(parameter.name, bounded, types) ??
    listedRole(plain, members) ??
    includedRole(plain, kinds, members, types)
  );
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

/** `asc` and `desc`, or a boolean. */
function isDirection(type: SuiteType, types: SuiteTypes): boolean {
  return (
    armsOf(type, types).some(
      (arm) =>
        arm.kind === "boolean" ||
        (arm.kind === "enumeration" && arm.values.some((value) => /^(?:asc|desc)/i.test(String(value)))),
    ) && !armsOf(type, types).some((arm) => arm.kind === "enumeration" && arm.values.length > 4)
  );
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
