import { type Difference, differences } from "../compare/differences.ts";
import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import type { RunOptions } from "../contract/options.ts";
import type { Level } from "../contract/rule.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isGrowth, isOfState, mayHaveMoved } from "./moved-values.ts";
import { countTelling, type TellingCount } from "./telling-leaves.ts";

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
  /** Of two successes; undefined where a failure is documented, or what is asked for is not there. */
  readonly compared:
    | { readonly type: SuiteType | undefined; readonly documented: unknown; readonly actual: unknown }
    | undefined;
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
    if (before?.compared === undefined || evidence.compared === undefined) return;
    if (evidence.isImmutable || evidence.isOfOtherRequest === true || before.isOfOtherRequest === true) return;
    const places = changing.get(evidence.operation) ?? new Set();
    changing.set(evidence.operation, places);
    const { type, actual } = evidence.compared;
    for (const { steady } of differences(type, before.compared.actual, actual, types)) places.add(steady);
  }

  /** The other examples whose results can be compared. */
  function others(except?: string): readonly Compared[] {
    return [...seen].flatMap(([key, compared]) => {
      const { isLive, compared: values } = compared.evidence;
      return key === except || isLive || values === undefined ? [] : [compared];
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

  /** The level at which the target is blamed for one example; `mayChange`: what differs is the state of an object. */
  function levelOf({ evidence }: Compared, mayChange: boolean): Level | undefined {
    const { operation, example, isLive, isImmutable } = evidence;
    const key = keyOf(operation, example);
    if (isLive || (mode !== "exact" && !isOfThisData(key))) return undefined;
    // Nobody has said that the state of an object stays what it was when the example was written.
    return mode === "exact" || isImmutable || (!mayChange && isStill(key, operation)) ? "MUST" : "SHOULD";
  }

  /** Whether a difference is no fault: it may have moved, or was seen to change. */
  function isExcused(
    { operation, isImmutable, asksForState = false }: ExampleEvidence,
    difference: Difference,
  ): boolean {
    if (mode === "exact" || isImmutable) return false;
    return mayHaveMoved(difference, asksForState) || changing.get(operation)?.has(difference.steady) === true;
  }

  return {
    see: (evidence) => {
      noteChanges(evidence);
      seen.set(keyOf(evidence.operation, evidence.example), compareEvidence(evidence, types));
    },
    isOfThisData: () => isOfThisData(),
    blameFor: (operation, example) => {
      const compared = seen.get(keyOf(operation, example));
      const found = compared?.found.filter((difference) => !isExcused(compared.evidence, difference)) ?? [];
      const level = compared && levelOf(compared, found.every(isOfState));
      return level === undefined ? { level: "SHOULD", differences: [] } : { level, differences: found };
    },
    blameForAbsence: (operation, example) => {
      const compared = seen.get(keyOf(operation, example));
      return compared && levelOf(compared, false);
    },
  };
}

function compareEvidence(evidence: ExampleEvidence, types: SuiteTypes): Compared {
  if (evidence.compared === undefined) return { evidence, found: [], leaves: 0, served: 0 };
  const { documented, actual, type } = evidence.compared;
  const count = countTelling(documented, actual);
  const common = evidence.isImmutable ? undefined : commonElements(documented, actual, count);
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
