import type { PlannedCase } from "./planned-case.ts";

/** Stages in which cases are planned, in their order: each knows what the ones before it found out. `run/stages.ts` has their shares of calls. */
export type StageName =
  | "self-description"
  | "first calls"
  | "examples"
  | "found values, round 1"
  | "found values, round 2"
  | "made-up values"
  | "found values, round 3"
  | "found values, round 4"
  | "found values, round 5"
  | "calls that are always refused"
  | "documented values"
  | "variants"
  | "relations of objects"
  | "first wrong values"
  | "first ways of writing parameters"
  | "ways of writing parameters"
  | "refused ways of writing parameters"
  | "documented errors"
  | "lists"
  | "documented bounds"
  | "relations"
  | "calls in turn"
  | "protocol of each operation"
  | "wrong values"
  | "calls in turn, late"
  | "bounds"
  | "random values"
  | "elements"
  | "arguments below the root"
  | "protocol"
  | "batches"
  | "examples as shown"
  | "described relations";

/** An operation that shares the calls of a run with others. */
export interface SharedOperation {
  readonly name: string;
  /** How much there is to call for, compared with others. */
  readonly weight: number;
  /** Calls that it has in the longest document, and in the shortest. */
  readonly least: number;
  readonly most: number;
}

/** What a protocol adds to a run: what is called, and the planners of its cases by stage. */
export interface ProtocolPlan {
  readonly operations: readonly SharedOperation[];
  readonly planners: Partial<Readonly<Record<StageName, () => readonly PlannedCase[]>>>;
}
