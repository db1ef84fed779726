/**
 * Memory of a parsed value beside the bytes of its text, about: its object, its slot, its share of hidden classes and of the table of
 * strings. Logs and transactions take two thirds of it, objects that each have another name for their member three times as much.
 */
const bytesPerValue = 96;

/** Responses of all upstreams of the process together, about, in bytes of memory. */
const defaultMaximumBytes = 160 * 1024 * 1024;

/** Too many large responses are outstanding: the largest of them is given up. */
export class TooManyResponses extends Error {}

/** The memory of one outstanding response. */
export interface ResponseLease {
  /** Adds to what the response takes. Throws `TooManyResponses` when that ends this response. */
  grow(bytes: number, values: number): void;
  /** The response has been delivered or given up. */
  release(): void;
}

interface Lease extends ResponseLease {
  bytes: number;
  giveUp(reason: unknown): void;
}

/**
 * Bounds the memory of all outstanding responses together. When they take more, the largest one is given up: it is the one that
 * ordinary responses must not fail for.
 */
export class ResponseBudget {
  readonly #maximumBytes: number;
  readonly #leases = new Set<Lease>();
  #bytes = 0;

  constructor(maximumBytes: number = defaultMaximumBytes) {
    this.#maximumBytes = maximumBytes;
  }

  /** Memory of all outstanding responses, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `giveUp` ends the response; it is not called while the response itself grows. */
  acquire(giveUp: (reason: unknown) => void): ResponseLease {
    const lease: Lease = {
      bytes: 0,
      giveUp,
      grow: (bytes, values) => this.#grow(lease, bytes + values * bytesPerValue),
      release: () => this.#release(lease),
    };
    this.#leases.add(lease);
    return lease;
  }

  #grow(growing: Lease, bytes: number): void {
    if (!this.#leases.has(growing)) return;
    growing.bytes += bytes;
    this.#bytes += bytes;
    while (this.#bytes > this.#maximumBytes) {
      let largest = growing;
      for (const lease of this.#leases) if (lease.bytes > largest.bytes) largest = lease;
      this.#release(largest);
      const reason = new TooManyResponses("The outstanding responses are too large");
      if (largest === growing) throw reason;
      largest.giveUp(reason);
    }
  }

  #release(lease: Lease): void {
    if (!this.#leases.delete(lease)) return;
    this.#bytes -= lease.bytes;
    lease.bytes = 0;
  }
}

/** Shared by all upstreams of the process. */
export const responseBudget: ResponseBudget = new ResponseBudget();
