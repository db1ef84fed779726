import { displayHash, hashScript, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import type { ChainQueries, OutputName } from "../query/chain-queries.ts";
import type { RegtestTip } from "./regtest-chain.ts";

/** Page size, small so that cursors are used. */
const pageSize = 40;

/**
 * Returns all results of queries for a chain's blocks, their transactions and scripts, as values that can be compared.
 *
 * `tips` may contain blocks of other chains as well: the results for those are included.
 */
export async function chainFacts(queries: ChainQueries, tips: readonly RegtestTip[]): Promise<unknown> {
  const blocks = tips.map(({ bytes }) => parseBlock(bytes));
  const scripts = new Map<string, Uint8Array>();
  for (const { scriptPubKey } of blocks.flatMap(({ transactions }) => transactions).flatMap(({ outputs }) => outputs)) {
    scripts.set(toHex(scriptPubKey), scriptPubKey);
  }
  return plain({
    tip: await queries.tip(),
    blocks: await Promise.all(blocks.map(({ header }) => blockFacts(queries, displayHash(header.hash)))),
    scripts: await Promise.all([...scripts.values()].map((script) => scriptFacts(queries, toHex(hashScript(script))))),
  });
}

/** Returns the results of queries for one script, all its pages joined. */
export async function scriptFacts(
  queries: ChainQueries,
  scriptHash: string,
): Promise<{ readonly history: readonly string[]; readonly unspent: readonly string[]; readonly statistics: unknown }> {
  const history: string[] = [];
  for (let after: string | undefined; ; after = history.at(-1)) {
    const page = await queries.scriptHistory(scriptHash, { after, limit: pageSize });
    history.push(...page.map(({ txid }) => txid));
    if (page.length < pageSize) break;
  }
  const unspent: string[] = [];
  for (let after: OutputName | undefined; ; ) {
    const page = await queries.unspentOutputs(scriptHash, { after, limit: pageSize });
    unspent.push(...page.map(({ txid, vout, value, block }) => `${txid}:${vout} ${value} ${block.hash}`));
    after = page.at(-1);
    if (page.length < pageSize) break;
  }
  return { history, unspent, statistics: await queries.scriptStatistics(scriptHash) };
}

async function blockFacts(queries: ChainQueries, hash: string): Promise<unknown> {
  const ids = (await queries.transactionIds(hash)) ?? [];
  return {
    record: await queries.blockByHash(hash),
    ids,
    lastId: await queries.transactionIdAt(hash, ids.length - 1),
    noId: await queries.transactionIdAt(hash, ids.length),
    transactions: await queries.blockTransactions(hash, 0, ids.length),
    alone: await queries.transactions(ids),
    spends: await queries.spendsOf(ids),
    proofs: await Promise.all(ids.map((txid) => queries.merkleProof(txid))),
    places: await Promise.all(ids.map((txid) => queries.transactionPlace(txid))),
  };
}

/** Converts values so that byte strings of any class compare by their bytes, and lazy properties by their values. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
