import { ownMember } from "../basics/own-member.ts";
import type { GraphqlSuite } from "../suite/suite.ts";
import { type TargetQueries, numberOf, secondsSince, textOf } from "./target-queries.ts";
import type { Detected } from "./detect.ts";

/** Block interval since the Merge (EIP-3675). */
const blockSeconds = 12;

/** Queries an execution client for its version, chain and synchronisation state. */
export async function detectEthereum(queries: TargetQueries): Promise<Detected> {
  const syncing = await queries.callMethod("eth_syncing");
  const head = await queries.callMethod("eth_getBlockByNumber", ["latest", false]);
  const capabilities = await queries.callMethod("eth_capabilities");
  const chain = numberOf(await queries.callMethod("eth_chainId"));
  const readHeight = async (): Promise<number | undefined> => numberOf(await queries.callMethod("eth_blockNumber"));
  return {
    facts: {
      client: textOf(await queries.callMethod("web3_clientVersion")),
      chain: chain === undefined ? undefined : String(chain),
      height: numberOf(ownMember(head, "number")) ?? (await readHeight()),
      isSynchronised: syncing === undefined || syncing === null ? undefined : !isSyncing(syncing),
      headLagSeconds: secondsSince(numberOf(ownMember(head, "timestamp"))),
      prunedBelow: oldestBlock(capabilities),
    },
    readHeight,
    blockSeconds,
  };
}

/** Returns the first retained block of `eth_capabilities`. */
function oldestBlock(capabilities: unknown): number | undefined {
  const blocks = ownMember(capabilities, "blocks") ?? ownMember(capabilities, "block");
  const oldest = numberOf(ownMember(blocks, "oldestBlock"));
  return oldest === 0 ? undefined : oldest;
}

/** Queries an execution client by its GraphQL schema (EIP-1767); does nothing for other schemas. */
export async function detectEthereumGraphql({ schema }: GraphqlSuite, queries: TargetQueries): Promise<Detected> {
  const isEthereum =
    /\bscalar\s+Bytes32\b/.test(schema) && /\bblock\s*\(/.test(schema) && /\btimestamp\s*:/.test(schema);
  if (!isEthereum) return { facts: {} };
  const fields = [
    "block { number timestamp }",
    ...(/\bchainID\s*:/.test(schema) ? ["chainID"] : []),
    ...(/\bsyncing\s*:\s*SyncState\b/.test(schema) ? ["syncing { currentBlock highestBlock }"] : []),
  ];
  const data = await queries.query(`{ ${fields.join(" ")} }`);
  if (data === undefined || data === null) return { facts: {} };
  const head = ownMember(data, "block");
  const chain = numberOf(ownMember(data, "chainID"));
  const readHeight = async (): Promise<number | undefined> =>
    numberOf(ownMember(ownMember(await queries.query("{ block { number } }"), "block"), "number"));
  return {
    facts: {
      chain: chain === undefined ? undefined : String(chain),
      height: numberOf(ownMember(head, "number")),
      isSynchronised: Object.hasOwn(data, "syncing") ? !isSyncing(ownMember(data, "syncing")) : undefined,
      headLagSeconds: secondsSince(numberOf(ownMember(head, "timestamp"))),
    },
    readHeight,
    blockSeconds,
  };
}

/**
 * Returns whether a syncing execution client has blocks to fetch. Clients without peers report that they are syncing at the highest block
 * that they know.
 */
function isSyncing(syncing: unknown): boolean {
  if (typeof syncing !== "object" || syncing === null) return false;
  const current = numberOf(ownMember(syncing, "currentBlock"));
  const highest = numberOf(ownMember(syncing, "highestBlock"));
  return current === undefined || highest === undefined || current < highest;
}
