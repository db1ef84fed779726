import type { TipReference } from "@nodewright/bitcoin-api/types";
import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import { assertClientConnected } from "../context/assert-client-connected.ts";
import { getTip } from "./best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Maximum wait in milliseconds, below the usual response timeouts of HTTP clients, proxies and batches. */
const maximumWaitMilliseconds = 5_000;
const pollMilliseconds = 100;

/**
 * Waits until the best block is an awaited one, or the time is over, and returns the best block then.
 *
 * It reads the index; no call to the node is made or held. `timeoutMilliseconds` 0 waits as long as any call may. The wait ends when the
 * client has gone. Throws -1 for a negative timeout.
 */
export async function awaitTip(
  context: BitcoinNodeContext,
  timeoutMilliseconds: number,
  isAwaited: (tip: BlockRecord) => boolean,
): Promise<TipReference> {
  if (timeoutMilliseconds < 0) throw rpcError("miscellaneous", "Negative timeout");
  const requested = timeoutMilliseconds === 0 ? maximumWaitMilliseconds : timeoutMilliseconds;
  const deadline = performance.now() + Math.min(requested, maximumWaitMilliseconds);
  for (;;) {
    const tip = await getTip(context.index);
    const left = deadline - performance.now();
    if (left <= 0 || isAwaited(tip)) return { hash: tip.hash, height: tip.height };
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, Math.min(left, pollMilliseconds));
    await promise;
    assertClientConnected(context);
  }
}
