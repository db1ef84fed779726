import type { Answer, PlainRequest, SendOptions } from "./exchange.ts";
import type { RandomSource } from "@nodewright/api-values";
import type { Finding } from "./finding.ts";
import type { Rule } from "./rule.ts";

/** What cases stand under that belong to no operation: the rules of the protocol. */
export const protocolOperation = "(protocol)";

/** Groups of cases, in the order of a report. */
const caseGroups = [
  "example",
  "live",
  "boundary",
  "negative",
  "random",
  "relation",
  "key",
  "protocol",
  "against",
] as const;

export type CaseGroup = (typeof caseGroups)[number];

/** What a case may ask of its run while it is played. */
export interface CasePlay {
  /**
   * Sends, and records the exchange for the report. Where no answer comes, the run is over its budget or the server is too busy, it
   * throws what the run catches: a case never does.
   */
  send(request: PlainRequest, options?: SendOptions): Promise<Answer>;
  /** Ends the case as skipped, with the reason in one sentence. */
  skip(reason: string): never;
  /** Seeded with the run's seed and the case's id: filters and other cases change nothing. */
  readonly random: RandomSource;
}

/** A case that is ready to be played. */
export interface PlannedCase {
  /** `getBlock/negative/height-fraction`: operation, group, name; the same in every run. Unique. */
  readonly id: string;
  /** `name` of the operation, or `protocolOperation`. */
  readonly operation: string;
  readonly group: CaseGroup;
  /** What it is chiefly about. Findings may be of other rules. */
  readonly rule: Rule;
  /** What has to come back, in words. */
  readonly expected: string;
  /** True: it may change something at the target, and is played only where the run allows that. */
  readonly writes: boolean;
  /** How many requests to its operation it sends at most; 0 where it asks others, and it again only where something is wrong. */
  readonly requests: number;
  /** Those that it sends to a right server; as many as at most when not given. */
  readonly usualRequests?: number;
  /** True: what comes back depends on the head or other state; a failure is looked at again before it counts. */
  readonly isLive: boolean;
  /** What would be sent, where it is known before anything was answered: for `--plan`. */
  readonly preview?: readonly PlainRequest[];
  play(play: CasePlay): Promise<readonly Finding[]>;
}

/** What is said of a case: its id, and what is not given, follow from the rest. */
type CaseParts = Pick<PlannedCase, "group" | "rule" | "expected" | "play"> &
  Partial<Omit<PlannedCase, "id">> & {
    /** kebab-case, unique in operation and group. */
    readonly name: string;
  };

/** A case of an operation, before a protocol puts it into a run. */
export type CaseDraft = Omit<CaseParts, "operation" | "preview" | "writes"> & {
  /** What is called with first, where it is known. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The same as its protocol writes it, where no input says it. */
  readonly sent?: unknown;
};

/** Makes a case that belongs to no operation, unless it names one: it changes nothing, and what comes back does not depend on the head. */
export function protocolCase({ name, operation = protocolOperation, ...one }: CaseParts): PlannedCase {
  return { writes: false, requests: 1, isLive: false, ...one, id: `${operation}/${one.group}/${name}`, operation };
}

/**
 * Cases that are planned together, when all earlier stages are played: what these found out may be used. Cases of a stage may run side
 * by side.
 */
export interface Stage {
  readonly name: string;
  /** Of the calls of an operation, those that are used when the stage ends, at most; all when not given. */
  readonly share?: number;
  plan(): readonly PlannedCase[];
}
