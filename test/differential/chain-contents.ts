import type { Btcd } from "../support/btcd.ts";

/** What there is to ask about on a chain. */
export interface ChainContents {
  readonly tip: number;
  /** Ascending: all of them, or some. */
  readonly blocks: readonly KnownBlock[];
  /** Hashes of blocks that lost, which both have seen. */
  readonly stale: readonly string[];
  /** Of the blocks, without the first one's, then the unconfirmed ones. */
  readonly transactions: readonly KnownTransaction[];
  readonly unconfirmed: readonly string[];
  /** Addresses of this network, without those of keys that are paid to. */
  readonly addresses: readonly string[];
  /** Addresses that btcd gives to public keys that are paid to. */
  readonly keyAddresses: readonly string[];
  /** Hexadecimal. */
  readonly scripts: readonly string[];
}

interface KnownBlock {
  readonly hash: string;
  readonly height: number;
}

export interface KnownTransaction {
  readonly txid: string;
  readonly hex: string;
  readonly outputs: number;
  /** Outputs that it spends. */
  readonly spends: readonly { readonly txid: string; readonly vout: number }[];
}

interface DescribedBlock {
  readonly hash: string;
  readonly height: number;
  readonly rawtx: readonly DescribedTransaction[];
}

interface DescribedTransaction {
  readonly txid: string;
  readonly hex: string;
  readonly vin: readonly {
    readonly txid?: string;
    readonly vout?: number;
    readonly scriptSig?: { readonly hex: string };
  }[];
  readonly vout: readonly {
    readonly scriptPubKey: { readonly hex?: string; readonly type: string; readonly addresses?: readonly string[] };
  }[];
}

/** Verbosity at which btcd describes the transactions. */
const withTransactions = 2;

/** Reads from btcd what there is in the blocks that `isAsked` names by height, and in its mempool. */
export async function readChainContents(
  btcd: Btcd,
  stale: readonly string[],
  isAsked: (height: number) => boolean,
): Promise<ChainContents> {
  const tip = Number(await btcd.call("getblockcount"));
  const heights = Array.from({ length: tip + 1 }, (_, height) => height).filter(isAsked);
  const hashes = await btcd.callEach(
    "getblockhash",
    heights.map((height) => [height]),
  );
  const blocks = (await btcd.callEach(
    "getblock",
    hashes.map((hash) => [hash, withTransactions]),
  )) as readonly DescribedBlock[];
  const unconfirmed = ((await btcd.call("getrawmempool")) as readonly string[]).toSorted();
  const waiting = (await btcd.callEach(
    "getrawtransaction",
    unconfirmed.map((txid) => [txid, 1]),
  )) as readonly DescribedTransaction[];
  const transactions = [...blocks.slice(heights[0] === 0 ? 1 : 0).flatMap(({ rawtx }) => rawtx), ...waiting];
  const outputs = transactions.flatMap(({ vout }) => vout.map(({ scriptPubKey }) => scriptPubKey));
  const keyAddresses = new Set(outputs.flatMap(({ type, addresses = [] }) => (isOfKeys(type) ? addresses : [])));
  return {
    tip,
    blocks: blocks.map(({ hash, height }) => ({ hash, height })),
    stale,
    transactions: transactions.map(knownTransaction),
    unconfirmed,
    addresses: distinct(outputs.flatMap(({ addresses = [] }) => addresses)).filter(
      (address) => !keyAddresses.has(address),
    ),
    keyAddresses: [...keyAddresses],
    scripts: distinct([
      ...outputs.flatMap(({ hex }) => hex ?? []),
      ...transactions.flatMap(({ vin }) => vin.flatMap(({ scriptSig }) => scriptSig?.hex ?? [])),
    ]),
  };
}

function knownTransaction({ txid, hex, vin, vout }: DescribedTransaction): KnownTransaction {
  const spends = vin.flatMap(({ txid: parent, vout: at }) =>
    parent === undefined || at === undefined ? [] : [{ txid: parent, vout: at }],
  );
  return { txid, hex, outputs: vout.length, spends };
}

function isOfKeys(type: string): boolean {
  return type === "pubkey" || type === "multisig";
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
