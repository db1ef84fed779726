import { singularOf } from "../inference/singular.ts";
import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import { isShortened } from "../compare/shortened-text.ts";
import { type Difference, differences } from "../compare/differences.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf, elementOf, memberOf, membersOf, resolveType } from "../compare/member-facts.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import { isMovingName, isVolatileName, plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { violationsOf } from "../types/violations.ts";
import { isPaged } from "../inference/page-members.ts";
import { propertyRules } from "../properties/property-rules.ts";
import { ask, caseOf, findObservation, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { isIdentifier } from "../compare/list-of.ts";
import {
  answerTypeOf,
  isImmutableOperation,
  memberOfParameter,
  pathParametersOf,
  subjectParameterOf,
} from "./operation-shape.ts";
import { observeNow } from "./relation-base.ts";

/** Objects of one operation that are compared with what others embed. */
const mostObjects = 5;
const mostShapes = 2;
/** Objects of one answer of which the one that says most is sought. */
const mostWeighed = 50;
/** Answers of one other operation in which an object is looked for. */
const mostSources = 16;

/** An object that stands in an answer of another operation. */
interface Embedded {
  readonly value: Readonly<Record<string, unknown>>;
  readonly type: SuiteType | undefined;
  readonly source: Observation;
  /** True for an element of the list that the other operation is about, and for its whole answer where that is of the lookup's type. */
  readonly isElement: boolean;
}

/** Compares what looks one thing up with the same thing as other answers embed or list it. */
export function planAlone(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const subject = subjectParameterOf(operation);
  const type = answerTypeOf(operation);
  if (subject === undefined || type === undefined || operation.method !== "GET") return [];
  if (pathParametersOf(operation).length !== 1 || operation.parameters.some((one) => one.required && one !== subject))
    return [];
  const identifier = memberOfParameter(operation, subject, type, context.types) ?? context.linkedMembers.get(subject);
  if (identifier === undefined) return [];
  return embeddedOf(context, { operation, subject, type, identifier }).map((embedded, index) =>
    caseOf(context, operation, {
      group: "relation",
      name: `alone-${kebabCase(embedded.source.operation.name)}-${index + 1}`,
      rule: httpRules.alone,
      expected: `the same object as ${embedded.source.operation.origin} shows`,
      requests: 4,
      isLive: true,
      input: { [subject.property]: embedded.value[identifier] },
      play: async (play) => {
        const input: Input = { [subject.property]: embedded.value[identifier] };
        const known = findObservation(context, operation, input);
        const alone = known?.judged.kind === "success" ? known : await ask(context, play, operation, input);
        if (alone.judged.kind !== "success") {
          if ([404, 410].includes(alone.judged.answer.status) && embedded.isElement) {
            const source = await observeNow(context, play, embedded.source.operation, embedded.source.input);
            const isListed = findEmbedded(context, source, { operation, subject, type, identifier }).some(
              ({ value }) => String(value[identifier]) === String(embedded.value[identifier]),
            );
            const again = await ask(context, play, operation, input);
            if (isListed && [404, 410].includes(again.judged.answer.status)) return [lostFinding(embedded, operation)];
          }
          if ([400, 404, 410].includes(alone.judged.answer.status)) play.skip("What is embedded is not found alone");
          return successFindings(context, play, alone, httpRules.foundId);
        }
        const before = aloneDifferences(context, embedded, alone);
        if (before.length === 0) return [];
        // Between the two answers the object may have moved on.
        const source = await observeNow(context, play, embedded.source.operation, embedded.source.input);
        const again = await observeNow(context, play, operation, input);
        const same = findEmbedded(context, source, { operation, subject, type, identifier }).find(
          ({ value }) => String(value[identifier]) === String(embedded.value[identifier]),
        );
        if (same === undefined) return play.skip("The embedded object is gone");
        const isStill = (one: Difference): boolean =>
          before.some(
            ({ pointer, expected, actual }) =>
              pointer === one.pointer && isSame(expected, one.expected) && isSame(actual, one.actual),
          );
        const isImmutable = isImmutableOperation(operation, context.types);
        // What moves is another each time; what stays different is wrong on one side.
        return aloneDifferences(context, same, again)
          .filter((one) => isImmutable || !isMoving(one) || isStill(one))
          .map((difference) => aloneFinding(same, difference));
      },
    }),
  );
}

interface Lookup {
  readonly operation: SuiteHttpOperation;
  readonly subject: SuiteParameter;
  readonly type: SuiteType;
  readonly identifier: string;
}

/** Embedded objects of each other operation. */
function embeddedOf(context: HttpContext, lookup: Lookup): readonly Embedded[] {
  const found: Embedded[] = [];
  for (const [name, observations] of context.observations) {
    if (name === lookup.operation.name) continue;
    const sources = observations
      .filter(({ judged, operation }) => judged.kind === "success" && judged.type && operation.method === "GET")
      .toReversed();
    // Some parameters decide whether an object is embedded at all.
    for (const source of sources.slice(0, mostSources)) {
      const embedded = findEmbedded(context, source, lookup);
      found.push(...differentOnes(embedded));
      if (embedded.length > 0) break;
    }
  }
  return found.slice(0, mostObjects);
}

/** The first and the last object, the first of each other shape, as unions hold several, and the one that says most. */
function differentOnes(embedded: readonly Embedded[]): readonly Embedded[] {
  const shapes = new Map<string, Embedded>();
  for (const one of embedded) {
    const shape = Object.keys(one.value).toSorted().join();
    if (!shapes.has(shape)) shapes.set(shape, one);
  }
  const lengths = new Map(embedded.slice(0, mostWeighed).map((one) => [one, canonicalText(one.value).length]));
  const [richest] = [...lengths.keys()].toSorted((left, right) => (lengths.get(right) ?? 0) - (lengths.get(left) ?? 0));
  const others = [richest, embedded.at(-1)].filter((one) => one !== undefined);
  return [...new Set([...[...shapes.values()].slice(0, mostShapes), ...others])];
}

/** Values that are looked into of one answer. */
const mostLooked = 5_000;

/** Objects in an answer that are of the kind which a lookup answers: of its type, or elements of the list at the path above. */
function findEmbedded(context: HttpContext, source: Observation, lookup: Lookup): readonly Embedded[] {
  const { types } = context;
  const found: Embedded[] = [];
  const wanted = targetsOf(lookup.type, types);
  const above = lookup.operation.path.replace(/\/+\{[^{}]*\}\/?$/, "");
  const isAbove = source.operation.path.replace(/\/$/, "") === above;
  let looked = 0;
  const walk = (value: unknown, type: SuiteType | undefined, isElement: boolean, isDeep: boolean): void => {
    looked += 1;
    if (looked > mostLooked) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, elementOf(type, index, types), true, isDeep);
    } else if (isRecord(value)) {
      const isSame = wanted.has(targetOf(type, types)) || isPartOf(type, lookup, types);
      if ((isSame || (isAbove && isElement)) && isIdentifier(value[lookup.identifier])) {
        if (violationsOf(lookup.subject.type, value[lookup.identifier], types, "request").length === 0) {
          const isWhole = isSame && value === source.judged.value;
          found.push({ value, type, source, isElement: isWhole || (isElement && !isDeep) });
        }
        return;
      }
      for (const [name, member] of Object.entries(value))
        walk(member, memberOf(type, name, types)?.type, false, isDeep || isElement);
    }
  };
  walk(source.judged.value, source.judged.type, false, false);
  return found;
}

/**
 * Whether a type is a part of what a lookup answers: it has its identifier, another one of the very same declared type, and no member that
 * the answer has not. `{ height, hash, time }` within the state of a chain is a block.
 */
function isPartOf(type: SuiteType | undefined, { type: whole, identifier }: Lookup, types: SuiteTypes): boolean {
  const members = membersOf(type, types);
  const isOther = ({ name, type: own }: RecordMember): boolean => {
    const target = targetOf(own, types);
    const isDeclared = target !== undefined && target === targetOf(memberOf(whole, name, types)?.type ?? own, types);
    return name !== identifier && isDeclared && /^(?:id|uuid|hash|txid)$/.test(plainName(name));
  };
  return (
    !/^(?:id|uuid)$/.test(plainName(identifier)) &&
    members.some(({ name }) => name === identifier) &&
    members.every(({ name }) => memberOf(whole, name, types) !== undefined) &&
    members.some(isOther)
  );
}

/** The name under which the description has a type; undefined for one that stands where it is used. */
function targetOf(type: SuiteType | undefined, types: SuiteTypes): string | undefined {
  if (type === undefined) return undefined;
  if (type.kind !== "reference") {
    return type.kind === "union" ? armTarget(type.members, types) : undefined;
  }
  const inner = types[type.target];
  return inner?.kind === "reference" ? targetOf(inner, types) : type.target;
}

/** The names of all that an answer may be: of one thing a description may have several forms. */
function targetsOf(type: SuiteType, types: SuiteTypes): ReadonlySet<string | undefined> {
  const only = targetOf(type, types);
  const arms = only === undefined && type.kind === "union" ? type.members.map((arm) => targetOf(arm, types)) : [only];
  return new Set(arms.filter((target) => target !== undefined));
}

/** Of an object or null, the object. */
function armTarget(members: readonly SuiteType[], types: SuiteTypes): string | undefined {
  const others = members.filter((member) => resolveType(member, types)?.kind !== "null");
  const [only] = others;
  return others.length === 1 ? targetOf(only, types) : undefined;
}

/** Members that both have, and that the description gives the same type, are the same. */
function aloneDifferences(context: HttpContext, embedded: Embedded, alone: Observation): readonly Difference[] {
  const { types } = context;
  const whole = alone.judged.value;
  if (!isRecord(whole)) return [];
  const isSameType =
    alone.judged.type !== undefined && targetsOf(alone.judged.type, types).has(targetOf(embedded.type, types));
  // What the description does not name may be of the answer that it stands in.
  const isDescribed = membersOf(alone.judged.type, types).length > 0;
  return Object.entries(embedded.value).flatMap(([name, value]): readonly Difference[] => {
    if (!Object.hasOwn(whole, name) || isVolatileName(name)) return [];
    const here = memberOf(embedded.type, name, types);
    const there = memberOf(alone.judged.type, name, types);
    if (here?.isVolatile === true || there?.isVolatile === true) return [];
    if (here === undefined && there === undefined && isDescribed) return [];
    if (!isSameType && !isComparable(here?.type, there?.type, types)) return [];
    const found = differences(there?.type, value, whole[name], types, { namesExtra: true, skipsUnnamed: true });
    return found
      .filter((one) => !isShortened(one))
      .map((one) => ({
        ...one,
        name: one.name === "" ? name : one.name,
        pointer: `/${escapeSegment(name)}${one.pointer}`,
        steady: `/${escapeSegment(name)}${one.steady}`,
        ...withPlace(one.place ?? there?.place),
      }));
  });
}

/** Plain values of the same type, and what has one declared type: else a summary may show another structure under the same name. */
function isComparable(left: SuiteType | undefined, right: SuiteType | undefined, types: SuiteTypes): boolean {
  if (left === undefined || right === undefined) return false;
  const target = targetOf(left, types);
  if (target !== undefined && target === targetOf(right, types)) return true;
  const kinds = (type: SuiteType): string =>
    [...new Set(armsOf(type, types).map(({ kind }) => kind))].toSorted().join(" ");
  const isPlain = !/record|list|any/.test(kinds(left));
  return isPlain && kinds(left) === kinds(right);
}

function isMoving({ kind, name, expected, actual }: Difference): boolean {
  const areNumbers = typeof expected === "number" && typeof actual === "number";
  return kind === "value" && areNumbers && isMovingName(name);
}

function isSame(left: unknown, right: unknown): boolean {
  return canonicalText(left ?? null) === canonicalText(right ?? null);
}

function lostFinding({ source }: Embedded, operation: SuiteHttpOperation): Finding {
  return {
    rule: httpRules.foundId,
    message: `What ${source.operation.origin} shows is not found by ${operation.origin}`,
    ...withPlace(operation.place),
  };
}

function aloneFinding({ source }: Embedded, difference: Difference): Finding {
  const where = difference.steady === "" ? "The object" : difference.steady;
  return {
    rule: httpRules.alone,
    message: `${where} is another than ${source.operation.origin} shows of the same object`,
    detail: `${difference.pointer} ${difference.detail}`,
    pointer: difference.steady,
    ...withPlace(difference.place),
  };
}

/**
 * What one operation finds under a number or a name is found by its identifier with that number or name: the hash at a height is the
 * hash of a block of that height.
 */
export function planLookups(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const [parameter] = pathParametersOf(operation);
  if (parameter === undefined || pathParametersOf(operation).length !== 1 || operation.method !== "GET") return [];
  const observed = wellObserved(context, operation.name).findLast(({ judged }) => isIdentifier(judged.value));
  if (observed === undefined) return [];
  const plain = plainName(parameter.name);
  return [...context.operations.values()].flatMap((other): readonly PlannedCase[] => {
    const subject = subjectParameterOf(other);
    const type = answerTypeOf(other);
    if (other === operation || subject === undefined || type === undefined || other.method !== "GET") return [];
    if (other.parameters.filter(({ required }) => required).length !== 1) return [];
    const { value } = observed.judged;
    const back = membersOf(type, context.types).find(({ name }) => plainName(name) === plain);
    if (back === undefined || violationsOf(subject.type, value, context.types, "request").length > 0) return [];
    const isKnown = (wellObserved(context, other.name).at(0)?.input[subject.property] ?? undefined) !== undefined;
    if (!isKnown || !isSameForm(value, wellObserved(context, other.name).at(0)?.input[subject.property])) return [];
    return [
      caseOf(context, operation, {
        group: "relation",
        name: `found-by-${kebabCase(other.name)}`,
        rule: httpRules.identity,
        expected: `what ${other.origin} shows under the answer has the ${parameter.name} that was asked for`,
        requests: 2,
        isLive: true,
        play: async (play) => {
          const again = await observeNow(context, play, operation, observed.input);
          const found = await ask(context, play, other, { [subject.property]: again.judged.value });
          if (found.judged.kind !== "success" || !isRecord(found.judged.value)) {
            return play.skip("What the answer names is not found");
          }
          const actual = found.judged.value[back.name];
          if (!isIdentifier(actual) || String(actual) === String(observed.input[parameter.property])) return [];
          const message = `What ${other.origin} shows under the answer has another ${parameter.name} than was asked for`;
          const detail = `${canonicalText(actual)} instead of ${canonicalText(observed.input[parameter.property])}`;
          return [{ rule: httpRules.identity, message, detail, ...withPlace(operation.place) }];
        },
      }),
    ];
  });
}

/** Identifiers of one kind are of one length, or both numbers. */
function isSameForm(left: unknown, right: unknown): boolean {
  if (typeof left === "string" && typeof right === "string") return left.length === right.length && left.length >= 16;
  return typeof left === typeof right && typeof left === "number";
}

/** `bookCount` of an author is how many books `/authors/{authorId}/books` lists, where it lists all. */
export function planCounts(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const match = /^(.*\/\{[^{}]*\})\/([^/{}]+)\/?$/.exec(operation.path);
  const [subject] = pathParametersOf(operation);
  if (
    match === null ||
    subject === undefined ||
    pathParametersOf(operation).length !== 1 ||
    isPaged(operation.parameters) ||
    goesOn(context, operation)
  )
    return [];
  const owner = [...context.operations.values()].find(({ path, method }) => method === "GET" && path === match[1]);
  const observed = wellObserved(context, operation.name).findLast(({ judged }) => Array.isArray(judged.value));
  const ownerSubject = owner === undefined ? undefined : subjectParameterOf(owner);
  if (owner === undefined || ownerSubject === undefined || observed === undefined) return [];
  const counter = membersOf(answerTypeOf(owner), context.types).find(({ name }) =>
    countsThing(plainName(name), plainName(match[2] ?? "")),
  );
  if (counter === undefined) return [];
  return [
    caseOf(context, operation, {
      group: "relation",
      name: `counted-by-${kebabCase(owner.name)}`,
      rule: propertyRules.count,
      expected: `as many elements as ${counter.name} of ${owner.origin} says`,
      requests: 4,
      isLive: true,
      play: async (play) => {
        const ownerInput: Input = { [ownerSubject.property]: observed.input[subject.property] };
        const holdsNow = async (): Promise<boolean> => {
          const list = (await observeNow(context, play, operation, observed.input)).judged.value;
          const { value } = (await observeNow(context, play, owner, ownerInput)).judged;
          const count = isRecord(value) ? value[counter.name] : undefined;
          if (!Array.isArray(list) || typeof count !== "number") return true;
          return count === list.length || (count > list.length && isPageLength(list.length));
        };
        if ((await holdsNow()) || (await holdsNow())) return [];
        const message = `The elements are not as many as ${counter.name} of ${owner.origin} says`;
        return [{ rule: propertyRules.count, message, ...withPlace(counter.place ?? operation.place) }];
      },
    }),
  ];
}

/** Whether a list has further pages: by a link, or by a path that begins where it ends, as `/txs/{start_index}` does behind `/txs`. */
function goesOn(context: HttpContext, { path, links }: SuiteHttpOperation): boolean {
  if (links.some(({ name }) => name === "next")) return true;
  return [...context.operations.values()].some((other) => other.path.startsWith(`${path}/{`));
}

/** Lists without a word about pages end at lengths like these where they are cut. */
function isPageLength(length: number): boolean {
  return length > 0 && (length % 10 === 0 || length % 25 === 0);
}

/** `book_count`, `numBooks`, `n_books`, `booksCount` of `books`. */
function countsThing(name: string, things: string): boolean {
  const thing = singularOf(things);
  return [
    `${thing}count`,
    `${things}count`,
    `num${things}`,
    `n${things}`,
    `numberof${things}`,
    `total${things}`,
  ].includes(name);
}
