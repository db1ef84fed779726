import type { ConformanceSuite, SuiteRelation } from "../suite/suite.ts";

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
