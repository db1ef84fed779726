import type { ServiceError } from "@nodewright/runtime";
import { type Descriptor, branchCount, keysOf, leavesOf } from "../descriptor/descriptor.ts";
import { rpcError } from "../rpc-error.ts";

/** Children of a ranged descriptor, both counted. */
export interface PositionRange {
  readonly first: number;
  readonly last: number;
}

/** What one search may cost. */
export const scanBounds = {
  /** Scripts that are looked for. */
  scripts: 10_000,
  /** Keys that are derived. */
  derivations: 30_000,
  /** Outputs that are found. */
  outputs: 100_000,
} as const;

/** Adds up what a search will cost, and refuses what is too much. */
export class ScanCost {
  #scripts = 0;
  #derivations = 0;

  /** Throws -8 when the search is to be refused. */
  add(descriptor: Descriptor, { first, last }: PositionRange): void {
    const branches = branchCount(descriptor);
    const positions = last - first + 1;
    const keys = keysOf(descriptor);
    const paths = keys.reduce((sum, { pathLength }) => sum + pathLength, 0);
    // What taproot makes of a key and its leaves costs as much as a derivation.
    const tweaks = descriptor.kind === "tr" ? 1 + leavesOf(descriptor.tree).length : 0;
    this.#scripts += positions * branches * (descriptor.kind === "combo" ? 4 : 1);
    const derived = keys.reduce((sum, { keyCount }) => sum + keyCount, 0);
    this.#derivations += branches * (paths + positions * (derived + tweaks));
    if (this.#scripts > scanBounds.scripts) throw tooMuch("scripts", scanBounds.scripts);
    if (this.#derivations > scanBounds.derivations) throw tooMuch("keys to derive", scanBounds.derivations);
  }
}

/** The refusal of a search with more outputs than are given. */
export function tooManyOutputs(): ServiceError {
  return tooMuch("outputs", scanBounds.outputs);
}

function tooMuch(what: string, bound: number): ServiceError {
  return rpcError("invalidParameter", `The search has more than ${bound} ${what}: look for fewer at once`);
}
