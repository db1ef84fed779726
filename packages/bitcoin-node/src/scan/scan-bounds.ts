import type { ServiceError } from "@nodewright/runtime";
import { type Descriptor, branchCount, keysOf, leavesOf } from "../descriptor/descriptor.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Range of children of a ranged descriptor, both counted. */
export interface PositionRange {
  readonly first: number;
  readonly last: number;
}

/** Limits of one search. */
export const scanBounds = {
  /** Number of searched scripts. */
  scripts: 10_000,
  /** Number of derived keys. */
  derivations: 30_000,
  /** Number of found outputs. */
  outputs: 100_000,
} as const;

/** Cost of a search, which rejects excessive ones. */
export class ScanCost {
  #scripts = 0;
  #derivations = 0;

  /** Adds a descriptor. Throws -8 when the search must be rejected. */
  add(descriptor: Descriptor, { first, last }: PositionRange): void {
    const branches = branchCount(descriptor);
    const positions = last - first + 1;
    const keys = keysOf(descriptor);
    const paths = keys.reduce((sum, { pathLength }) => sum + pathLength, 0);
    // The tweak of a taproot key with its leaves costs as much as a derivation.
    const tweaks = descriptor.kind === "tr" ? 1 + leavesOf(descriptor.tree).length : 0;
    this.#scripts += positions * branches * (descriptor.kind === "combo" ? 4 : 1);
    const derived = keys.reduce((sum, { keyCount }) => sum + keyCount, 0);
    this.#derivations += branches * (paths + positions * (derived + tweaks));
    if (this.#scripts > scanBounds.scripts) throw tooMuch("scripts", scanBounds.scripts);
    if (this.#derivations > scanBounds.derivations) throw tooMuch("keys to derive", scanBounds.derivations);
  }
}

/** Creates the error for a search with more outputs than are returned. */
export function tooManyOutputs(): ServiceError {
  return tooMuch("outputs", scanBounds.outputs);
}

function tooMuch(what: string, bound: number): ServiceError {
  return rpcError("invalidParameter", `The search has more than ${bound} ${what}: look for fewer at once`);
}
