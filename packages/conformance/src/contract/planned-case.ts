import type { ReceivedResponse, PlainRequest, SendOptions } from "./exchange.ts";
import type { RandomSource } from "@nodewright/api-values";
import type { Finding } from "./finding.ts";
import type { Rule } from "./rule.ts";

/** Operation name of cases that belong to no operation: the rules of the protocol. */
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

/** Group of a case: which part of an operation it tests. */
export type CaseGroup = (typeof caseGroups)[number];

/** Functions that a case uses while it is played. */
export interface CasePlay {
  /**
   * Sends a request, and records the exchange for the report. When there is no response, the run is over its budget or the server is too
   * busy, it throws an exception that the run catches and a case must not.
   */
  send(request: PlainRequest, options?: SendOptions): Promise<ReceivedResponse>;
  /** Ends the case as skipped, with the reason in one sentence. */
  skip(reason: string): never;
  /** Random source, seeded with the run's seed and the case's id: independent of filters and other cases. */
  readonly random: RandomSource;
}

/** A case that can be played. */
export interface PlannedCase {
  /** Unique id of operation, group and name, the same in every run: `getBlock/negative/height-fraction`. */
  readonly id: string;
  /** `name` of the operation, or `protocolOperation`. */
  readonly operation: string;
  readonly group: CaseGroup;
  /** Main rule of the case. Findings may be of other rules. */
  readonly rule: Rule;
  /** Description of the required response. */
  readonly expected: string;
  /** Whether it may write at the target, and is played only when the run allows that. */
  readonly writes: boolean;
  /** Maximum number of requests to its operation; 0 when it calls others, and its own only after a failure. */
  readonly requests: number;
  /** Number of requests to a correct server; `requests` when absent. */
  readonly usualRequests?: number;
  /** Whether the response depends on the head or other state; a failure is repeated before it counts. */
  readonly isLive: boolean;
  /** Requests, as far as they are known before any response: for `--plan`. */
  readonly preview?: readonly PlainRequest[];
  play(play: CasePlay): Promise<readonly Finding[]>;
}

/** Parts of a case; its id, and absent members, are derived from them. */
type CaseParts = Pick<PlannedCase, "group" | "rule" | "expected" | "play"> &
  Partial<Omit<PlannedCase, "id">> & {
    /** Name in kebab-case, unique in operation and group. */
    readonly name: string;
  };

/** A case of an operation, before a protocol adds it to a run. */
export type CaseDraft = Omit<CaseParts, "operation" | "preview" | "writes"> & {
  /** Input of the first call, when it is known. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** First request as the protocol serializes it, when it is not given by an input. */
  readonly sent?: unknown;
};

/** Creates a case that belongs to no operation, unless it names one: it does not write, and its response does not depend on the head. */
export function protocolCase({ name, operation = protocolOperation, ...one }: CaseParts): PlannedCase {
  return { writes: false, requests: 1, isLive: false, ...one, id: `${operation}/${one.group}/${name}`, operation };
}

/** Cases that are planned together after all earlier stages, with the results of these. Cases of a stage may run concurrently. */
export interface Stage {
  readonly name: string;
  /** Maximum share of an operation's calls that are used at the end of the stage; all when absent. */
  readonly share?: number;
  plan(): readonly PlannedCase[];
}
