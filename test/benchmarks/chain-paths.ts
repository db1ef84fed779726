// Which paths a benchmark asks for, found out from the interface itself: electrs and we are asked for the same ones.
import { createRandom, type Random } from "../ethereum-differential/random.ts";

/** Paths below the interface, by the row of the table that they are for. */
export type ChainPaths = Readonly<Record<string, readonly string[]>>;

export interface ChainPathsOptions {
  readonly hotAddress: string;
  /** Most transactions, and most addresses. */
  readonly keys: number;
}

interface FoundTransaction {
  readonly vout: readonly { readonly scriptpubkey_address?: string }[];
}

/** The same keys in each run over one chain. */
const seed = 15;
/** Pages of transactions that are looked through for addresses, at most. */
const mostPages = 4_000;
const transactionsPerPage = 25;
/** At the same time. */
const lanes = 8;

type Ask = <Answer>(path: string) => Promise<Answer>;

/** A block that a chain's paths are made from. */
interface FoundBlock {
  readonly hash: string;
  readonly txids: readonly string[];
}

/** Paths of transactions at random from the whole chain. `query`, which lets in, is not part of the paths. */
export async function findTransactionPaths(url: string, query: string, keys: number): Promise<readonly string[]> {
  const blocks = await readBlocks(askerOf(url, query));
  return chooseTransactions(blocks, keys, createRandom(seed)).map((txid) => `/tx/${txid}`);
}

/**
 * Asks the interface at `url` for all blocks, and chooses transactions, blocks and addresses at random from the whole of its chain, in an
 * order that is none of the chain's.
 */
export async function findChainPaths(
  url: string,
  query: string,
  { hotAddress, keys }: ChainPathsOptions,
): Promise<ChainPaths> {
  const ask = askerOf(url, query);
  const random = createRandom(seed);
  const blocks = await readBlocks(ask);
  const ids = chooseTransactions(blocks, keys, random);
  const hashes = shuffle(
    blocks.map(({ hash }) => hash),
    random,
  ).slice(0, keys);
  const addresses = await findAddresses(ask, blocks, keys, random);
  return {
    "tx/:txid": ids.map((id) => `/tx/${id}`),
    "tx/:txid, one": [`/tx/${ids[0]}`],
    "tx/:txid/hex": ids.map((id) => `/tx/${id}/hex`),
    "tx/:txid/outspends": ids.map((id) => `/tx/${id}/outspends`),
    "tx/:txid/merkle-proof": ids.map((id) => `/tx/${id}/merkle-proof`),
    "address/:a": addresses.map((address) => `/address/${address}`),
    "address/:a/txs": addresses.map((address) => `/address/${address}/txs`),
    "address/:a/utxo": addresses.map((address) => `/address/${address}/utxo`),
    "hottest address/:a": [`/address/${hotAddress}`],
    "hottest address/:a/txs": [`/address/${hotAddress}/txs`],
    "hottest address/:a/utxo": [`/address/${hotAddress}/utxo`],
    "block/:hash": hashes.map((hash) => `/block/${hash}`),
    "block/:hash/txs": hashes.map((hash) => `/block/${hash}/txs`),
    "block/:hash/txids": hashes.map((hash) => `/block/${hash}/txids`),
    blocks: ["/blocks"],
    "blocks/tip/height": ["/blocks/tip/height"],
    "fee-estimates": ["/fee-estimates"],
    mempool: ["/mempool"],
  };
}

function askerOf(url: string, query: string): Ask {
  return async <Answer>(path: string): Promise<Answer> => {
    const response = await fetch(`${url}${path}${query}`);
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return (await response.json()) as Answer;
  };
}

/** All blocks with their transactions but the coinbases, which merkle proofs and spends say little of. */
async function readBlocks(ask: Ask): Promise<readonly FoundBlock[]> {
  const tip = await ask<number>("/blocks/tip/height");
  const hashes: string[] = [];
  for (let height = tip; height >= 0; height -= 10) {
    hashes.push(...(await ask<readonly { readonly id: string }[]>(`/blocks/${height}`)).map(({ id }) => id));
  }
  const blocks = await mapInLanes(hashes, async (hash) => {
    const txids = await ask<readonly string[]>(`/block/${hash}/txids`);
    return { hash, txids: txids.slice(1) };
  });
  return blocks.filter(({ txids }) => txids.length > 0);
}

function chooseTransactions(blocks: readonly FoundBlock[], keys: number, random: Random): readonly string[] {
  return shuffle(
    blocks.flatMap(({ txids }) => txids),
    random,
  ).slice(0, keys);
}

/** Addresses that transactions at random from the whole chain pay. */
async function findAddresses(
  ask: Ask,
  blocks: readonly FoundBlock[],
  keys: number,
  random: Random,
): Promise<readonly string[]> {
  const pages = blocks.flatMap(({ hash, txids }) =>
    Array.from(
      { length: Math.ceil((txids.length + 1) / transactionsPerPage) },
      (_, page) => `/block/${hash}/txs/${page * transactionsPerPage}`,
    ),
  );
  const found = new Set<string>();
  await mapInLanes(shuffle(pages, random).slice(0, mostPages), async (path) => {
    if (found.size >= keys) return;
    for (const { vout } of await ask<readonly FoundTransaction[]>(path)) {
      for (const { scriptpubkey_address: address } of vout) if (address !== undefined) found.add(address);
    }
  });
  if (found.size === 0) throw new Error("No transaction of the chain pays an address");
  return shuffle([...found].toSorted(), random).slice(0, keys);
}

/** Fisher and Yates. */
function shuffle<Value>(values: readonly Value[], random: Random): readonly Value[] {
  const shuffled = [...values];
  for (let left = shuffled.length - 1; left > 0; left -= 1) {
    const other = random.below(left + 1);
    const [one, two] = [shuffled[left], shuffled[other]] as [Value, Value];
    shuffled[left] = two;
    shuffled[other] = one;
  }
  return shuffled;
}

async function mapInLanes<Value, Result>(
  values: readonly Value[],
  map: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    for (let at = next++; at < values.length; at = next++) results[at] = await map(values[at] as Value);
  };
  await Promise.all(Array.from({ length: lanes }, run));
  return results;
}
