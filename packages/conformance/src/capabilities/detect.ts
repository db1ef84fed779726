import type { Safety } from "../safety/safety.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { pause } from "../client/pause.ts";
import type { Sender } from "../client/sender.ts";
import { createTargetQueries } from "./target-queries.ts";
import type { TargetFacts } from "../contract/capability-facts.ts";
import { detectBitcoin, detectIndex } from "./detect-bitcoin.ts";
import { detectEthereum, detectEthereumGraphql } from "./detect-ethereum.ts";

/** Facts about a target before the first case. */
export interface Detection {
  readonly facts: TargetFacts;
  /** Waits for a new head, when one is expected within seconds. */
  waitForHead(signal: AbortSignal | undefined): Promise<void>;
}

/** Result of the detector for one kind of target. */
export interface Detected {
  readonly facts: TargetFacts;
  /** Returns the current height of the head. */
  readonly readHeight?: () => Promise<number | undefined>;
  /** Average interval between two blocks. */
  readonly blockSeconds?: number;
}

/** Maximum age of a head that advances: an older chain has stopped, or the target does not follow it. */
const liveHeadSeconds = 60;
/** Maximum block interval for which a run waits. */
const maximumBlockSeconds = 15;
const pauseMilliseconds = 1_000;

/** Detects what a target is, by read-only operations of its suite. Facts that it does not report are absent. */
export async function detectCapabilities(suite: ConformanceSuite, safety: Safety, sender: Sender): Promise<Detection> {
  const { facts, readHeight, blockSeconds = Number.POSITIVE_INFINITY } = await detect(suite, safety, sender);
  return {
    facts,
    waitForHead: async (signal) => {
      const { height, headLagSeconds = Number.POSITIVE_INFINITY } = facts;
      if (height === undefined || readHeight === undefined) return;
      if (Math.abs(headLagSeconds) > liveHeadSeconds || blockSeconds > maximumBlockSeconds) return;
      const known = await readHeight();
      for (let waited = 0; waited <= blockSeconds * 1_000; waited += pauseMilliseconds) {
        await pause(pauseMilliseconds, signal);
        if (signal?.aborted === true || (await readHeight()) !== known) return;
      }
    },
  };
}

async function detect(suite: ConformanceSuite, safety: Safety, sender: Sender): Promise<Detected> {
  const queries = createTargetQueries(suite, safety, sender);
  switch (suite.protocol) {
    case "rpc":
      if (suite.operations.some(({ method }) => method.startsWith("eth_"))) return detectEthereum(queries);
      if (suite.operations.some(({ method }) => method === "getblockhash" || method === "getblockcount"))
        return detectBitcoin(queries);
      return { facts: {} };
    case "graphql":
      return detectEthereumGraphql(suite, queries);
    case "http":
      return detectIndex(suite, queries);
    default:
      return suite satisfies never;
  }
}
