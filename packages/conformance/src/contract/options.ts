import type { ConformanceSuite, SuiteRelation } from "../suite/suite.ts";
import type { MayDiffer } from "./may-differ.ts";
import type { ReplayAnswer } from "./report.ts";

/** What a run is told besides its suite. */
export interface RunOptions {
  /** Of the interface, without key: what the operations' paths are appended to. */
  readonly baseUrl: string;
  /** A key that is allowed everything the suite asks for. Absent: none is sent, and no case about keys is played. */
  readonly apiKey?: string | undefined;
  /** Further headers of each request, lower-case names; their values are secret as the key is. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** User and password of HTTP's basic authentication. */
  readonly basic?: { readonly user: string; readonly password: string } | undefined;
  /** Further texts that no report may hold, each with what is shown in its place. */
  readonly secrets?: readonly { readonly value: string; readonly placeholder: string }[] | undefined;
  /** Patterns (`*` for any text) of operations or cases that are played alone, by name, origin, tag or id. */
  readonly only?: readonly string[] | undefined;
  /** Patterns of what is left out. */
  readonly skip?: readonly string[] | undefined;
  /** Patterns of operations that only read, whatever their names say. */
  readonly safe?: readonly string[] | undefined;
  /** Patterns of operations that change something, whatever their names say; counts before `safe`. */
  readonly unsafe?: readonly string[] | undefined;
  /** True: operations that change something are played too. */
  readonly allowWrites?: boolean | undefined;
  /** Operations that may be answered as not implemented: such cases are skipped. */
  readonly mayBeMissing?: readonly string[] | undefined;
  /** Operations that are switched on for the key though they are off by default. */
  readonly enabled?: readonly string[] | undefined;
  /**
   * Whether documented values have to be what is served. `immutable`: those of operations and objects that never change, where the
   * examples are of the data that the target has (which the run finds out). `exact`: every one that is not marked live. `types`: none.
   */
  readonly examples?: "immutable" | "exact" | "types" | undefined;
  /** True: a case fails where a SHOULD or a heuristic is broken too. Default: where a MUST is. */
  readonly strict?: boolean | undefined;
  /** Hexadecimal, of any length; a new one when not given. */
  readonly seed?: string | undefined;
  /** Requests in a second at most; 200 when not given. */
  readonly rate?: number | undefined;
  /** Requests at once; 4 when not given. */
  readonly concurrency?: number | undefined;
  /** Until an answer is complete; 10,000 when not given. */
  readonly timeoutMilliseconds?: number | undefined;
  /** How long a target is waited for that stopped answering in the middle of a run; 8,000 when not given. */
  readonly patienceMilliseconds?: number | undefined;
  /** Of one answer; 64 MB when not given. */
  readonly maxAnswerBytes?: number | undefined;
  /** Of the whole run. */
  readonly maxMilliseconds?: number | undefined;
  readonly maxRequests?: number | undefined;
  /** Calls of one operation; from 22 to 60, by the number of operations, when not given. */
  readonly maxCallsPerOperation?: number | undefined;
  /** Address of a second target, without key: what both answer is compared, case by case. */
  readonly against?: string | undefined;
  /** What may be otherwise there. */
  readonly mayDiffer?: readonly MayDiffer[] | undefined;
  /** Another interface of the same data, which is compared by what the documents tell twice. */
  readonly across?: Across | undefined;
  /** Ends the run early: what was played is reported. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What an earlier run was answered (`replay` of its report): cases are made from it, and nothing is played for what it finds out.
   */
  readonly earlierAnswers?: readonly ReplayAnswer[] | undefined;
  /** True: reports keep the exchanges of cases that passed too. */
  readonly keepExchanges?: boolean | undefined;
  /** In place of connections of the run's own. */
  readonly fetch?: typeof fetch | undefined;
}

/** Another interface of the same data. */
export interface Across {
  readonly suite: ConformanceSuite;
  /** Without key. */
  readonly baseUrl: string;
  /** What both tell. */
  readonly relations: readonly AcrossRelation[];
}

/** Something that holds between the answers of two interfaces; in `holds`, `$other(operation, input)` is asked of the other one. */
export interface AcrossRelation extends SuiteRelation {
  /** Operation of the suite that is played, whose answers it is held to. */
  readonly operation: string;
}
