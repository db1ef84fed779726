import type { Trouble } from "./trouble.ts";

/** A request as sent, with its key. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface WireLimits {
  /** Timeout until the response is complete. */
  readonly timeoutMilliseconds: number;
  /** Maximum size of the decoded body. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether the request may be sent twice; otherwise it writes, and gets a connection of its own. */
  readonly isRepeatable: boolean;
  /** Called before a request is repeated because its kept-alive connection was lost: it counts as a request like any other. */
  mayRepeat?(): Promise<boolean>;
}

/** A response with its content codings decoded. */
export interface WireResponse {
  readonly status: number;
  /** Headers by lower-case name; several with one name are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
  /** Whether the body exceeds what was read. */
  readonly isCut: boolean;
  /** Whether it is a possibly endless sequence, of which only a part was read. */
  readonly isSequence: boolean;
}

/** Sends requests. Redirects are not followed. */
export interface Transport {
  /** Sends a request. Never throws. */
  exchange(request: WireRequest, limits: WireLimits): Promise<WireResponse | Trouble>;
  /** Closes kept-alive connections. */
  close(): Promise<void>;
}
