import { canonicalText, isRecord } from "@nodewright/api-model";
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

interface Compared extends TellingCount {
  readonly evidence: ExampleEvidence;
  readonly found: readonly Difference[];
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

  /** The other examples whose results can be compared. */
  function others(except?: string): readonly Compared[] {
    return [...seen].flatMap(([key, compared]) => {
      const { isLive, result } = compared.evidence;
      return key === except || isLive || result.kind !== "answered" ? [] : [compared];
    });
  }

  function isOfThisData(except?: string): boolean {
    if (mode !== "immutable") return mode === "exact";
    const telling = others(except).filter(({ leaves }) => leaves > 0);
    const agreeing = telling.filter(({ served, leaves }) => served / leaves >= nearlyShare);
    // What tells of the target as it is now may be of the same data and have moved on.
    const checked = telling.filter((one) => agreeing.includes(one) || one.evidence.asksForState !== true);
    const isEnough = agreeing.reduce((sum, { leaves }) => sum + leaves, 0) >= tellingLeaves;
    return agreeing.length > 0 && agreeing.length / checked.length >= trustedShare && isEnough;
  }

  /** Whether the target's data does not move: nearly all that the other examples show is served, or all of other operations exactly. */
  function isStill(except: string, operation: string): boolean {
    const all = others(except);
    const leaves = all.reduce((sum, one) => sum + one.leaves, 0);
    const served = all.reduce((sum, one) => sum + one.served, 0);
    if (leaves >= stillLeaves && served / leaves >= stillShare) return true;
    const ofOthers = all.filter(({ evidence }) => evidence.operation !== operation);
    return ofOthers.length > 1 && ofOthers.every(({ found }) => found.every(isGrowth));
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
        mayHaveMoved(compared.evidence, difference) || changing.get(operation)?.has(difference.steady) === true;
      const found = compared.found.filter((difference) => isImmutable || !isExcused(difference));
      // Nobody has said that the state of an object stays what it was when the example was written.
      const isSure = isImmutable || (!found.every(isOfState) && isStill(key, operation));
      return { level: isSure ? "MUST" : "SHOULD", differences: found };
    },
    blameForAbsence: (operation, example) => {
      const key = keyOf(operation, example);
      const compared = seen.get(key);
      if (compared === undefined || compared.evidence.isLive) return undefined;
      if (mode === "exact") return "MUST";
      if (!isOfThisData(key)) return undefined;
      return compared.evidence.isImmutable || isStill(key, operation) ? "MUST" : "SHOULD";
    },
  };
}

function compareEvidence(evidence: ExampleEvidence, types: SuiteTypes): Compared {
  const { result, isImmutable } = evidence;
  if (result.kind !== "answered") return { evidence, found: [], leaves: 0, served: 0 };
  const { documented, actual, type } = result;
  const count = countTelling(documented, actual);
  const common = isImmutable ? undefined : commonElements(documented, actual, count);
  const [left, right] = common ?? [documented, actual];
  return { evidence, found: differences(type, left, right, types), ...count };
}

/**
 * The elements that are in both lists, where the one that is served shows the latest of something: new elements came in at one end of it,
 * and as many went at the other. With nothing in common it has moved on altogether.
 */
function commonElements(
  documented: unknown,
  actual: unknown,
  { leaves, served }: TellingCount,
): readonly [unknown, unknown] | undefined {
  const [before = [], after = []] = [documented, actual].map((value) => listOf(value)?.items ?? []);
  const identifier = identifierOf([...before, ...after]);
  const [known, here] = [before, after].map((items) => new Set(items.map((item) => identityOf(item, identifier))));
  if (known === undefined || here === undefined || known.has(undefined) || here.has(undefined)) return undefined;
  const isKept = (item: unknown): boolean => here.has(identityOf(item, identifier));
  const isKnown = (item: unknown): boolean => known.has(identityOf(item, identifier));
  if (before.length === 0 || after.length < before.length || before.every(isKept)) return undefined;
  // Elements that are the same but for their names were renamed.
  if (!before.some(isKept) && served * 2 > leaves) return undefined;
  const isForward = isOnlyAtEnd(before.map(isKept)) && isOnlyAtEnd(after.map(isKnown).toReversed());
  const isBackward = isOnlyAtEnd(before.map(isKept).toReversed()) && isOnlyAtEnd(after.map(isKnown));
  return isForward || isBackward ? [before.filter(isKept), after.filter(isKnown)] : undefined;
}

/** True, …, true, false, …, false. */
function isOnlyAtEnd(flags: readonly boolean[]): boolean {
  const first = flags.indexOf(false);
  return first === -1 || !flags.slice(first).includes(true);
}

/**
 * A count or a time of a target that goes on differs without fault, and so does a list that grew. What an object is called, or how it is
 * written, does not move. Of a target's state as it is now, no number, time or hash is that of the day when the description was written;
 * elements of a list are things, not the state.
 */
function mayHaveMoved({ asksForState = false }: ExampleEvidence, difference: Difference): boolean {
  const { kind, name, element, expected, actual } = difference;
  if (kind === "length") return isGrowth(difference);
  if (kind !== "value") return false;
  const isState = asksForState && element === undefined;
  const isMoving = isOfNumbers(difference) || (isTime(expected) && isTime(actual));
  if (isMoving && isMovingName(name)) return true;
  const areHashes = isHexadecimalText(expected) && isHexadecimalText(actual);
  return isState && (isMoving || areHashes || name === "");
}

/** A description may show the beginning of a list; elements that repeat are no growth. */
function isGrowth({ kind, expected, actual }: Difference): boolean {
  if (kind !== "length" || !Array.isArray(expected) || !Array.isArray(actual)) return false;
  if (actual.length < expected.length) return false;
  const known = new Set(actual.slice(0, expected.length).map(canonicalText));
  return actual.slice(expected.length).every((element) => !known.has(canonicalText(element)));
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

/** Leaves of a documented value that only the same data has, as long texts and great numbers. */
interface TellingCount {
  readonly leaves: number;
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
      const texts = new Set(others.map(canonicalText));
      for (const [index, element] of left.entries()) {
        walk(element, texts.has(canonicalText(element)) ? element : others[index], name);
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
  return { leaves: total, served };
}

/** Values that two sets of data hardly share by chance. */
function isTelling(value: unknown): boolean {
  if (typeof value === "string") return value.length >= 3 && value !== "string";
  if (typeof value === "number") return Math.abs(value) > 9 || !Number.isInteger(value);
  return typeof value === "bigint";
}
