import type { EthereumLimits } from "../node/ethereum-node.ts";

/** Arguments of a field, literals and variables alike. */
export interface Arguments {
  /** Returns a JSON value; undefined for an argument that is omitted, null included. */
  value(name: string): unknown;
}

/** Facts about the chain during a cost computation. */
export class CostScope {
  /** Whether a number would have been more accurate with the height of the latest block. */
  wantsHead = false;
  /** Whether no length of a range was computed. */
  isUntouched = true;
  readonly #limits: Pick<EthereumLimits, "blocks" | "logBlocks">;
  readonly #head: number | undefined;

  /** Creates the scope. `head` is the height of the latest block, where it is known. */
  constructor(limits: Pick<EthereumLimits, "blocks" | "logBlocks">, head: number | undefined) {
    this.#limits = limits;
    this.#head = head;
  }

  /**
   * Returns the number of blocks of a range, both ends included: at least one, and not more than the limit, beyond which it is rejected. A
   * range ends at the latest block; where that is not known, at its own end, or at the limit.
   */
  blocksBetween(from: unknown, to: unknown, limit: "blocks" | "logBlocks"): number {
    this.isUntouched = false;
    const maximum = this.#limits[limit];
    const first = heightOf(from) ?? 0;
    const last = heightOf(to) ?? Number.POSITIVE_INFINITY;
    if (this.#head === undefined && last - first >= maximum) this.wantsHead = true;
    const end = Math.min(last, this.#head ?? last);
    return Math.max(1, Math.min(end - first + 1, maximum));
  }
}

/** Returns the height; undefined for an invalid one, which the execution reports. */
function heightOf(value: unknown): number | undefined {
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "string") return undefined;
  if (value === "") return undefined;
  const height = Number(value);
  return height >= 0 ? height : undefined;
}
