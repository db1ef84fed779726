/** What is on a chain: what queries can be about. */
export interface ChainContents {
  /** Ascending, from the first one on. */
  readonly blocks: readonly BlockContents[];
  /** Accounts that blocks and transactions name, and some that nobody named. */
  readonly addresses: readonly string[];
  /** Topics of logs. */
  readonly topics: readonly string[];
  /** Where contracts may keep something. */
  readonly slots: readonly string[];
}

export interface BlockContents {
  readonly number: number;
  readonly hash: string;
  readonly transactions: readonly TransactionContents[];
  readonly ommerCount: number;
  /** Addresses of the contracts that left logs. */
  readonly logAddresses: readonly string[];
}

interface TransactionContents {
  readonly hash: string;
  /** Type (EIP-2718). */
  readonly type: number;
}

type Call = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

interface RpcBlock {
  readonly hash: string;
  readonly miner: string;
  readonly uncles: readonly string[];
  readonly transactions: readonly { hash: string; type: string; from: string; to: string | null }[];
  readonly withdrawals?: readonly { readonly address: string }[];
}

interface RpcReceipt {
  readonly contractAddress: string | null;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[] }[];
}

/** The zero address, two precompiled contracts, one that nobody has. */
const otherAddresses = ["00", "02", "0a", "deadbeef"].map((end) => `0x${end.padStart(40, "0")}`);

const slotCount = 10;

/** Reads what is on a chain through its node's JSON-RPC. */
export async function readChainContents(call: Call): Promise<ChainContents> {
  const head = Number(await call("eth_blockNumber"));
  const [addresses, topics] = [new Set(otherAddresses), new Set<string>()];
  const blocks: BlockContents[] = [];
  const read = async (number: number): Promise<readonly [RpcBlock, readonly RpcReceipt[]]> => [
    (await call("eth_getBlockByNumber", toHex(number), true)) as RpcBlock,
    (await call("eth_getBlockReceipts", toHex(number))) as readonly RpcReceipt[],
  ];
  const all = await Promise.all(Array.from({ length: head + 1 }, (_, number) => read(number)));
  for (const [number, [block, receipts]] of all.entries()) {
    const logs = receipts.flatMap((receipt) => receipt.logs);
    const named = [
      block.miner,
      ...block.transactions.flatMap(({ from, to }) => [from, to]),
      ...receipts.map(({ contractAddress }) => contractAddress),
      ...(block.withdrawals ?? []).map(({ address }) => address),
    ];
    for (const address of named) if (address !== null && address !== undefined) addresses.add(address);
    for (const topic of logs.flatMap((log) => log.topics)) topics.add(topic);
    blocks.push({
      number,
      hash: block.hash,
      transactions: block.transactions.map(({ hash, type }) => ({ hash, type: Number(type) })),
      ommerCount: block.uncles.length,
      logAddresses: [...new Set(logs.map(({ address }) => address))],
    });
  }
  const slots = Array.from({ length: slotCount }, (_, at) => `0x${at.toString(16).padStart(64, "0")}`);
  return { blocks, addresses: [...addresses], topics: [...topics], slots };
}

function toHex(value: number): string {
  return `0x${value.toString(16)}`;
}
