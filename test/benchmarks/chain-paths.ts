// Which paths a benchmark asks for, found out from the interface itself: electrs and we are asked for the same ones.

/** Paths below the interface, by the row of the table that they are for. */
export type ChainPaths = Readonly<Record<string, readonly string[]>>;

interface FoundTransaction {
  readonly txid: string;
  readonly vout: readonly { readonly scriptpubkey_address?: string }[];
}

const askedBlocks = 200;
const askedAddresses = 100;
/** So many that their pages are more than a service remembers. */
const manyAddresses = 1_200;

type Ask = <Answer>(path: string) => Promise<Answer>;

interface FoundBlocks {
  readonly hashes: readonly string[];
  /** Some of their transactions; none is a coinbase. */
  readonly transactions: readonly FoundTransaction[];
}

/** Paths of transactions all over the chain. `query`, which lets in, is not part of the paths. */
export async function findTransactionPaths(url: string, query: string): Promise<readonly string[]> {
  const { transactions } = await findBlocks(askerOf(url, query));
  return transactions.map(({ txid }) => `/tx/${txid}`);
}

/** Asks the interface at `url` for transactions, blocks and addresses all over its chain. `query`, which lets in, is not part of the paths. */
export async function findChainPaths(url: string, query: string, hotAddress: string): Promise<ChainPaths> {
  const ask = askerOf(url, query);
  const { hashes: blocks, transactions } = await findBlocks(ask);
  const all = await findAddresses(ask, transactions, hotAddress);
  const addresses = all.slice(0, askedAddresses);
  const ids = transactions.map(({ txid }) => txid);
  return {
    "tx/:txid": ids.map((id) => `/tx/${id}`),
    "tx/:txid, one": [`/tx/${ids[0]}`],
    "tx/:txid/hex": ids.map((id) => `/tx/${id}/hex`),
    "tx/:txid/outspends": ids.map((id) => `/tx/${id}/outspends`),
    "tx/:txid/merkle-proof": ids.map((id) => `/tx/${id}/merkle-proof`),
    "address/:a": addresses.map((address) => `/address/${address}`),
    "address/:a/txs": addresses.map((address) => `/address/${address}/txs`),
    "address/:a/txs, of many": all.map((address) => `/address/${address}/txs`),
    "address/:a/utxo": addresses.map((address) => `/address/${address}/utxo`),
    "hottest address/:a": [`/address/${hotAddress}`],
    "hottest address/:a/txs": [`/address/${hotAddress}/txs`],
    "hottest address/:a/utxo": [`/address/${hotAddress}/utxo`],
    "block/:hash": blocks.map((hash) => `/block/${hash}`),
    "block/:hash/txs": blocks.map((hash) => `/block/${hash}/txs`),
    "block/:hash/txids": blocks.map((hash) => `/block/${hash}/txids`),
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

async function findBlocks(ask: Ask): Promise<FoundBlocks> {
  const tip = await ask<number>("/blocks/tip/height");
  const hashes: string[] = [];
  const transactions: FoundTransaction[] = [];
  for (let step = 0; step < askedBlocks; step += 1) {
    const height = Math.floor((tip * (step + 1)) / askedBlocks);
    const [block] = await ask<readonly { readonly id: string; readonly tx_count: number }[]>(`/blocks/${height}`);
    if (block === undefined || block.tx_count < 25) continue;
    hashes.push(block.id);
    transactions.push(...(await ask<readonly FoundTransaction[]>(`/block/${block.id}/txs`)).slice(1));
  }
  return { hashes, transactions };
}

/** Those with 25 to 50 transactions: a page of the history is full. */
async function findAddresses(
  ask: Ask,
  transactions: readonly FoundTransaction[],
  hotAddress: string,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const looked = new Set<string>([hotAddress]);
  for (const { vout } of transactions) {
    for (const { scriptpubkey_address: address } of vout) {
      if (address === undefined || looked.has(address)) continue;
      looked.add(address);
      const { chain_stats: stats } = await ask<{ readonly chain_stats: { readonly tx_count: number } }>(
        `/address/${address}`,
      );
      if (stats.tx_count >= 25 && stats.tx_count <= 50) found.add(address);
      if (found.size === manyAddresses) return [...found];
    }
  }
  if (found.size === 0) throw new Error("No address of the chain has 25 to 50 transactions");
  return [...found];
}
