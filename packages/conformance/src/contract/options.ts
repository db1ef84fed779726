import type { ConformanceSuite, SuiteRelation } from "../suite/suite.ts";
import type { ReplayResult } from "./report.ts";

/** Options of a run. */
export interface RunOptions {
  /** Base URL of the interface, without key: the operations' paths are appended to it. */
  readonly baseUrl: string;
  /** Key with access to everything that the suite requests. Absent: none is sent, and no case about keys is played. */
  readonly apiKey?: string | undefined;
  /** Further headers of each request, by lower-case name; their values are secret like the key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** User and password of Basic authentication. */
  readonly basic?: { readonly user: string; readonly password: string } | undefined;
  /** Further strings that no report may contain, each with its placeholder. */
  readonly secrets?: readonly { readonly value: string; readonly placeholder: string }[] | undefined;
  /** Patterns (`*` matches any string) of operations or cases to play exclusively, by name, origin, tag or id. */
  readonly only?: readonly string[] | undefined;
  /** Patterns of operations or cases to omit. */
  readonly skip?: readonly string[] | undefined;
  /** Patterns of operations that only read, whatever their names are. */
  readonly safe?: readonly string[] | undefined;
  /** Patterns of operations that write, whatever their names are; take precedence over `safe`. */
  readonly unsafe?: readonly string[] | undefined;
  /** Whether operations that write are played too. */
  readonly allowWrites?: boolean | undefined;
  /** Operations that may respond as not implemented: such cases are skipped. */
  readonly mayBeMissing?: readonly string[] | undefined;
  /** Operations that are enabled for the key although they are off by default. */
  readonly enabled?: readonly string[] | undefined;
  /**
   * Which documented values must be returned. `immutable`: those of operations and objects that never change, when the examples are of the
   * target's data (which the run determines). `exact`: all that are not marked live. `types`: none.
   */
  readonly examples?: "immutable" | "exact" | "types" | undefined;
  /** Whether a case also fails for a violated SHOULD or heuristic. Default: only for a MUST. */
  readonly strict?: boolean | undefined;
  /** Seed in hexadecimal, of any length; a new one by default. */
  readonly seed?: string | undefined;
  /** Maximum number of requests per second; 200 by default. */
  readonly rate?: number | undefined;
  /** Maximum number of concurrent requests; 4 by default. */
  readonly concurrency?: number | undefined;
  /** Timeout of a complete response; 10,000 by default. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Maximum wait for a target that stopped responding during a run; 8,000 by default. */
  readonly maximumOutageMilliseconds?: number | undefined;
  /** Maximum size of one response; 64 MB by default. */
  readonly maxResponseBytes?: number | undefined;
  /** Maximum duration of the complete run. */
  readonly maxMilliseconds?: number | undefined;
  readonly maxRequests?: number | undefined;
  /** Maximum number of calls of one operation; from 22 to 60 by default, depending on the number of operations. */
  readonly maxCallsPerOperation?: number | undefined;
  /** URL of a second target, without key: the responses of both are compared, case by case. */
  readonly against?: string | undefined;
  /** Allowed differences of the second target. */
  readonly mayDiffer?: readonly MayDiffer[] | undefined;
  /** Another interface to the same data, which is compared in what both documents describe. */
  readonly across?: Across | undefined;
  /** Ends the run early: what was played is reported. */
  readonly signal?: AbortSignal | undefined;
  /** Responses of an earlier run (`replay` of its report): cases are derived from them, and no prerequisites are played. */
  readonly earlierResults?: readonly ReplayResult[] | undefined;
  /** Whether reports also contain the exchanges of passed cases. */
  readonly keepExchanges?: boolean | undefined;
  /** Replacement for connections of the run's own. */
  readonly fetch?: typeof fetch | undefined;
}

/** Another interface to the same data. */
export interface Across {
  readonly suite: ConformanceSuite;
  /** Base URL without key. */
  readonly baseUrl: string;
  /** Relations between both interfaces. */
  readonly relations: readonly AcrossRelation[];
}

/** A relation between the responses of two interfaces; in `holds`, `$other(operation, input)` calls the other one. */
export interface AcrossRelation extends SuiteRelation {
  /** Operation of the played suite whose responses are checked. */
  readonly operation: string;
}

/** An allowed difference of the second target, with its reason. */
export interface MayDiffer {
  /** Pattern of an operation's name, origin or tag; `*` matches any string. */
  readonly operation: string;
  /**
   * Pattern of a place in its responses, as in findings: a JSON Pointer with `*` for positions. Absent: the complete response, including
   * whether there is one.
   */
  readonly pointer?: string | undefined;
  readonly reason: string;
}
