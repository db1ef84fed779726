import { singularOf } from "../inference/singular.ts";
import { armsOf, membersOf, resolveType } from "../compare/member-facts.ts";
import { findListType, type ListType } from "../inference/list-roles.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** Whether the description says that an answer is a list, or a page of one. */
export function answersList(operation: SuiteHttpOperation, types: SuiteTypes): boolean {
  return elementTypeOf(operation, types) !== undefined;
}

/** The type of the elements of the list that an operation answers; undefined when it answers none. */
export function elementTypeOf(operation: SuiteHttpOperation, types: SuiteTypes): SuiteType | undefined {
  return listTypeOf(operation, types)?.element;
}

/** The list that an operation answers, by its type. */
export function listTypeOf(operation: SuiteHttpOperation, types: SuiteTypes): ListType | undefined {
  return findListType(answerTypeOf(operation), types);
}

/** The type of an operation's first success with a body. */
export function answerTypeOf({ successes }: SuiteHttpOperation): SuiteType | undefined {
  return successes.find(({ content }) => content !== undefined)?.content?.type;
}

/** The parameters in the path, in its order. */
export function pathParametersOf(operation: SuiteHttpOperation): readonly SuiteParameter[] {
  const named = new Map(
    operation.parameters.filter(({ location }) => location === "path").map((parameter) => [parameter.name, parameter]),
  );
  return [...operation.path.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name = ""]) => {
    const parameter = named.get(name);
    return parameter === undefined ? [] : [parameter];
  });
}

/** The parameter that names the one thing that a path like `/pets/{petId}` is about: what its last segment is. */
export function subjectParameterOf(operation: SuiteHttpOperation): SuiteParameter | undefined {
  const last = operation.path.split("/").findLast((segment) => segment !== "") ?? "";
  const match = /^\{([^{}]*)\}$/.exec(last);
  return match === null ? undefined : pathParametersOf(operation).find(({ name }) => name === match[1]);
}

/** `pets` of `/pets/{petId}`, without its plural: `pet`. */
export function subjectNameOf(operation: SuiteHttpOperation): string | undefined {
  const things = thingsOf(operation);
  return things === undefined ? undefined : singularOf(plainName(things));
}

/** What a path ends with, but for its holes: `blocks` of `/chain/blocks/{height}`. */
export function thingsOf({ path }: SuiteHttpOperation): string | undefined {
  return path.split("/").findLast((segment) => segment !== "" && !segment.includes("{"));
}

/**
 * The member of an answer that has to be what a path parameter asks for: the one of the same name (`txid`), or `id` and `hash` where
 * the parameter is called after them and the thing (`petId`, `id`, `block_hash`).
 */
export function memberForParameter(
  operation: SuiteHttpOperation,
  parameter: SuiteParameter,
  names: readonly string[],
  value?: unknown,
): string | undefined {
  const wanted = plainName(parameter.name);
  const same = names.find((name) => plainName(name) === wanted);
  if (same !== undefined) return same;
  if (parameter !== subjectParameterOf(operation)) return undefined;
  const subject = subjectNameOf(operation) ?? "";
  if (wanted === subject) return memberByForm(subject, names, value);
  for (const ending of ["id", "uuid", "hash", "name", "code", "slug", "key", "number", "height", "address", "symbol"]) {
    if (!wanted.endsWith(ending)) continue;
    const thing = wanted.slice(0, -ending.length);
    if (thing !== "" && thing !== subject && !subject.endsWith(thing)) continue;
    return (
      names.find((name) => plainName(name) === ending) ??
      names.find((name) => plainName(name) === `${subject}${ending}`)
    );
  }
  return undefined;
}

/**
 * The member of an answer that is what a path parameter asks for, with its type known: where none is called after the parameter, an `id` of
 * the very pattern of the parameter is, as `id` of a block is under `/block/{hash}`.
 */
export function memberOfParameter(
  operation: SuiteHttpOperation,
  parameter: SuiteParameter,
  type: SuiteType | undefined,
  types: SuiteTypes,
): string | undefined {
  const members = membersOf(type, types);
  const named = memberForParameter(
    operation,
    parameter,
    members.map(({ name }) => name),
  );
  const pattern = patternOf(parameter.type, types);
  if (named !== undefined || pattern === undefined || parameter !== subjectParameterOf(operation)) return named;
  return members.find((member) => plainName(member.name) === "id" && patternOf(member.type, types) === pattern)?.name;
}

/**
 * Members by which lists name what a path looks up, as declared links tell: `/items/0/ref` of `GET /artists` is the `who` of
 * `GET /artists/{who}`, so an artist's `ref` is. Where links lead from several members, none is.
 */
export function linkedMembersOf(operations: readonly SuiteHttpOperation[]): ReadonlyMap<SuiteParameter, string> {
  const found = new Map<SuiteParameter, Set<string>>();
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  for (const list of operations) {
    for (const link of list.links) {
      const target = byName.get(link.operation);
      const subject = target === undefined ? undefined : subjectParameterOf(target);
      if (target === undefined || subject === undefined || !isAbove(list, target)) continue;
      const member = namedMember(link.inputs[subject.property]);
      if (member === undefined) continue;
      const names = found.get(subject) ?? new Set();
      found.set(subject, names.add(member));
    }
  }
  return new Map(
    [...found].flatMap(([subject, names]) =>
      names.size === 1 ? [...names].map((name) => [subject, name] as const) : [],
    ),
  );
}

/** Whether one path is what stands before the last hole of the other: `/pets` is above `/pets/{petId}`. */
function isAbove(list: SuiteHttpOperation, target: SuiteHttpOperation): boolean {
  return list.method === "GET" && list.path.replace(/\/$/, "") === target.path.replace(/\/+\{[^{}]*\}\/?$/, "");
}

/** The member of an element of a list that an expression leads to; not one that names another element. */
function namedMember(expression: unknown): string | undefined {
  if (typeof expression !== "string") return undefined;
  const name = /^\$response\.body#(?:\/[^/]+)*\/\d+\/([^/~]+)$/.exec(expression)?.[1];
  return name === undefined || /^(?:prev|next|parent|successor|predecessor)/.test(plainName(name)) ? undefined : name;
}

function patternOf(type: SuiteType, types: SuiteTypes): string | undefined {
  const [only, ...others] = armsOf(type, types);
  return only?.kind === "string" && others.length === 0 ? only.pattern : undefined;
}

/** What is another each time because it is meant to be. */
export function isRandom({ path, name }: SuiteHttpOperation): boolean {
  return /random|sample|shuffle|suggest|recommend|lucky|challenge|nonce|token/i.test(`${path} ${name}`);
}

/** Names of parameters whose value says all that an answer can be: what is under a hash does not change. */
const contentName = /(?:hash|txid|wtxid|digest|sha1|sha256|sha512|cid|checksum|merkleroot|transactionid)$/;
const hashPattern = /^\^?\(?(?:0x)?\[[0-9a-fA-F-]+\]\{(?:64|40|128|32)\}/;

/** Whether the same request always has the same answer: marked so, or it asks for one thing by a hash. */
export function isImmutableOperation(operation: SuiteHttpOperation, types: SuiteTypes): boolean {
  if (operation.isImmutable !== undefined) return operation.isImmutable;
  const subject = subjectParameterOf(operation) ?? pathParametersOf(operation).at(-1);
  if (subject === undefined || operation.method !== "GET") return false;
  const resolved = resolveType(subject.type, types);
  const isHash = resolved?.kind === "string" && resolved.pattern !== undefined && hashPattern.test(resolved.pattern);
  if (/address|account|wallet|user|owner|script/.test(plainName(operation.path))) return false;
  if (/status|mempool|confirm|spend|spent|balance|utxo/.test(plainName(operation.path))) return false;
  return (
    contentName.test(plainName(subject.name)) || (isHash && /hash|tx|block|digest/.test(plainName(operation.path)))
  );
}

/** `/blocks/{block}` takes what a block is told by: its hash where the value is one, else its number. */
function memberByForm(subject: string, names: readonly string[], value: unknown): string | undefined {
  const text = String(value);
  const isHash = /^(?:0x)?[0-9a-f]{32,}$/i.test(text);
  const isUuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text);
  const wanted = isHash
    ? ["hash", "id", "txid"]
    : isUuid
      ? ["id", "uuid"]
      : /^\d+$/.test(text)
        ? ["id", "height", "number"]
        : ["slug", "id", "name"];
  const spellings = wanted.flatMap((name) => [name, `${subject}${name}`]);
  return spellings.flatMap((spelling) => names.filter((name) => plainName(name) === spelling))[0];
}
