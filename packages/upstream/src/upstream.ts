import type { ServiceError } from "@nodewright/runtime";
import type { Head, HeadChange } from "./node-standing.ts";
import type { ListedString } from "./list-scanner.ts";
import type { ResponseHold } from "./response-budget.ts";
import type { UpstreamRpcError } from "./upstream-rpc-error.ts";

/** One JSON-RPC call: params by position, or by name where the node supports names. */
export interface UpstreamCall {
  readonly method: string;
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** Outcome of one call of a batch: the node's result, its own error response, or the failure to get a response. */
export type UpstreamResult =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: UpstreamRpcError | ServiceError };

/** Options of one call or batch. */
export interface UpstreamCallOptions {
  /** Aborts the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout in milliseconds in place of the upstream's own. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Whether the call goes before all calls that wait for a connection. */
  readonly isUrgent?: boolean | undefined;
  /** Hold that counts the memory of the results until it is released. Absent: until they are returned. */
  readonly hold?: ResponseHold | undefined;
}

/** Traffic since the upstream was created. Bytes are those of the bodies, without HTTP headers. */
export interface UpstreamTotals {
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Method calls, counting every member of a batch. A repeated call counts again. */
  readonly methodCalls: number;
}

/** One upstream node of the service, called in JSON-RPC. */
export interface Upstream {
  /**
   * Calls one method and returns its result.
   *
   * Throws `UpstreamRpcError` for the node's own error response, and `ServiceError` (`upstream_unavailable`, `upstream_timeout`) when there
   * is no usable response.
   */
  call(method: string, params?: UpstreamCall["params"], options?: UpstreamCallOptions): Promise<unknown>;

  /**
   * Calls several methods at once, in as few requests as the batch limit allows.
   *
   * Results are in the order of the calls. A failure of the transport is the result of each affected call. Only an abort by the caller
   * rejects.
   */
  batch(calls: readonly UpstreamCall[], options?: UpstreamCallOptions): Promise<readonly UpstreamResult[]>;

  totals(): UpstreamTotals;

  /**
   * Best known block, where heads are followed. `undefined` before the first, while no responsive node has it, and where heads are not
   * followed.
   */
  readonly head?: Head | undefined;

  /**
   * Notifies a listener of each new best block, until the returned function is called. Absent where heads are not followed.
   *
   * Nodes are polled at intervals: a listener is notified of a block somewhat after its arrival, and not of every one.
   */
  readonly onHead?: ((listener: (change: HeadChange) => void) => () => void) | undefined;

  /** Ends all connections. Calls in flight and later ones fail with `upstream_unavailable`. */
  close(): Promise<void>;
}

/** An upstream that can read a long list without buffering it. */
export interface ListingUpstream extends Upstream {
  /**
   * Calls a method whose result is an array of strings, and emits each while the response arrives. A failure may come after some.
   *
   * Elements that are not strings are skipped. Throws what `call` throws, also when the result is not an array.
   */
  list(
    method: string,
    params: UpstreamCall["params"],
    take: ListedString,
    options?: UpstreamCallOptions,
  ): Promise<void>;
}
