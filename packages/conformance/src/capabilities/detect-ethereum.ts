import { type Asker, known, memberOf, numberOf, secondsSince, textOf } from "./asker.ts";
import type { Detected } from "./detect.ts";
import { isBehind } from "./is-behind.ts";

/** Since the Merge (EIP-3675). */
const blockSeconds = 12;

/** Asks an execution client what it is, and how far it has come. */
export async function detectEthereum(asker: Asker): Promise<Detected> {
  const syncing = await asker.callMethod("eth_syncing");
  const head = await asker.callMethod("eth_getBlockByNumber", ["latest", false]);
  const capabilities = await asker.callMethod("eth_capabilities");
  const chain = numberOf(await asker.callMethod("eth_chainId"));
  const askHeight = async (): Promise<number | undefined> => numberOf(await asker.callMethod("eth_blockNumber"));
  return {
    facts: known({
      client: textOf(await asker.callMethod("web3_clientVersion")),
      chain: chain === undefined ? undefined : String(chain),
      height: numberOf(memberOf(head, "number")) ?? (await askHeight()),
      isSynchronised: syncing === undefined || syncing === null ? undefined : !isBehind(syncing),
      headLagSeconds: secondsSince(numberOf(memberOf(head, "timestamp"))),
      prunedBelow: oldestBlock(capabilities),
    }),
    askHeight,
    blockSeconds,
  };
}

/** Of `eth_capabilities`: the first block that is kept. */
function oldestBlock(capabilities: unknown): number | undefined {
  const blocks = memberOf(capabilities, "blocks") ?? memberOf(capabilities, "block");
  const oldest = numberOf(memberOf(blocks, "oldestBlock"));
  return oldest === 0 ? undefined : oldest;
}
