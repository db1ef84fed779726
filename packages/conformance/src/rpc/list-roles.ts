import { armsOf, elementOf, membersOf } from "../compare/member-facts.ts";
import { isTimeType, type RangeRole, rangeRoleOf } from "../compare/range-role.ts";
import { plainName } from "../compare/volatile-names.ts";
import { findListType, inferListRoles, type ListRole } from "../inference/list-roles.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { resultType } from "./rpc-call.ts";
import { defaultOf } from "./rpc-params.ts";
import { nameWords } from "../types/name-words.ts";

/** What the parameters of a method that answers a list are for, as far as their names and types tell. */
export interface ListRoles {
  readonly limit?: SuiteParameter | undefined;
  readonly offset?: SuiteParameter | undefined;
  readonly page?: SuiteParameter | undefined;
  readonly cursor?: SuiteParameter | undefined;
  readonly direction?: SuiteParameter | undefined;
  readonly sort?: SuiteParameter | undefined;
  /** Parameters that are called as a plain member of the elements. */
  readonly filters: readonly Filter[];
  /** Parameters that say how much, or how late, a plain member of the elements is at least or at most. */
  readonly ranges: readonly Range[];
}

/** A parameter that bounds a member of the elements. */
export interface Range extends RangeRole {
  readonly parameter: SuiteParameter;
}

/** A parameter, or a member of one, that picks the elements whose member has its value. */
export interface Filter {
  readonly parameter: SuiteParameter;
  /** Of the elements. */
  readonly member: RecordMember;
  /** Of the values that are asked for. */
  readonly type: SuiteType;
  readonly name: string;
  /** True where it stands inside of the parameter's object. */
  readonly isInside: boolean;
  /** True where the member is a list of such values, as `tags` for `tag`: one of them is enough. */
  readonly isListed: boolean;
  readonly default: unknown;
}

const filterName = /^(?:filter|filters|where|criteria|match|having)$/;
/** Names of members that say how many elements there are. */
export const totalName: RegExp = /^total(?:count|items|results|elements|records|rows|hits|size)?$/;

/** Tells what the parameters of a method are for; undefined where it does not answer a list. */
export function listRolesOf(method: SuiteRpcMethod, types: SuiteTypes): ListRoles | undefined {
  const element = elementTypeOf(method, types);
  if (element === undefined) return undefined;
  const roles = inferListRoles(method.parameters, types);
  const parameterOf = (role: ListRole): SuiteParameter | undefined => roles.find((one) => one.role === role)?.parameter;
  const paging = {
    limit: parameterOf("limit"),
    offset: parameterOf("offset"),
    page: parameterOf("page"),
    cursor: parameterOf("cursor"),
    direction: parameterOf("direction"),
    sort: parameterOf("sort"),
  };
  const taken = new Set<SuiteParameter | undefined>(Object.values(paging));
  const filters = filtersOf(method, element, types, taken);
  for (const { parameter } of filters) taken.add(parameter);
  return { ...paging, filters, ranges: rangesOf(method, element, types, taken) };
}

function rangesOf(
  { parameters }: SuiteRpcMethod,
  element: SuiteType,
  types: SuiteTypes,
  taken: ReadonlySet<SuiteParameter | undefined>,
): readonly Range[] {
  // What comes after an id comes later in a list, whichever order that has.
  const members = membersOf(element, types).filter(({ name, type }) => isPlain(type, types) && !/id$/i.test(name));
  return parameters.flatMap((parameter): readonly Range[] => {
    if (parameter.required || taken.has(parameter) || !isPlain(parameter.type, types)) return [];
    const isTime = isTimeType(parameter.type, types);
    const fitting = members.filter(({ type }) => isTimeType(type, types) === isTime);
    const role = rangeRoleOf(parameter.name, fitting, types);
    return role === undefined ? [] : [{ ...role, parameter }];
  });
}

/** Words of names of what has an order, of which a parameter may mean "at least", "at most" or "from there on". */
const gradedWord =
  /^(?:level|severity|priority|urgency|impact|difficulty|quality|tier|plan|access|permission|privilege|role|commitment|finality|version|rank|grade|importance|rating|stars|score|confidence|min|max|minimum|maximum|height|number|index|block|time|timestamp|date|year|seq|sequence|slot|epoch|round|start|end|from|to|since|until|depth|count|amount|price|cost|size|length|value|weight|age|confirmations|distance|radius|lat|lon|lng)$/;

/** Words of names of what contains others of its kind, or is searched for: what is asked for may be found under another name. */
const looseWord =
  /^(?:name|title|label|headline|subject|summary|description|text|body|content|caption|comment|note|message|category|categories|genre|topic|taxon|region|area|location|place|folder|directory|path|group|department|section|namespace|parent|scope)$/;

/** Whether a value that is asked for by a name may be found under other values: by words of it, or in what is contained. */
export function isLoose(name: string): boolean {
  return looseWord.test(nameWords(name).at(-1) ?? "");
}

/** Whether a name is one of something that has an order, so that asking for one may mean "at least", "at most" or "from there on". */
export function isGraded(name: string): boolean {
  return nameWords(name).some((word) => gradedWord.test(word));
}

function filtersOf(
  { parameters }: SuiteRpcMethod,
  element: SuiteType,
  types: SuiteTypes,
  taken: ReadonlySet<SuiteParameter | undefined>,
): readonly Filter[] {
  const all = membersOf(element, types).filter(({ name }) => !isGraded(name));
  const members = new Map(
    all.filter(({ type }) => isPlain(type, types)).map((member) => [plainName(member.name), member]),
  );
  return parameters.flatMap((parameter): readonly Filter[] => {
    if (parameter.required || taken.has(parameter)) return [];
    const own = members.get(plainName(parameter.name));
    if (isPlain(parameter.type, types)) {
      const { name, type } = parameter;
      const listed = own === undefined ? listedMember(all, parameter, types) : undefined;
      const member = own ?? listed;
      if (member === undefined) return [];
      const isListed = listed !== undefined;
      return [{ parameter, member, type, name, isInside: false, isListed, default: defaultOf(parameter) }];
    }
    if (!filterName.test(plainName(parameter.name))) return [];
    return membersOf(parameter.type, types).flatMap(({ name, type, required }): readonly Filter[] => {
      const member = members.get(plainName(name));
      if (required || member === undefined || !isPlain(type, types)) return [];
      return [{ parameter, member, type, name, isInside: true, isListed: false, default: type.default }];
    });
  });
}

/** `modes` for `mode`, where both are of the same choice of values. */
function listedMember(
  members: readonly RecordMember[],
  { name, type }: SuiteParameter,
  types: SuiteTypes,
): RecordMember | undefined {
  const wanted = new Set(choicesOf(type, types));
  return members.find((member) => {
    const choices = choicesOf(elementOf(member.type, 0, types), types);
    if (plainName(member.name) !== `${plainName(name)}s` || choices.length === 0) return false;
    return choices.length === wanted.size && choices.every((choice) => wanted.has(choice));
  });
}

function choicesOf(type: SuiteType | undefined, types: SuiteTypes): readonly unknown[] {
  return armsOf(type, types).flatMap((arm) => (arm.kind === "enumeration" ? arm.values : []));
}

/** The type of the elements of the list that a method answers, itself or in the only list of an object. */
export function elementTypeOf(method: SuiteRpcMethod, types: SuiteTypes): SuiteType | undefined {
  return findListType(resultType(method), types)?.element;
}

function isPlain(type: SuiteType, types: SuiteTypes): boolean {
  const arms = armsOf(type, types).filter(({ kind }) => kind !== "null");
  return arms.length > 0 && arms.every(({ kind }) => ["string", "number", "boolean", "enumeration"].includes(kind));
}
