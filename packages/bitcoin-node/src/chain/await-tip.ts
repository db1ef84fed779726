import type { TipReference } from "@nodewright/bitcoin-api/types";
import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import { assertCallerWaits } from "../assert-caller-waits.ts";
import { getTip } from "../best-block.ts";
import type { BitcoinNodeContext } from "../context.ts";
import { rpcError } from "../rpc-error.ts";

/** Below what HTTP clients, proxies and batches with usual settings wait for a response. */
const longestWaitMilliseconds = 5_000;
const lookMilliseconds = 100;

/**
 * Waits until the best block is one that is waited for, or the time is over, and returns the best block then.
 *
 * The index is looked at; no call to the node is made or held. `timeoutMilliseconds` 0 waits as long as any call may. The wait ends when
 * the client has gone. Throws -1 for a negative timeout.
 */
export async function awaitTip(
  context: BitcoinNodeContext,
  timeoutMilliseconds: number,
  isAwaited: (tip: BlockRecord) => boolean,
): Promise<TipReference> {
  if (timeoutMilliseconds < 0) throw rpcError("miscellaneous", "Negative timeout");
  const asked = timeoutMilliseconds === 0 ? longestWaitMilliseconds : timeoutMilliseconds;
  const deadline = performance.now() + Math.min(asked, longestWaitMilliseconds);
  for (;;) {
    const tip = await getTip(context.index);
    const left = deadline - performance.now();
    if (left <= 0 || isAwaited(tip)) return { hash: tip.hash, height: tip.height };
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, Math.min(left, lookMilliseconds));
    await promise;
    assertCallerWaits(context);
  }
}
