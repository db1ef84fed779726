/** A request before the key is put into it. */
export interface PlainRequest {
  readonly method: string;
  /** Appended to the base URL, percent-encoded: `/tx/00`; empty for the URL itself. */
  readonly path: string;
  /** Percent-encoded, without question mark; empty when there is none. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** An answer that was received whole, or up to the limit of bytes. */
export interface Answer {
  readonly status: number;
  /** Lower-case names; several of one name are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8, a byte order mark left out; `undefined` when they are none. */
  readonly text: string | undefined;
  /** True: the answer went on beyond the limit, and was cut. */
  readonly isCut: boolean;
  /** From the first byte sent to the last one received. */
  readonly milliseconds: number;
}

export interface SendOptions {
  /** The run's key, or its other credentials where it has none; when not given, these are sent. `none`: without any. */
  readonly key?: "none" | { readonly value: string };
  /** Names of the operations that the request calls, for their budgets: several where it is a batch. Absent: the case's. */
  readonly operations?: readonly string[];
  /** A second target in place of the one that is judged; what it answers counts for nothing by itself. */
  readonly to?: "against" | "across";
}

/** A request as reports show it; keys stand in it as variables. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** What went over the wire, as reports show it. */
export interface RecordedExchange extends RecordedRequest {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly milliseconds: number;
  /** Absent when no answer came. */
  readonly answer?:
    | {
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
        /** Bytes of the whole body. */
        readonly size: number;
        /** Shortened when it is long; of bytes, their hex. */
        readonly body: string;
      }
    | undefined;
  /** Why no answer came, in one sentence. */
  readonly trouble?: string | undefined;
}
