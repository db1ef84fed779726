/** A request before the key is inserted. */
export interface PlainRequest {
  readonly method: string;
  /** Path that is appended to the base URL, percent-encoded: `/tx/00`; empty for the URL itself. */
  readonly path: string;
  /** Query, percent-encoded, without question mark; empty without a query. */
  readonly query: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** A response that was received completely, or up to the limit of bytes. */
export interface ReceivedResponse {
  readonly status: number;
  /** Headers by lower-case name; several with one name are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
  /** Bytes decoded as UTF-8, without a byte order mark; `undefined` when they are not UTF-8. */
  readonly text: string | undefined;
  /** Whether the body was cut at the limit of bytes. */
  readonly isCut: boolean;
  /** Time from the first byte sent to the last one received. */
  readonly milliseconds: number;
}

export interface SendOptions {
  /** Key, or other credentials when the run has no key, in place of the run's, which are sent when this is absent. `none`: without any. */
  readonly key?: "none" | { readonly value: string };
  /** Names of the operations that the request calls, for their budgets: several for a batch. Absent: that of the case. */
  readonly operations?: readonly string[];
  /** Second target that receives the request instead of the checked one; its responses are not checked. */
  readonly to?: "against" | "across";
}

/** A request in reports, with variables in place of keys. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** An exchange in reports. */
export interface RecordedExchange extends RecordedRequest {
  /** Time in ISO 8601, UTC. */
  readonly startedAt: string;
  readonly milliseconds: number;
  /** Response; absent when there was none. */
  readonly response?:
    | {
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
        /** Size of the complete body in bytes. */
        readonly size: number;
        /** Body, cut when it is long; hex for binary bodies. */
        readonly body: string;
      }
    | undefined;
  /** Reason why there was no response, in one sentence. */
  readonly trouble?: string | undefined;
}
