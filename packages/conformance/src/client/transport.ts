import type { Trouble } from "./trouble.ts";

/** A request as it goes over the wire, key and all. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface WireLimits {
  /** Until the answer is complete. */
  readonly timeoutMilliseconds: number;
  /** Of the decoded body. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** False: the request changes something, so it goes over a connection of its own and is never sent twice. */
  readonly isRepeatable: boolean;
  /** Is asked before a request is sent again that a kept connection lost: it is a request like any other. */
  mayRepeat?(): Promise<boolean>;
}

/** What came back; content codings are undone. */
export interface WireAnswer {
  readonly status: number;
  /** Lower-case names; several of one name are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
  /** True: there was more than what was read. */
  readonly isCut: boolean;
  /** True: a sequence of items that need not end, of which what came in a while was read. */
  readonly isSequence: boolean;
}

/** Carries requests. Redirects are not followed. */
export interface Transport {
  /** Never throws. */
  exchange(request: WireRequest, limits: WireLimits): Promise<WireAnswer | Trouble>;
  /** Ends connections that are kept. */
  close(): Promise<void>;
}
