import type { ServiceError } from "@nodewright/runtime";
import type { Head, HeadChange } from "./head-judgement.ts";
import type { ListedString } from "./list-scanner.ts";
import type { ResponseHold } from "./response-budget.ts";
import type { UpstreamRpcError } from "./upstream-rpc-error.ts";

/** One JSON-RPC call: params by position, or by name where the node knows names. */
export interface UpstreamCall {
  readonly method: string;
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** What became of one call of a batch: the node's result, its own error answer, or the failure to get an answer. */
export type UpstreamResult =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: UpstreamRpcError | ServiceError };

export interface UpstreamCallOptions {
  /** Aborts the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the upstream's own. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Goes before all calls that wait for a connection. */
  readonly isUrgent?: boolean | undefined;
  /** Counts the memory of the results until it is released; absent that, until they are given. */
  readonly hold?: ResponseHold | undefined;
}

/** What went over the wire since the upstream was created. Bytes are those of the bodies, without HTTP's headers. */
export interface UpstreamTotals {
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Every member of a batch is one; a repeated call counts again. */
  readonly methodCalls: number;
}

/** One node behind the service, spoken to in JSON-RPC. */
export interface Upstream {
  /**
   * Calls one method and gives its result.
   *
   * Throws `UpstreamRpcError` for the node's own error answer, and `ServiceError` (`upstream_unavailable`,
   * `upstream_timeout`) when there is no usable answer.
   */
  call(method: string, params?: UpstreamCall["params"], options?: UpstreamCallOptions): Promise<unknown>;

  /**
   * Calls several methods at once, in as few requests as the batch limit allows.
   *
   * Results stand in the order of the calls. A failure of the transport is the result of each call that it struck;
   * only an abort by the caller rejects.
   */
  batch(calls: readonly UpstreamCall[], options?: UpstreamCallOptions): Promise<readonly UpstreamResult[]>;

  totals(): UpstreamTotals;

  /**
   * The best block that is known, where heads are followed. `undefined` before the first, while no node answers that has it, and where
   * heads are not followed.
   */
  readonly head?: Head | undefined;

  /**
   * Tells a listener of each new best block, until the function that is given back is called. Absent where heads are not followed.
   *
   * Nodes are asked once in a while: a listener hears of a block somewhat later than it is there, and not of every one.
   */
  readonly onHead?: ((listener: (change: HeadChange) => void) => () => void) | undefined;

  /** Ends all connections; calls under way and later ones fail with `upstream_unavailable`. */
  close(): Promise<void>;
}

/** An upstream that can read a long list without holding it. */
export interface ListingUpstream extends Upstream {
  /**
   * Calls a method whose result is an array of strings, and gives each while the answer arrives; a failure may come after some.
   *
   * Elements that are no strings are passed over. Throws what `call` throws, also when the result is no array.
   */
  list(
    method: string,
    params: UpstreamCall["params"],
    take: ListedString,
    options?: UpstreamCallOptions,
  ): Promise<void>;
}
