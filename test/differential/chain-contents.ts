import type { BitcoinProgram } from "../support/bitcoin-program.ts";

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
  /** Addresses of public keys that are paid to: btcd gives these, Bitcoin Core does not. */
  readonly keyAddresses: readonly string[];
  /** Hexadecimal. */
  readonly scripts: readonly string[];
  /** Hexadecimal proofs that transactions are in blocks; none of a node that does not prove it. */
  readonly proofs: readonly string[];
  /** Base64 of partially signed transactions (BIP 174) that spend known outputs; none of a node that does not create them. */
  readonly psbts: readonly string[];
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
  /** Where btcd has its transactions. */
  readonly rawtx?: readonly DescribedTransaction[];
  /** Where Bitcoin Core has them. */
  readonly tx?: readonly DescribedTransaction[];
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
    readonly scriptPubKey: DescribedScript;
  }[];
}

interface DescribedScript {
  readonly hex?: string;
  readonly type: string;
  /** Of btcd. */
  readonly addresses?: readonly string[];
  /** Of Bitcoin Core. */
  readonly address?: string;
}

/** Verbosity of `getblock` that describes the transactions. */
const withTransactions = 2;
/** Proofs, and partially signed transactions. */
const mostOfAKind = 50;

/** Reads from a node what there is in the blocks that `isAsked` names by height, and in its mempool. */
export async function readChainContents(
  upstream: BitcoinProgram,
  stale: readonly string[],
  isAsked: (height: number) => boolean,
): Promise<ChainContents> {
  const tip = Number(await upstream.call("getblockcount"));
  const heights = Array.from({ length: tip + 1 }, (_, height) => height).filter(isAsked);
  const hashes = await upstream.callEach(
    "getblockhash",
    heights.map((height) => [height]),
  );
  const blocks = (await upstream.callEach(
    "getblock",
    hashes.map((hash) => [hash, withTransactions]),
  )) as readonly DescribedBlock[];
  const unconfirmed = ((await upstream.call("getrawmempool")) as readonly string[]).toSorted();
  const waiting = (await upstream.callEach(
    "getrawtransaction",
    unconfirmed.map((txid) => [txid, 1]),
  )) as readonly DescribedTransaction[];
  const transactions = [
    ...blocks.slice(heights[0] === 0 ? 1 : 0).flatMap(({ rawtx, tx }) => rawtx ?? tx ?? []),
    ...waiting,
  ];
  const outputs = transactions.flatMap(({ vout }) => vout.map(({ scriptPubKey }) => scriptPubKey));
  const keyAddresses = new Set(outputs.flatMap((script) => (isOfKeys(script.type) ? addressesOf(script) : [])));
  const help = String(await upstream.call("help"));
  const proven = help.includes("gettxoutproof") ? blocks.slice(1, 1 + mostOfAKind) : [];
  const spent = help.includes("createpsbt") ? transactions.slice(0, mostOfAKind) : [];
  return {
    tip,
    blocks: blocks.map(({ hash, height }) => ({ hash, height })),
    stale,
    transactions: transactions.map(knownTransaction),
    unconfirmed,
    addresses: distinct(outputs.flatMap(addressesOf)).filter((address) => !keyAddresses.has(address)),
    keyAddresses: [...keyAddresses],
    proofs: (await upstream.callEach(
      "gettxoutproof",
      proven.map(({ hash, rawtx, tx }) => [[(rawtx ?? tx)?.[0]?.txid], hash]),
    )) as readonly string[],
    psbts: (await upstream.callEach(
      "createpsbt",
      spent.map(({ txid }, at) => [[{ txid, vout: 0 }], [{ data: toData(at) }]]),
    )) as readonly string[],
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

function addressesOf({ addresses, address }: DescribedScript): readonly string[] {
  return addresses ?? (address === undefined ? [] : [address]);
}

function isOfKeys(type: string): boolean {
  return type === "pubkey" || type === "multisig";
}

function toData(number: number): string {
  return number.toString(16).padStart(4, "0");
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
