import {
  isUpstreamRpcError,
  type ResponseHold,
  sizeOf,
  type Upstream,
  type UpstreamCall,
  type UpstreamResult,
} from "@nodewright/upstream";

/** Receiver of the result of a read. */
export interface Reader {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** One read of one request: the call, under a key for everything that its result depends on, and its receiver. */
export interface ReadRequest {
  readonly call: UpstreamCall;
  /** Key; absent for a call that must be made now, whatever is in flight. */
  readonly key: string | undefined;
  readonly reader: Reader;
}

/** A batch in flight, aborted when no reader waits for any of its calls. */
interface RunningBatch {
  readonly controller: AbortController;
  readonly hold: ResponseHold;
  /** Number of its calls with waiting readers. */
  wanted: number;
}

/** A call in flight. */
interface RunningRead {
  readonly key: string | undefined;
  readonly batch: RunningBatch;
  /** Readers with the holds of their requests. */
  readonly readers: Map<Reader, ResponseHold>;
}

/**
 * Reads of a node in flight, for all requests: equal ones are made once.
 *
 * Each request sends the calls that it needs and that are not in flight as a batch of its own, so that no result waits for calls that only
 * another request made. An abort ends a call only when no other reader waits. Results are shared and must not be modified.
 */
export class SharedReads {
  readonly #upstream: Upstream;
  readonly #onFailure: () => void;
  #running = new Map<string, RunningRead>();
  readonly #byReader = new WeakMap<Reader, RunningRead>();

  /** Creates the reads. `onFailure` is called for batches without a response. */
  constructor(upstream: Upstream, onFailure: () => void = () => undefined) {
    this.#upstream = upstream;
    this.#onFailure = onFailure;
  }

  /** Number of reads that are in flight and may be joined. */
  get size(): number {
    return this.#running.size;
  }

  /** Sends the calls that are not in flight as one batch, in their order. `hold` is that of the request, for its share of all responses. */
  send(requests: readonly ReadRequest[], hold: ResponseHold): void {
    const batch: RunningBatch = { controller: new AbortController(), hold, wanted: 0 };
    const calls: UpstreamCall[] = [];
    const reads: RunningRead[] = [];
    for (const { call, key, reader } of requests) {
      let read = key === undefined ? undefined : this.#running.get(key);
      if (read === undefined) {
        read = { key, batch, readers: new Map() };
        if (key !== undefined) this.#running.set(key, read);
        batch.wanted += 1;
        calls.push(call);
        reads.push(read);
      } else if (read.batch.hold !== hold) hold.join(read.batch.hold);
      read.readers.set(reader, hold);
      this.#byReader.set(reader, read);
    }
    if (calls.length > 0) void this.#run(batch, calls, reads);
  }

  /** Removes a reader, which receives no further results. */
  leave(reader: Reader): void {
    const read = this.#byReader.get(reader);
    if (read?.readers.delete(reader) !== true || read.readers.size > 0) return;
    this.#end(read);
    read.batch.wanted -= 1;
    if (read.batch.wanted === 0) read.batch.controller.abort();
  }

  /** Records that something was changed through the node: results of calls in flight are stale for later requests. */
  forget(): void {
    this.#running = new Map();
  }

  async #run(batch: RunningBatch, calls: readonly UpstreamCall[], reads: readonly RunningRead[]): Promise<void> {
    let results: readonly UpstreamResult[];
    try {
      results = await this.#upstream.batch(calls, { signal: batch.controller.signal, hold: batch.hold });
    } catch (reason) {
      for (const read of reads) {
        this.#end(read);
        for (const reader of read.readers.keys()) reader.reject(reason);
      }
      return;
    }
    if (results.some((result) => !result.ok && !isUpstreamRpcError(result.error))) this.#onFailure();
    for (const [position, read] of reads.entries()) {
      this.#end(read);
      notify(read, results[position]);
    }
  }

  #end(read: RunningRead): void {
    if (read.key !== undefined && this.#running.get(read.key) === read) this.#running.delete(read.key);
  }
}

function notify({ readers, batch }: RunningRead, result: UpstreamResult | undefined): void {
  for (const [reader, hold] of readers) {
    // The memory of the response is counted with the request that has called for it, which may be over before this one.
    if (hold !== batch.hold && result?.ok === true) hold.add(sizeOf(result.result, Number.POSITIVE_INFINITY));
    if (result === undefined) reader.reject(new Error("Expected a result for each call"));
    else if (result.ok) reader.resolve(result.result);
    else reader.reject(result.error);
  }
}
