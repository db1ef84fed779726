import { isRecord } from "@nodewright/api-model";
import { isHexadecimalText } from "../live/hexadecimal-text.ts";
import { type Difference, differences } from "../compare/differences.ts";
import { isMovingName, isVolatileName } from "../compare/volatile-names.ts";
import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import type { Level } from "../contract/rule.ts";
import type { RunOptions } from "../contract/options.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** A documented answer beside the one that was given. */
export interface ExampleEvidence {
  readonly operation: string;
  /** Unique in the operation. */
  readonly example: string;
  /** True where the description says that the answer changes by itself. */
  readonly isLive: boolean;
  /** True where the same request always has the same answer: marked, or it asks by a hash. */
  readonly isImmutable: boolean;
  /** True where nothing is named that the answer is about: it tells of the target as it is now. */
  readonly asksForState?: boolean;
  /** True where another request was sent than the example shows, so that a difference to an earlier response is no change. */
  readonly isOfOtherRequest?: boolean;
  /**
   * `answered`: both are successes, and `documented` and `actual` are compared. `absent`: what is asked for is not there. `confirmed`:
   * a documented failure came.
   */
  readonly result:
    | {
        readonly kind: "answered";
        readonly type: SuiteType | undefined;
        readonly documented: unknown;
        readonly actual: unknown;
      }
    | { readonly kind: "absent" }
    | { readonly kind: "confirmed" };
}

/** What documented values say about the target. */
export interface ExampleTrust {
  /** Takes in what an example was answered; the last counts. */
  see(evidence: ExampleEvidence): void;
  /** Whether the examples are of the data that the target has, as far as was seen. */
  isOfThisData(): boolean;
  /** Of one example, differences that the target is to be blamed for, with the level; empty when there are none. */
  blameFor(operation: string, example: string): Blame;
  /** The level at which the target is blamed for not having what an example asks for; undefined: not at all. */
  blameForAbsence(operation: string, example: string): Level | undefined;
}

interface Blame {
  readonly level: Level;
  readonly differences: readonly Difference[];
}

const noBlame: Blame = { level: "SHOULD", differences: [] };

/** Share of the leaves of a documented value that have to be served for it to be of the same object. */
const nearlyShare = 0.6;

/** Share of the examples that have to agree for the description to speak of the target's data. */
const trustedShare = 0.6;

/** Leaves that say something: one example is enough where it has this many of them. */
const tellingLeaves = 3;

/** Telling leaves, and the share of them that is served, for a target to be taken for one whose data does not move. */
const stillLeaves = 8;
const stillShare = 0.9;

interface Compared {
  readonly evidence: ExampleEvidence;
  readonly found: readonly Difference[];
  /** Leaves that only the same data has: long texts, great numbers. */
  readonly telling: number;
  readonly tellingShare: number;
}

/**
 * Decides whether documented values have to be what is served. The options decide, or else what was seen: where most examples that
 * were found at the target agree with it, the description speaks of its data, and what disagrees is wrong.
 */
export function createExampleTrust(types: SuiteTypes, mode: RunOptions["examples"] = "immutable"): ExampleTrust {
  const seen = new Map<string, Compared>();
  const keyOf = (operation: string, example: string): string => `${operation}\n${example}`;
  /** By operation, the places whose values changed from one look at the same request to the next. */
  const changing = new Map<string, Set<string>>();

  function noteChanges(evidence: ExampleEvidence): void {
    const before = seen.get(keyOf(evidence.operation, evidence.example))?.evidence;
    if (before?.result.kind !== "answered" || evidence.result.kind !== "answered") return;
    if (evidence.isImmutable || evidence.isOfOtherRequest === true || before.isOfOtherRequest === true) return;
    const places = changing.get(evidence.operation) ?? new Set();
    changing.set(evidence.operation, places);
    const { type, actual } = evidence.result;
    for (const { steady } of differences(type, before.result.actual, actual, types)) places.add(steady);
  }

  function isOfThisData(except?: string): boolean {
    if (mode === "types") return false;
    if (mode === "exact") return true;
    let agreeing = 0;
    let telling = 0;
    let judged = 0;
    for (const [key, { evidence, tellingShare, telling: leaves }] of seen) {
      if (key === except || evidence.isLive || evidence.result.kind !== "answered" || leaves === 0) continue;
      const agrees = tellingShare >= nearlyShare;
      // What tells of the target as it is now may be of the same data and have moved on.
      if (!agrees && evidence.asksForState === true) continue;
      judged += 1;
      if (!agrees) continue;
      agreeing += 1;
      telling += leaves;
    }
    return agreeing > 0 && agreeing / judged >= trustedShare && telling >= tellingLeaves;
  }

  /** True when every other example that was found is served exactly: the target's data does not move. */
  function allOthersAgree(except: string): boolean {
    let agreeing = 0;
    for (const [key, { evidence, found }] of seen) {
      if (key === except || evidence.isLive || evidence.result.kind !== "answered") continue;
      if (evidence.operation === except.split("\n", 1)[0]) continue;
      if (found.some((difference) => !isGrowth(difference))) return false;
      agreeing += 1;
    }
    return agreeing > 1;
  }

  /** True when nearly all that the other examples show of things is served: the target's data does not move. */
  function isStill(except: string): boolean {
    let documented = 0;
    let served = 0;
    for (const [key, { evidence, telling, tellingShare }] of seen) {
      if (key === except || evidence.isLive || evidence.result.kind !== "answered") continue;
      documented += telling;
      served += telling * tellingShare;
    }
    return documented >= stillLeaves && served / documented >= stillShare;
  }

  return {
    see: (evidence) => {
      noteChanges(evidence);
      seen.set(keyOf(evidence.operation, evidence.example), compareEvidence(evidence, types));
    },
    isOfThisData: () => isOfThisData(),
    blameFor: (operation, example) => {
      const key = keyOf(operation, example);
      const compared = seen.get(key);
      if (compared === undefined || compared.evidence.isLive || compared.found.length === 0) return noBlame;
      if (mode === "exact") return { level: "MUST", differences: compared.found };
      if (!isOfThisData(key)) return noBlame;
      const { isImmutable } = compared.evidence;
      const isExcused = (difference: Difference): boolean =>
        mayHaveMoved(difference) ||
        isOfNow(compared.evidence, difference) ||
        changing.get(operation)?.has(difference.steady) === true;
      const found = compared.found.filter((difference) => isImmutable || !isExcused(difference));
      if (found.length === 0) return noBlame;
      // Nobody has said that the state of an object stays what it was when the example was written.
      const isSure = isImmutable || (!found.every(isOfState) && (allOthersAgree(key) || isStill(key)));
      return { level: isSure ? "MUST" : "SHOULD", differences: found };
    },
    blameForAbsence: (operation, example) => {
      const key = keyOf(operation, example);
      const compared = seen.get(key);
      if (compared === undefined || compared.evidence.isLive) return undefined;
      if (mode === "exact") return "MUST";
      if (!isOfThisData(key)) return undefined;
      return compared.evidence.isImmutable || allOthersAgree(key) || isStill(key) ? "MUST" : "SHOULD";
    },
  };
}

function compareEvidence(evidence: ExampleEvidence, types: SuiteTypes): Compared {
  const { result } = evidence;
  if (result.kind !== "answered") return { evidence, found: [], telling: 0, tellingShare: 1 };
  const hasMovedOn = !evidence.isImmutable && isMovedOn(result.documented, result.actual);
  const [documented, actual] = hasMovedOn
    ? commonElements(result.documented, result.actual)
    : [result.documented, result.actual];
  const found = differences(result.type, documented, actual, types);
  const count = countTelling(result.documented, result.actual);
  const share = count.documented === 0 ? 1 : count.served / count.documented;
  return { evidence, found, telling: count.documented, tellingShare: share };
}

/** Of a target's state as it is now, numbers, times and hashes are not those of the day when the description was written. */
function isOfNow(
  { asksForState, result }: ExampleEvidence,
  { kind, name, element, expected, actual }: Difference,
): boolean {
  if (asksForState !== true || kind !== "value" || result.kind !== "answered") return false;
  // Elements of a list are things, not the state.
  if (element !== undefined) return false;
  const areNumbers = isNumber(expected) && isNumber(actual);
  return (
    areNumbers ||
    name === "" ||
    (isTime(expected) && isTime(actual)) ||
    (isHexadecimalText(expected) && isHexadecimalText(actual))
  );
}

/** The list of a documented answer beside the one that is served, each element with what it is told apart by. */
function listsOf(
  documented: unknown,
  actual: unknown,
): readonly (readonly [readonly string[], readonly unknown[]])[] | undefined {
  const lists = [listOf(documented)?.items, listOf(actual)?.items];
  const all = lists.flatMap((items) => items ?? []);
  const identifier = identifierOf(all);
  const named = lists.map((items) => (items ?? []).map((item) => identityOf(item, identifier)));
  if (all.length === 0 || named.flat().includes(undefined)) return undefined;
  return lists.map((items, index) => [(named[index] ?? []).map(String), items ?? []] as const);
}

/**
 * True for a list that shows the latest of something: new elements came in at one end of it, and as many went at the other. With
 * nothing in common it has moved on altogether.
 */
function isMovedOn(documented: unknown, actual: unknown): boolean {
  const [left, right] = listsOf(documented, actual) ?? [];
  const before = left?.[0] ?? [];
  const after = right?.[0] ?? [];
  if (after.length < before.length || before.length === 0) return false;
  const here = new Set(after);
  const known = new Set(before);
  const gone = before.map((name) => !here.has(name));
  const fresh = after.map((name) => !known.has(name));
  if (!gone.includes(true)) return false;
  // Elements that are the same but for their names were renamed.
  const { documented: telling, served } = countTelling(documented, actual);
  if (!gone.includes(false) && served * 2 > telling) return false;
  const isForward = isOnlyAtEnd(gone) && isOnlyAtEnd(fresh.toReversed());
  const isBackward = isOnlyAtEnd(gone.toReversed()) && isOnlyAtEnd(fresh);
  return isForward || isBackward;
}

/** False, …, false, true, …, true. */
function isOnlyAtEnd(flags: readonly boolean[]): boolean {
  const first = flags.indexOf(true);
  return first === -1 || flags.slice(first).every((flag) => flag);
}

/** The elements that both lists have, each in its order. */
function commonElements(documented: unknown, actual: unknown): readonly [unknown, unknown] {
  const [left, right] = listsOf(documented, actual) ?? [];
  if (left === undefined || right === undefined) return [documented, actual];
  const pick = ([names, items]: typeof left, others: readonly string[]): readonly unknown[] => {
    const wanted = new Set(others);
    return items.filter((_item, index) => wanted.has(names[index] ?? ""));
  };
  return [pick(left, right[0]), pick(right, left[0])];
}

/**
 * A count or a time of a target that goes on differs without fault, and so does a list that grew. What an object is called, or how
 * it is written, does not move.
 */
function mayHaveMoved(difference: Difference): boolean {
  const { kind, name, expected, actual } = difference;
  if (kind === "length") return isGrowth(difference);
  if (kind !== "value") return false;
  if (isOfNumbers(difference)) return isMovingName(name);
  return isTime(expected) && isTime(actual) && isMovingName(name);
}

/** A description may show the beginning of a list; elements that repeat are no growth. */
function isGrowth({ kind, expected, actual }: Difference): boolean {
  if (kind !== "length" || !Array.isArray(expected) || !Array.isArray(actual)) return false;
  if (actual.length < expected.length) return false;
  const known = new Set(actual.slice(0, expected.length).map((element) => textOf(element)));
  return actual.slice(expected.length).every((element) => !known.has(textOf(element)));
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => (typeof member === "bigint" ? `${member}n` : member)) ?? "";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

/** Whether two values are numbers, or texts that are written as one in hexadecimal. */
function isOfNumbers({ kind, expected, actual }: Difference): boolean {
  return kind === "value" && [expected, actual].every((value) => isNumber(value) || isQuantity(value));
}

/** Whether a difference is one of an object's state: a number, a time, a flag, a choice, or whether there is a value at all. */
function isOfState(difference: Difference): boolean {
  const { kind, isChoice = false, expected, actual } = difference;
  if (kind === "missing" || kind === "extra" || expected === null || actual === null) return true;
  if (kind !== "value") return false;
  return isChoice || isOfNumbers(difference) || typeof expected === "boolean" || (isTime(expected) && isTime(actual));
}

/** A number in hexadecimal, without leading zeros: a hash is longer. */
function isQuantity(value: unknown): boolean {
  return typeof value === "string" && /^0x(?:0|[1-9a-f][0-9a-f]{0,31})$/i.test(value);
}

/** An RFC 3339 date or time. */
export function isTime(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/.test(value);
}

interface TellingCount {
  readonly documented: number;
  readonly served: number;
}

/** Looks at no more leaves: a sample says as much. */
const mostLeaves = 2000;

/** Counts the telling leaves of a documented value, and those that are served at the same place, or anywhere in the same list. */
function countTelling(documented: unknown, actual: unknown): TellingCount {
  let total = 0;
  let served = 0;
  const walk = (left: unknown, right: unknown, name: string): void => {
    if (total >= mostLeaves) return;
    if (Array.isArray(left)) {
      const others: readonly unknown[] = Array.isArray(right) ? right : [];
      const texts = new Set(others.map((element) => textOf(element)));
      for (const [index, element] of left.entries()) {
        walk(element, texts.has(textOf(element)) ? element : others[index], name);
      }
    } else if (isRecord(left)) {
      for (const [member, value] of Object.entries(left)) {
        if (!isVolatileName(member)) walk(value, isRecord(right) ? right[member] : undefined, member);
      }
    } else if (isTelling(left)) {
      total += 1;
      // biome-ignore lint/suspicious/noDoubleEquals: want a double and a bigint compared by value
      if (typeof left === typeof right ? left === right : isNumber(left) && isNumber(right) && left == right)
        served += 1;
    }
  };
  walk(documented, actual, "");
  return { documented: total, served };
}

/** Values that two sets of data hardly share by chance. */
function isTelling(value: unknown): boolean {
  if (typeof value === "string") return value.length >= 3 && value !== "string";
  if (typeof value === "number") return Math.abs(value) > 9 || !Number.isInteger(value);
  return typeof value === "bigint";
}
