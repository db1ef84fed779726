import type { EthereumLimits } from "../ethereum-node.ts";

/** The arguments of a field, literals and variables alike. */
export interface Arguments {
  /** A JSON value; undefined for an argument that is left out, null included. */
  value(name: string): unknown;
}

/** What is known of the chain while a cost is reckoned. */
export class CostScope {
  /** True when a number would have been nearer to the truth with the height of the latest block. */
  wantsHead = false;
  /** True while no length of a range was asked for. */
  isUntouched = true;
  readonly #limits: Pick<EthereumLimits, "blocks" | "logBlocks">;
  readonly #head: number | undefined;

  /** `head` is the height of the latest block, where it is known. */
  constructor(limits: Pick<EthereumLimits, "blocks" | "logBlocks">, head: number | undefined) {
    this.#limits = limits;
    this.#head = head;
  }

  /**
   * How many blocks a range has, both ends included: at least one, and not more than the limit, beyond which it is refused. A range
   * ends at the latest block; where that is not known, at its own end, or as long as it may be.
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

/** Undefined for what is no height: execution says what is wrong with it. */
function heightOf(value: unknown): number | undefined {
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "string") return undefined;
  if (value === "") return undefined;
  const height = Number(value);
  return height >= 0 ? height : undefined;
}
