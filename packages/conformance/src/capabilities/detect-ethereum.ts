import type { GraphqlSuite } from "../suite/suite.ts";
import { type Asker, memberOf, numberOf, secondsSince, textOf } from "./asker.ts";
import type { Detected } from "./detect.ts";

/** Block interval since the Merge (EIP-3675). */
const blockSeconds = 12;

/** Queries an execution client for its version, chain and synchronisation state. */
export async function detectEthereum(asker: Asker): Promise<Detected> {
  const syncing = await asker.callMethod("eth_syncing");
  const head = await asker.callMethod("eth_getBlockByNumber", ["latest", false]);
  const capabilities = await asker.callMethod("eth_capabilities");
  const chain = numberOf(await asker.callMethod("eth_chainId"));
  const askHeight = async (): Promise<number | undefined> => numberOf(await asker.callMethod("eth_blockNumber"));
  return {
    facts: {
      client: textOf(await asker.callMethod("web3_clientVersion")),
      chain: chain === undefined ? undefined : String(chain),
      height: numberOf(memberOf(head, "number")) ?? (await askHeight()),
      isSynchronised: syncing === undefined || syncing === null ? undefined : !isBehind(syncing),
      headLagSeconds: secondsSince(numberOf(memberOf(head, "timestamp"))),
      prunedBelow: oldestBlock(capabilities),
    },
    askHeight,
    blockSeconds,
  };
}

/** Returns the first retained block of `eth_capabilities`. */
function oldestBlock(capabilities: unknown): number | undefined {
  const blocks = memberOf(capabilities, "blocks") ?? memberOf(capabilities, "block");
  const oldest = numberOf(memberOf(blocks, "oldestBlock"));
  return oldest === 0 ? undefined : oldest;
}

/** Queries an execution client by its GraphQL schema (EIP-1767); does nothing for other schemas. */
export async function detectEthereumGraphql({ schema }: GraphqlSuite, asker: Asker): Promise<Detected> {
  const isEthereum =
    /\bscalar\s+Bytes32\b/.test(schema) && /\bblock\s*\(/.test(schema) && /\btimestamp\s*:/.test(schema);
  if (!isEthereum) return { facts: {} };
  const fields = [
    "block { number timestamp }",
    ...(/\bchainID\s*:/.test(schema) ? ["chainID"] : []),
    ...(/\bsyncing\s*:\s*SyncState\b/.test(schema) ? ["syncing { currentBlock highestBlock }"] : []),
  ];
  const data = await asker.query(`{ ${fields.join(" ")} }`);
  if (data === undefined || data === null) return { facts: {} };
  const head = memberOf(data, "block");
  const chain = numberOf(memberOf(data, "chainID"));
  const askHeight = async (): Promise<number | undefined> =>
    numberOf(memberOf(memberOf(await asker.query("{ block { number } }"), "block"), "number"));
  return {
    facts: {
      chain: chain === undefined ? undefined : String(chain),
      height: numberOf(memberOf(head, "number")),
      isSynchronised: Object.hasOwn(data, "syncing") ? !isBehind(memberOf(data, "syncing")) : undefined,
      headLagSeconds: secondsSince(numberOf(memberOf(head, "timestamp"))),
    },
    askHeight,
    blockSeconds,
  };
}

/**
 * Returns whether a syncing execution client has blocks to fetch. Clients without peers report that they are syncing at the highest block
 * that they know.
 */
function isBehind(syncing: unknown): boolean {
  if (typeof syncing !== "object" || syncing === null) return false;
  const current = numberOf(memberOf(syncing, "currentBlock"));
  const highest = numberOf(memberOf(syncing, "highestBlock"));
  return current === undefined || highest === undefined || current < highest;
}
