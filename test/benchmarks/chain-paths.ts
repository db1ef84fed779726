// Which paths a benchmark asks for, found out from the interface itself: electrs and we are asked for the same ones.

/** Paths below the interface, by the row of the table that they are for. */
export type ChainPaths = Readonly<Record<string, readonly string[]>>;

interface FoundTransaction {
  readonly txid: string;
  readonly vout: readonly { readonly scriptpubkey_address?: string }[];
}

const askedBlocks = 200;
const askedAddresses = 100;

/** Asks the interface at `url` for transactions, blocks and addresses all over its chain. `query` is added to each path. */
export async function findChainPaths(url: string, query: string, hotAddress: string): Promise<ChainPaths> {
  const ask = async <Answer>(path: string): Promise<Answer> => {
    const response = await fetch(`${url}${path}${query}`);
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return (await response.json()) as Answer;
  };
  const tip = await ask<number>("/blocks/tip/height");
  const blocks: string[] = [];
  const transactions: FoundTransaction[] = [];
  for (let step = 0; step < askedBlocks; step += 1) {
    const height = Math.floor((tip * (step + 1)) / askedBlocks);
    const [block] = await ask<readonly { readonly id: string; readonly tx_count: number }[]>(`/blocks/${height}`);
    if (block === undefined || block.tx_count < 25) continue;
    blocks.push(block.id);
    transactions.push(...(await ask<readonly FoundTransaction[]>(`/block/${block.id}/txs`)).slice(1));
  }
  const addresses = await findAddresses(ask, transactions, hotAddress);
  const ids = transactions.map(({ txid }) => txid);
  const paths: Readonly<Record<string, readonly string[]>> = {
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
    "block/:hash": blocks.map((hash) => `/block/${hash}`),
    "block/:hash/txs": blocks.map((hash) => `/block/${hash}/txs`),
    "block/:hash/txids": blocks.map((hash) => `/block/${hash}/txids`),
    blocks: ["/blocks"],
    "blocks/tip/height": ["/blocks/tip/height"],
    "fee-estimates": ["/fee-estimates"],
    mempool: ["/mempool"],
  };
  return Object.fromEntries(Object.entries(paths).map(([name, list]) => [name, list.map((path) => path + query)]));
}

/** Those with 25 to 50 transactions: a page of the history is full. */
async function findAddresses(
  ask: <Answer>(path: string) => Promise<Answer>,
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
      if (found.size === askedAddresses) return [...found];
    }
  }
  if (found.size === 0) throw new Error("No address of the chain has 25 to 50 transactions");
  return [...found];
}
