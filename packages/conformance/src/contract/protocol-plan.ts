import { walkType } from "@nodewright/api-model";
import type { SuiteType } from "../suite/suite-type.ts";
import type { PlannedCase } from "./planned-case.ts";

/**
 * The stages in their order, each with the share of an operation's calls that are used when it ends, at most: each knows what the ones before it found out, and what says least comes last.
 * What does not fit is played in the end, as far as calls are left over. Above 1: cases that are made for few operations.
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
  /** How much there is to call for, compared with others. */
  readonly weight: number;
  /** Calls that it has in the longest document, and in the shortest. */
  readonly least: number;
  readonly most: number;
}

/** Documents with more operations have fewer calls for each, and none for what is seldom wrong. */
export const fewOperations = 12;
/** Parameters beyond which an operation has no more calls for it. */
const manyParameters = 6;
/** Calls of one operation at least, in short documents and in long ones, and at most. */
const leastOfShort = 23;
export const leastOfLong = 30;
export const mostCalls = 60;

/** Shares the calls of a run: in a short document operations with more parameters, or members of these, have more of them. */
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
    const least = Math.floor(((isShort ? leastOfShort : leastOfLong) * weight) / mean);
    return { name, weight, least, most: mostCalls };
  });
}

function countMembers(type: SuiteType): number {
  return [...walkType(type)].reduce((sum, part) => sum + (part.kind === "record" ? part.members.length : 0), 0);
}

/** What a protocol adds to a run: what is called, and the planners of its cases by stage. */
export interface ProtocolPlan {
  readonly operations: readonly SharedOperation[];
  readonly planners: Partial<Readonly<Record<StageName, () => readonly PlannedCase[]>>>;
}
