import { type Difference, differences } from "../compare/differences.ts";
import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import type { RunOptions } from "../contract/options.ts";
import type { Level } from "../contract/rule.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isGrowth, isOfState, mayHaveMoved } from "./moved-values.ts";
import { countDistinctive, type DistinctiveCount } from "./distinctive-leaves.ts";

/** A documented response and the actual one. */
export interface ExampleEvidence {
  readonly operation: string;
  /** Unique name in the operation. */
  readonly example: string;
  /** Whether the description declares that the response changes by itself. */
  readonly isLive: boolean;
  /** Whether the same request always has the same response: by an extension, or because it contains a hash. */
  readonly isImmutable: boolean;
  /** Whether the input identifies no object: the response is about the current state of the target. */
  readonly readsState?: boolean;
  /** Whether another request was sent than in the example, so that a difference to an earlier response is not a change. */
  readonly isOfOtherRequest?: boolean;
  /** Values of two successes; undefined where a failure is documented, or the requested object does not exist. */
  readonly compared:
    | { readonly type: SuiteType | undefined; readonly documented: unknown; readonly actual: unknown }
    | undefined;
}

/** Relation of documented values to the target. */
export interface ExampleTrust {
  /** Records the response to an example; the last one counts. */
  see(evidence: ExampleEvidence): void;
  /** Whether the examples are about the data of the target, according to the responses so far. */
  isOfThisData(): boolean;
  /** Returns the differences of one example that are the target's fault, with their level; empty without such differences. */
  blameFor(operation: string, example: string): Blame;
  /** Returns the level at which an absent object of an example is the target's fault; undefined where it is not. */
  blameForAbsence(operation: string, example: string): Level | undefined;
}

interface Blame {
  readonly level: Level;
  readonly differences: readonly Difference[];
}

/** Minimum fraction of leaves of a documented value that have to be equal for it to be the same object. */
const nearlyShare = 0.6;

/** Minimum fraction of examples that have to match for the description to be about the target's data. */
const trustedShare = 0.6;

/** Minimum number of distinctive leaves: one example is enough where it has this many. */
const distinctiveLeaves = 3;

/** Minimum number of distinctive leaves, and minimum fraction of equal ones, for a target whose data does not change. */
const stillLeaves = 8;
const stillShare = 0.9;

interface Compared extends DistinctiveCount {
  readonly evidence: ExampleEvidence;
  readonly found: readonly Difference[];
}

/**
 * Decides whether results have to equal documented values. The options decide, or else the responses: if most examples of existing objects
 * match, the description is about the target's data, and the differences of others are wrong.
 */
export function createExampleTrust(types: SuiteTypes, mode: RunOptions["examples"] = "immutable"): ExampleTrust {
  const seen = new Map<string, Compared>();
  const keyOf = (operation: string, example: string): string => `${operation}\n${example}`;
  /** Places whose values changed between responses to the same request, by operation. */
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

  /** Returns the other examples whose results can be compared. */
  function others(except?: string): readonly Compared[] {
    return [...seen].flatMap(([key, compared]) => {
      const { isLive, compared: values } = compared.evidence;
      return key === except || isLive || values === undefined ? [] : [compared];
    });
  }

  function isOfThisData(except?: string): boolean {
    if (mode !== "immutable") return mode === "exact";
    const distinctive = others(except).filter(({ leaves }) => leaves > 0);
    const agreeing = distinctive.filter(({ served, leaves }) => served / leaves >= nearlyShare);
    // Results about the current state may have changed even if the data is the same.
    const checked = distinctive.filter((one) => agreeing.includes(one) || one.evidence.readsState !== true);
    const isEnough = agreeing.reduce((sum, { leaves }) => sum + leaves, 0) >= distinctiveLeaves;
    return agreeing.length > 0 && agreeing.length / checked.length >= trustedShare && isEnough;
  }

  /**
   * Whether the target's data does not change: nearly all leaves of the other examples are equal, or all examples of other operations match
   * exactly.
   */
  function isStill(except: string, operation: string): boolean {
    const all = others(except);
    const leaves = all.reduce((sum, one) => sum + one.leaves, 0);
    const served = all.reduce((sum, one) => sum + one.served, 0);
    if (leaves >= stillLeaves && served / leaves >= stillShare) return true;
    const ofOthers = all.filter(({ evidence }) => evidence.operation !== operation);
    return ofOthers.length > 1 && ofOthers.every(({ found }) => found.every(isGrowth));
  }

  /** Returns the level at which an example is the target's fault; `mayChange`: the differences are the state of an object. */
  function levelOf({ evidence }: Compared, mayChange: boolean): Level | undefined {
    const { operation, example, isLive, isImmutable } = evidence;
    const key = keyOf(operation, example);
    if (isLive || (mode !== "exact" && !isOfThisData(key))) return undefined;
    // The state of an object may have changed since the example was written.
    return mode === "exact" || isImmutable || (!mayChange && isStill(key, operation)) ? "MUST" : "SHOULD";
  }

  /** Whether a difference is not a fault: the value may have changed, or was observed to change. */
  function isExcused({ operation, isImmutable, readsState = false }: ExampleEvidence, difference: Difference): boolean {
    if (mode === "exact" || isImmutable) return false;
    return mayHaveMoved(difference, readsState) || changing.get(operation)?.has(difference.steady) === true;
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
  const count = countDistinctive(documented, actual);
  const common = evidence.isImmutable ? undefined : commonElements(documented, actual, count);
  const [left, right] = common ?? [documented, actual];
  return { evidence, found: differences(type, left, right, types), ...count };
}

/**
 * Returns the elements that both lists contain, where the actual one has the latest elements: new ones were added at one end, and others
 * removed at the other. Without common elements all were replaced.
 */
function commonElements(
  documented: unknown,
  actual: unknown,
  { leaves, served }: DistinctiveCount,
): readonly [unknown, unknown] | undefined {
  const [before = [], after = []] = [documented, actual].map((value) => listOf(value)?.items ?? []);
  const identifier = identifierOf([...before, ...after]);
  const [known, here] = [before, after].map((items) => new Set(items.map((item) => identityOf(item, identifier))));
  if (known === undefined || here === undefined || known.has(undefined) || here.has(undefined)) return undefined;
  const isKept = (item: unknown): boolean => here.has(identityOf(item, identifier));
  const isKnown = (item: unknown): boolean => known.has(identityOf(item, identifier));
  if (before.length === 0 || after.length < before.length || before.every(isKept)) return undefined;
  // Elements that differ only in their identifiers were renamed.
  if (!before.some(isKept) && served * 2 > leaves) return undefined;
  const isForward = isOnlyAtEnd(before.map(isKept)) && isOnlyAtEnd(after.map(isKnown).toReversed());
  const isBackward = isOnlyAtEnd(before.map(isKept).toReversed()) && isOnlyAtEnd(after.map(isKnown));
  return isForward || isBackward ? [before.filter(isKept), after.filter(isKnown)] : undefined;
}

/** Whether all `false` flags are at the end. */
function isOnlyAtEnd(flags: readonly boolean[]): boolean {
  const first = flags.indexOf(false);
  return first === -1 || !flags.slice(first).includes(true);
}
