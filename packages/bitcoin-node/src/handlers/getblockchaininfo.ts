import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { Upstream } from "@nodewright/upstream";
import { getTip } from "../chain/best-block.ts";
import { consensusRules } from "../chain/consensus-rules.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { findInteger, isRecord } from "../forward/node-response.ts";
import { renderDifficulty } from "../render/difficulty.ts";

/** Number of blocks of a day, if each takes ten minutes: a node that lacks more is still catching up. */
const dayOfBlocks = 144;
/** Timeout in milliseconds; the rest is known without the node. */
const timeoutMilliseconds = 1_000;
const highestHeight = 0x7fffffff;

/** Returns the state of the chain. */
export const getblockchaininfo: BitcoinHandler<"getblockchaininfo", BitcoinNodeContext> = async (
  _input,
  { index, upstream },
) => {
  const tip = await getTip(index);
  const headers = Math.max(tip.height, await headersOf(upstream));
  const { signetChallenge } = consensusRules[index.network.name];
  return {
    chain: index.network.chain,
    blocks: tip.height,
    headers,
    bestblockhash: tip.hash,
    ...renderDifficulty(tip.header.bits),
    time: tip.header.time,
    mediantime: tip.medianTime,
    verificationprogress: (tip.height + 1) / (headers + 1),
    initialblockdownload: headers - tip.height > dayOfBlocks,
    chainwork: tip.chainWork.toString(16).padStart(64, "0"),
    size_on_disk: await index.storedBytes(),
    pruned: false,
    ...(signetChallenge === undefined ? {} : { signet_challenge: signetChallenge }),
    warnings: [],
  };
};

/** Returns the height of the best header that the node knows; -1 when it is unavailable. */
async function headersOf(upstream: Upstream | undefined): Promise<number> {
  try {
    const result = await upstream?.call("getblockchaininfo", [], { timeoutMilliseconds });
    return (isRecord(result) ? findInteger(result["headers"], 0, highestHeight) : undefined) ?? -1;
  } catch {
    return -1;
  }
}
