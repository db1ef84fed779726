/** What a run is told besides its suite. */
export interface RunOptions {
  /** Of the interface, without key: what the operations' paths are appended to. */
  readonly baseUrl: string;
  /** A key that is allowed everything the suite asks for; absent: none is sent, and no case about keys is played. */
  readonly apiKey?: string | undefined;
  /** Operations, by name, that may be answered as not implemented; such cases are `missing`, not failed. */
  readonly mayBeMissing?: readonly string[] | undefined;
  /** Operations, by name, that are switched on for the key though they are off by default. */
  readonly enabled?: readonly string[] | undefined;
  /** Plays these operations alone, and not the rules of the protocol. */
  readonly only?: readonly string[] | undefined;
  /** True: examples in which an operation changes something are played. Otherwise they are withheld, so that a run leaves no trace. */
  readonly allowWrites?: boolean | undefined;
  /** Requests at once, each of another operation; 4 when not given. */
  readonly concurrency?: number | undefined;
  /** Until an answer is complete; 10,000 when not given. */
  readonly timeoutMilliseconds?: number | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}
