import { isRecord } from "@nodewright/api-model";
import { singularOf } from "../basics/singular.ts";
import { kindsIn, membersOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { listedValues } from "./filter-values.ts";
import { findListType, type Parameter, shownOf } from "./list-roles.ts";

/** Normalized names of parameters that list the members to return. */
const fieldsName = /^(?:fields?|select|attributes|properties|columns|only|pick)$/;
const expandName = /^(?:include|includes|expand|expands|embed|embeds|with|populate|extend)$/;

/** A parameter whose values are names of members of the result. */
export interface MemberChooser {
  /** Whether members that are not named are omitted; otherwise those that are named are added. */
  readonly isOnly: boolean;
  /** Values, each with the member that it names. */
  readonly choices: readonly { readonly name: string; readonly member: string }[];
  /** Returns the value of the parameter for several names: a list where it accepts one, else a comma-separated string. */
  given(names: readonly string[]): unknown;
}

/** Infers whether a parameter takes names of members, from its values in the description. */
export function inferChooser(
  parameter: Parameter,
  object: SuiteType | undefined,
  types: SuiteTypes,
): MemberChooser | undefined {
  const plain = plainName(parameter.name);
  const isOnly = fieldsName.test(plain);
  if (!isOnly && !expandName.test(plain)) return undefined;
  const listed = listedValues(parameter.type, types);
  const names = (listed.length > 0 ? listed : shownOf(parameter).flat()).flatMap((value) =>
    typeof value === "string" ? value.split(/[,|\s]+/) : [],
  );
  const members = membersOf(object, types);
  const choices = [...new Set(names)].flatMap((name) => {
    const member = members.find((one) => singularOf(plainName(one.name)) === singularOf(plainName(name)));
    return member === undefined ? [] : [{ name, member: member.name }];
  });
  const takesList = kindsIn(parameter.type, types).has("list");
  return choices.length === 0 ? undefined : { isOnly, choices, given: (some) => (takesList ? some : some.join(",")) };
}

/** A boolean parameter that decides how much is returned. */
export interface Switch {
  /** Value with which more is returned. */
  readonly full: boolean;
  /** Whether it adds elements; otherwise it adds members. */
  readonly isOfElements: boolean;
  /** Member that is added, or by which elements are filtered. */
  readonly member?: RecordMember | undefined;
}

const verboseName = /^(?:verbose|verbosity|full|detail|detailed|details|expanded|brief|summary|short|compact)$/;
const briefName = /^(?:brief|summary|short|compact)$/;

/**
 * Infers the effect of a boolean parameter: `include_owner` adds a member, `only_open` and `include_closed` filter elements, `verbose` adds
 * any members.
 */
export function inferSwitch(
  { name, type }: Parameter,
  object: SuiteType | undefined,
  types: SuiteTypes,
  isOfList: boolean,
): Switch | undefined {
  if ([...kindsIn(type, types)].join() !== "boolean") return undefined;
  const plain = plainName(name);
  const members = membersOf(object, types);
  if (verboseName.test(plain)) return { full: !briefName.test(plain), isOfElements: false };
  const typeName = /^(?:include|with|show|expand|embed|add|return)(.+)$/.exec(plain)?.[1];
  const added = members.find((one) => !one.required && singularOf(plainName(one.name)) === singularOf(typeName ?? "?"));
  if (added !== undefined) return { full: true, isOfElements: false, member: added };
  const only = /^only(.+)$/.exec(plain)?.[1] ?? /^(.+)only$/.exec(plain)?.[1];
  const state = only ?? /^includ(?:e|ing)(.+)$/.exec(plain)?.[1];
  if (state === undefined || !isOfList) return undefined;
  const member = members.find(
    (one) =>
      [state, `is${state}`].includes(plainName(one.name)) &&
      [...kindsIn(one.type, types)].every((kind) => kind === "boolean" || kind === "null"),
  );
  return { full: only === undefined, isOfElements: true, member };
}

/**
 * Returns whether an input requests only some members of the response, as a sparse fieldset does: a parameter, or a member of one such as
 * LoopBack's `filter`, that is called `fields` and names members of the response. An omitted member is then not missing.
 */
export function selectsMembers(
  parameters: readonly Parameter[],
  result: SuiteType | undefined,
  input: Readonly<Record<string, unknown>>,
  types: SuiteTypes,
): boolean {
  const described = [result, findListType(result, types)?.element];
  const members = new Set(described.flatMap((type) => membersOf(type, types)).map(({ name }) => name));
  return parameters.some(({ name, property }) => namesSome(name, input[property], members));
}

function namesSome(name: string, value: unknown, members: ReadonlySet<string>): boolean {
  if (fieldsName.test(plainName(name))) return namesIn(value).some((one) => members.has(one));
  return isRecord(value) && Object.entries(value).some(([inner, one]) => namesSome(inner, one, members));
}

/** Returns the names in a list, in a comma-separated string, or in an object such as `{ "name": true }`. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value === "string") return value.split(/[,|\s]+/);
  return isRecord(value) ? Object.keys(value) : [];
}
