import { walkType } from "@nodewright/api-model";
import type { SuiteType } from "../suite/suite-type.ts";
import type { PlannedCase } from "./planned-case.ts";

/**
 * Stages in their order, each with the maximum share of an operation's calls that are used at its end: each uses the results of the
 * previous ones, and the least significant ones come last. Cases beyond a share are played at the end, as far as calls are left. Above 1:
 * cases that exist for few operations.
 */
export const stageShares = {
  "self-description": 1,
  "first calls": 0.45,
  examples: 0.45,
  "found values, round 1": 0.5,
  "found values, round 2": 0.5,
  "made-up values": 0.5,
  "documented values": 0.6,
  "found values, round 3": 0.6,
  "found values, round 4": 0.6,
  "found values, round 5": 0.6,
  "calls that are always refused": 0.62,
  variants: 0.62,
  "relations of objects": 0.64,
  "first wrong values": 0.66,
  "first ways of writing parameters": 0.68,
  "documented errors": 0.72,
  lists: 0.76,
  "documented bounds": 0.78,
  "ways of writing parameters": 0.8,
  "refused ways of writing parameters": 0.81,
  "protocol of each operation": 0.85,
  relations: 0.88,
  "calls in turn": 1,
  "wrong values": 0.96,
  bounds: 0.98,
  "random values": 1,
  "calls in turn, late": 1,
  "arguments below the root": 2,
  protocol: 1,
  batches: 1,
  "examples as shown": 1,
  "described relations": 2,
} as const;

export type StageName = keyof typeof stageShares;

/** An operation that shares the calls of a run with others. */
export interface SharedOperation {
  readonly name: string;
  /** Amount of calls that it needs, relative to others. */
  readonly weight: number;
  /** Number of calls in the longest document, and in the shortest. */
  readonly least: number;
  readonly most: number;
}

/** Number of operations above which each has fewer calls, and none for rare faults. */
export const fewOperations = 12;
/** Number of parameters above which an operation gets no additional calls. */
const manyParameters = 6;
/** Minimum number of calls of one operation, in short documents and in long ones, and maximum number. */
const minimumOfShort = 23;
export const minimumOfLong = 30;
export const maximumCalls = 60;

/** Divides the calls of a run: in a short document, operations with more parameters, or members of these, get more. */
export function shareCalls(
  operations: readonly { readonly name: string; readonly parameters: readonly { readonly type: SuiteType }[] }[],
): readonly SharedOperation[] {
  const isShort = operations.length <= fewOperations;
  const weights = operations.map(({ parameters }) => {
    const count = parameters.reduce((sum, { type }) => sum + Math.max(1, countMembers(type)), 0);
    return isShort ? 4 + Math.min(count, manyParameters) : 1;
  });
  const mean = weights.reduce((sum, one) => sum + one, 0) / weights.length;
  return operations.map(({ name }, index) => {
    const weight = weights[index] ?? 1;
    const least = Math.floor(((isShort ? minimumOfShort : minimumOfLong) * weight) / mean);
    return { name, weight, least, most: maximumCalls };
  });
}

function countMembers(type: SuiteType): number {
  return [...walkType(type)].reduce((sum, part) => sum + (part.kind === "record" ? part.members.length : 0), 0);
}

/** Plan of a protocol: the called operations, and the planners of its cases by stage. */
export interface ProtocolPlan {
  readonly operations: readonly SharedOperation[];
  readonly planners: Partial<Readonly<Record<StageName, () => readonly PlannedCase[]>>>;
}
