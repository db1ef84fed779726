/** Virtual bytes in a bin of Esplora's histogram, above which the bin is closed. */
const binSize = 50_000;

/**
 * Virtual bytes for each fee rate, ascending.
 *
 * Changes are gathered and merged at once: a pass over two arrays of numbers, without sorting the existing ones.
 */
export class FeeRateSizes {
  #feeRates = new Float64Array(0);
  #sizes = new Float64Array(0);
  #length = 0;
  /** Virtual bytes to add, by fee rate. */
  readonly #changes = new Map<number, number>();

  /** Adds virtual bytes; `virtualSize` is negative to subtract. */
  add(feeRate: number, virtualSize: number): void {
    this.#changes.set(feeRate, (this.#changes.get(feeRate) ?? 0) + virtualSize);
  }

  /** Returns Esplora's histogram: bins from the highest fee rate down, each named by the lowest rate in it. */
  histogram(): [feeRate: number, virtualSize: number][] {
    this.#merge();
    const bins: [number, number][] = [];
    let size = 0;
    for (let index = this.#length - 1; index >= 0; index -= 1) {
      size += this.#sizes[index] ?? 0;
      if (size > binSize || index === 0) {
        bins.push([this.#feeRates[index] ?? 0, size]);
        size = 0;
      }
    }
    return bins;
  }

  #merge(): void {
    if (this.#changes.size === 0) return;
    const changes = [...this.#changes].sort(([left], [right]) => left - right);
    this.#changes.clear();
    const capacity = this.#length + changes.length;
    const feeRates = new Float64Array(capacity);
    const sizes = new Float64Array(capacity);
    let length = 0;
    const push = (feeRate: number, size: number): void => {
      if (size <= 0) return;
      feeRates[length] = feeRate;
      sizes[length] = size;
      length += 1;
    };
    let old = 0;
    for (const [feeRate, change] of changes) {
      // Unchanged runs are copied at once: changes are few.
      const until = this.#firstAtOrAbove(feeRate, old);
      feeRates.set(this.#feeRates.subarray(old, until), length);
      sizes.set(this.#sizes.subarray(old, until), length);
      length += until - old;
      old = until;
      const isKnown = old < this.#length && this.#feeRates[old] === feeRate;
      push(feeRate, change + (isKnown ? (this.#sizes[old] ?? 0) : 0));
      if (isKnown) old += 1;
    }
    feeRates.set(this.#feeRates.subarray(old, this.#length), length);
    sizes.set(this.#sizes.subarray(old, this.#length), length);
    this.#feeRates = feeRates;
    this.#sizes = sizes;
    this.#length = length + this.#length - old;
  }

  #firstAtOrAbove(feeRate: number, from: number): number {
    let low = from;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#feeRates[middle] ?? 0) < feeRate) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
