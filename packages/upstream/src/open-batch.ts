import type { BlockHolders } from "./block-holders.ts";
import { methodKindOf } from "./method-kind.ts";
import { isUnavailable, MissingBlockError, methodNotFound, moreSpecificFailure } from "./next-attempt.ts";
import type { NodeLink } from "./node-link.ts";
import type { UpstreamCall, UpstreamResult } from "./upstream.ts";
import { isUpstreamFailure, UpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

type FailedResult = UpstreamResult & { readonly ok: false };

/** A batch whose members may be completed by several attempts. */
export class OpenBatch {
  readonly #calls: readonly UpstreamCall[];
  readonly #holders: BlockHolders | undefined;
  /** Results so far; empty until some calls have to be repeated. */
  readonly #results: (UpstreamResult | undefined)[] = [];
  #whole: readonly UpstreamResult[] | undefined;
  /** Positions of the calls of the next attempt; absent: all. */
  #open: readonly number[] | undefined;

  constructor(calls: readonly UpstreamCall[], holders: BlockHolders | undefined) {
    this.#calls = calls;
    this.#holders = holders;
  }

  /** Calls of the next attempt. */
  get openCalls(): readonly UpstreamCall[] {
    return this.#open === undefined ? this.#calls : this.#open.flatMap((position) => this.#calls[position] ?? []);
  }

  /**
   * Records the results of those calls. Throws the reason for which some have to be repeated: the first one's failure, or `LacksBlock` when
   * another node may have what this one lacks, or is able to return it.
   */
  take(node: NodeLink, responses: readonly UpstreamResult[], hasOther: boolean): void {
    const before = this.#open;
    if (before === undefined && this.#holders === undefined && this.#isWhole(responses)) {
      this.#whole = responses;
      return;
    }
    const open: number[] = [];
    let failure: UpstreamFailure | undefined;
    for (const [index, call] of this.openCalls.entries()) {
      const position = before?.[index] ?? index;
      const response = responses[index] ?? { ok: false, error: leftOut() };
      if (!response.ok && isUpstreamFailure(response.error)) {
        const isRead = methodKindOf(call.method) === "read";
        // A result is not replaced by a failure to get another one.
        if (isRead) this.#results[position] ??= response;
        else this.#results[position] = this.#findMoreSpecific(position, response);
        // A call that does more than read is sent to another node when this one has certainly not executed it, and never to this one again.
        if (!isRead && (response.error.mayHaveArrived || !hasOther)) continue;
        failure ??= response.error;
        open.push(position);
      } else if (!response.ok && isUnavailable(response.error)) {
        this.#results[position] = this.#findMoreSpecific(position, response);
        if (hasOther) open.push(position);
      } else if (this.#holders?.isLacking(call, response) === true) {
        this.#results[position] = betterResult(response, this.#results[position]);
        if (hasOther) open.push(position);
      } else {
        this.#results[position] = response;
        this.#holders?.note(node, response);
      }
    }
    this.#open = open;
    if (open.length > 0) throw failure ?? new MissingBlockError();
  }

  /** Ends the batch without a further attempt. Returns the results in the order of the calls. */
  end(reason?: unknown): readonly UpstreamResult[] {
    if (this.#whole !== undefined) return this.#whole;
    const error = isUpstreamFailure(reason) ? reason : undefined;
    return this.#calls.map((_, position) => this.#results[position] ?? { ok: false, error: error ?? leftOut() });
  }

  #findMoreSpecific(position: number, response: FailedResult): FailedResult {
    const before = this.#results[position];
    const kind = methodKindOf(this.#calls[position]?.method ?? "");
    return before?.ok === false
      ? { ok: false, error: moreSpecificFailure(before.error, response.error, kind) }
      : response;
  }

  #isWhole(responses: readonly UpstreamResult[]): boolean {
    return (
      responses.length === this.#calls.length &&
      responses.every(
        (response) => response.ok || (isUpstreamRpcError(response.error) && !isUnavailable(response.error)),
      )
    );
  }
}

/** Returns the better of the results of two nodes: the first one, unless that node does not support the method. */
export function betterResult(response: UpstreamResult, before: UpstreamResult | undefined): UpstreamResult {
  if (before === undefined) return response;
  if (before.ok) return before;
  const isInconclusive = isUpstreamRpcError(before.error) ? before.error.code === methodNotFound : true;
  return isInconclusive && (response.ok || !isUpstreamFailure(response.error)) ? response : before;
}

function leftOut(): UpstreamFailure {
  return new UpstreamFailure("The node has left out a call", { kind: "unusable", mayHaveArrived: true });
}
