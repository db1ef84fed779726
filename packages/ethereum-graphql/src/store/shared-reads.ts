import {
  isUpstreamRpcError,
  type ResponseHold,
  sizeOf,
  type Upstream,
  type UpstreamCall,
  type UpstreamResult,
} from "@nodewright/upstream";

/** Who waits for the result of a read. */
export interface Reader {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** One read of one request: what is asked, under a name for all that its answer depends on, and who waits for it. */
export interface ReadRequest {
  readonly call: UpstreamCall;
  /** Absent for a call that has to be made now, whatever is under way. */
  readonly key: string | undefined;
  readonly reader: Reader;
}

/** A batch under way, ended when nobody waits for any of its calls. */
interface RunningBatch {
  readonly controller: AbortController;
  readonly hold: ResponseHold;
  /** Its calls for which somebody waits. */
  wanted: number;
}

/** A call under way. */
interface RunningRead {
  readonly key: string | undefined;
  readonly batch: RunningBatch;
  /** With the holds of their requests. */
  readonly readers: Map<Reader, ResponseHold>;
}

/**
 * The reads of a node that are under way, for all requests: equal ones are made once.
 *
 * Each request sends what it needs and nobody has asked for yet as a batch of its own, so that no answer waits for what only another
 * request asked. Who gives up ends a call only when nobody else waits. Answers are shared: nobody may change them.
 */
export class SharedReads {
  readonly #upstream: Upstream;
  readonly #onFailure: () => void;
  #running = new Map<string, RunningRead>();
  readonly #byReader = new WeakMap<Reader, RunningRead>();

  /** `onFailure` is told of batches without an answer. */
  constructor(upstream: Upstream, onFailure: () => void = () => undefined) {
    this.#upstream = upstream;
    this.#onFailure = onFailure;
  }

  /** Reads that are under way and may be joined. */
  get size(): number {
    return this.#running.size;
  }

  /** Sends the calls that are not under way as one batch, in their order. `hold` is that of the request, for what it gets of all responses. */
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

  /** Nobody waits any more for what the reader was to be told: it is told nothing. */
  leave(reader: Reader): void {
    const read = this.#byReader.get(reader);
    if (read?.readers.delete(reader) !== true || read.readers.size > 0) return;
    this.#end(read);
    read.batch.wanted -= 1;
    if (read.batch.wanted === 0) read.batch.controller.abort();
  }

  /** Something was changed through the node: what is under way is no answer for who asks from now on. */
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
      tell(read, results[position]);
    }
  }

  #end(read: RunningRead): void {
    if (read.key !== undefined && this.#running.get(read.key) === read) this.#running.delete(read.key);
  }
}

function tell({ readers, batch }: RunningRead, result: UpstreamResult | undefined): void {
  for (const [reader, hold] of readers) {
    // What the response takes is counted with the request that has called for it, which may be over before this one.
    if (hold !== batch.hold && result?.ok === true) hold.add(sizeOf(result.result, Number.POSITIVE_INFINITY));
    if (result === undefined) reader.reject(new Error("Expected a result for each call"));
    else if (result.ok) reader.resolve(result.result);
    else reader.reject(result.error);
  }
}
