import { createHttpUpstream, type Upstream } from "@nodewright/upstream";
import { findAnvil, startAnvil } from "./anvil.ts";
import {
  type DemoTransaction,
  demoBlockInterval,
  demoGenesisTime,
  demoHistory,
  demoMnemonic,
  demoPending,
} from "./history.ts";

/** Options of the demonstration chain. */
export interface DemoChainOptions {
  /** Signal that stops the chain. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds between two checks for new transactions in the pool, which are then put into a block. 0: never; blocks are mined by
   * `evm_mine` alone.
   */
  readonly miningIntervalMilliseconds?: number | undefined;
}

/** A small Ethereum chain on this machine, the same at each start. */
export interface DemoChain {
  /** JSON-RPC over HTTP, on loopback. */
  readonly url: string;
  /** Fulfilled when the chain's process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the process and waits until it is gone. May be called more than once. */
  stop(): Promise<void>;
}

/** Chain id of the demo chain: the customary one of local chains. */
export const demoChainId = 1337;

const defaultMiningIntervalMilliseconds = 2_000;

/** Options that fix everything that a block hash depends on and that could differ between two starts or versions. */
const anvilOptions: readonly string[] = [
  ["--mnemonic", demoMnemonic],
  ["--accounts", "5"],
  ["--chain-id", String(demoChainId)],
  ["--timestamp", String(demoGenesisTime)],
  ["--hardfork", "prague"],
  ["--base-fee", "1000000000"],
  ["--gas-limit", "30000000"],
  ["--order", "fifo"],
  ["--no-mining"],
].flat();

/**
 * Starts the demo chain: anvil with the transactions of `demoHistory`, and those of `demoPending` pending.
 *
 * The chain stores nothing on disk and never outlives this process. Its head stays until a transaction is sent. Undefined when this machine
 * has no anvil; throws when anvil does not start.
 */
export async function startDemoChain(options: DemoChainOptions = {}): Promise<DemoChain | undefined> {
  options.signal?.throwIfAborted();
  const path = findAnvil();
  if (path === undefined) return undefined;
  const anvil = await startAnvil(path, anvilOptions);
  const upstream = createHttpUpstream({ url: anvil.url });
  const stop = async (): Promise<void> => {
    await upstream.close();
    await anvil.stop();
  };
  options.signal?.addEventListener("abort", () => void stop(), { once: true });
  try {
    await replayHistory(upstream);
    const interval = options.miningIntervalMilliseconds ?? defaultMiningIntervalMilliseconds;
    if (interval > 0) mineWhenSomethingCame(upstream, interval, anvil.ended);
  } catch (reason) {
    await stop();
    throw reason;
  }
  return { url: anvil.url, ended: anvil.ended, stop };
}

async function replayHistory(upstream: Upstream): Promise<void> {
  // Otherwise each call would be logged, and the log would never be read.
  await upstream.call("anvil_setLoggingEnabled", [false]);
  for (const [position, transactions] of demoHistory.entries()) {
    await sendAll(upstream, transactions);
    await upstream.call("evm_mine", [demoGenesisTime + (position + 1) * demoBlockInterval]);
  }
  await sendAll(upstream, demoPending);
}

/** Sends transactions one after the other: the order in the pool is the order in the block. */
async function sendAll(upstream: Upstream, transactions: readonly DemoTransaction[]): Promise<void> {
  for (const transaction of transactions) await upstream.call("eth_sendTransaction", [transaction]);
}

/**
 * Puts pending transactions into a block once there are others than those of the history.
 *
 * anvil's own interval mining would add empty blocks forever, and mining at once would leave nothing pending to query.
 */
function mineWhenSomethingCame(upstream: Upstream, intervalMilliseconds: number, ended: Promise<void>): void {
  let expected = demoPending.length;
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      const waiting = await countWaiting(upstream);
      if (waiting > expected) {
        await upstream.call("evm_mine", [Math.floor(Date.now() / 1_000)]);
        expected = await countWaiting(upstream);
      }
    } catch {
      // The next round tries again; when the process has ended there is none.
    } finally {
      busy = false;
    }
  }, intervalMilliseconds);
  timer.unref();
  void ended.then(() => clearInterval(timer));
}

async function countWaiting(upstream: Upstream): Promise<number> {
  const status = (await upstream.call("txpool_status")) as { readonly pending: string };
  return Number(status.pending);
}
