// What is asked of an index that speaks Esplora's API so that every route of it is asked for everything a chain holds.
import { createHash } from "node:crypto";

/** A request by its path; `route` is what answers are counted under. */
export interface ComparedRequest {
  readonly route: string;
  readonly path: string;
  /** JSON of a POST. A GET has none. */
  readonly body?: string;
  /**
   * Asked of electrs instead: the list whole. mempool.space's puts the transactions of a page into any order, so that whoever goes on below
   * the last one gets some of them twice.
   */
  readonly whole?: string;
  /** Asked of us after `path`, with the last transaction's id behind it, for page after page. */
  readonly next?: string;
}

/** Gives the parsed JSON of an answer. */
export type Ask = (path: string) => Promise<unknown>;

interface FoundOutput {
  readonly scriptpubkey: string;
  readonly scriptpubkey_type: string;
  readonly scriptpubkey_address?: string;
}

interface FoundTransaction {
  readonly txid: string;
  readonly vout: readonly FoundOutput[];
  readonly weight: number;
  readonly fee: number;
}

interface FoundBlock {
  readonly hash: string;
  readonly txids: readonly string[];
}

/** What a chain holds, as the index that is asked tells it. */
export interface ChainContents {
  readonly blocks: readonly FoundBlock[];
  readonly transactions: readonly FoundTransaction[];
  readonly addresses: readonly string[];
  /** In plain hex, of every scriptPubKey, those that nobody can spend from among them. */
  readonly scriptHashes: readonly string[];
  /** Those of them that mempool.space's electrs keeps no history of, though they do not begin with OP_RETURN. */
  readonly unspendable: ReadonlySet<string>;
  /** Numbers of the confirmed transactions in the order of the chain, by id. */
  readonly places: ReadonlyMap<string, number>;
  readonly unconfirmed: readonly { readonly weight: number; readonly fee: number }[];
}

const transactionsPerPage = 25;
const blocksPerPage = 10;
const transactionsPerOutspends = 50;
const scriptsPerSet = 300;
const mostPerPage = 200;
const everything = "?max_txs=1000000";

/** Walks the chain block by block, then the mempool. */
export async function readChainContents(ask: Ask): Promise<ChainContents> {
  const blocks: FoundBlock[] = [];
  const transactions: FoundTransaction[] = [];
  const tip = Number(await ask("/blocks/tip/height"));
  for (let height = 0; height <= tip; height += 1) {
    const [block] = (await ask(`/blocks/${height}`)) as readonly { readonly id: string }[];
    if (block === undefined) throw new Error(`There is no block at height ${height}`);
    const txids = (await ask(`/block/${block.id}/txids`)) as readonly string[];
    blocks.push({ hash: block.id, txids });
    for (let start = 0; start < txids.length; start += transactionsPerPage) {
      transactions.push(...((await ask(`/block/${block.id}/txs/${start}`)) as readonly FoundTransaction[]));
    }
  }
  const places = new Map(transactions.map(({ txid }, place) => [txid, place]));
  for (const txid of (await ask("/mempool/txids")) as readonly string[]) {
    transactions.push((await ask(`/tx/${txid}`)) as FoundTransaction);
  }
  const outputs = transactions.flatMap(({ vout }) => vout);
  const addresses = new Set(outputs.flatMap(({ scriptpubkey_address: address }) => address ?? []));
  const hashes = new Map(outputs.map((output) => [output.scriptpubkey, hashOfScript(output.scriptpubkey)]));
  const unspendable = outputs.filter(({ scriptpubkey_type: type }) => type === "provably_unspendable");
  return {
    blocks,
    transactions,
    addresses: [...addresses],
    scriptHashes: [...hashes.values()],
    unspendable: new Set(unspendable.map(({ scriptpubkey }) => hashes.get(scriptpubkey) ?? "")),
    places,
    unconfirmed: transactions.slice(places.size),
  };
}

/** Every request for the contents of a chain, and every wrong one. */
export function* listRequests(chain: ChainContents): Generator<ComparedRequest> {
  yield* requestsOfTheTip();
  yield* requestsOfBlocks(chain.blocks);
  yield* requestsOfTransactions(chain.transactions);
  yield* requestsOfScripts("address", chain.addresses);
  yield* requestsOfScripts("scripthash", chain.scriptHashes);
  yield* requestsOfSets("addresses", chain.addresses);
  yield* requestsOfSets(
    "scripthashes",
    chain.scriptHashes.filter((hash) => !chain.unspendable.has(hash)),
  );
  yield* requestsOfPrefixes(chain.addresses);
  yield* wrongRequests(chain);
}

function* requestsOfTheTip(): Generator<ComparedRequest> {
  const paths = ["blocks/tip/hash", "blocks/tip/height", "blocks", "fee-estimates"];
  const ofMempool = ["mempool", "mempool/txids", "mempool/recent", "mempool/txids/page"];
  for (const route of [...paths, ...ofMempool]) yield { route, path: `/${route}` };
}

function* requestsOfBlocks(blocks: readonly FoundBlock[]): Generator<ComparedRequest> {
  for (const [height, { hash, txids }] of blocks.entries()) {
    yield { route: "block-height/:height", path: `/block-height/${height}` };
    if (height % (blocksPerPage - 1) === 0) yield { route: "blocks/:start_height", path: `/blocks/${height}` };
    yield { route: "block/:hash", path: `/block/${hash}` };
    for (const part of ["status", "header", "raw", "txids", "txs"]) {
      yield { route: `block/:hash/${part}`, path: `/block/${hash}/${part}` };
    }
    for (let start = 0; start < txids.length; start += transactionsPerPage) {
      yield { route: "block/:hash/txs/:start_index", path: `/block/${hash}/txs/${start}` };
    }
    for (const index of txids.keys()) yield { route: "block/:hash/txid/:index", path: `/block/${hash}/txid/${index}` };
  }
}

function* requestsOfTransactions(transactions: readonly FoundTransaction[]): Generator<ComparedRequest> {
  for (const { txid, vout } of transactions) {
    yield { route: "tx/:txid", path: `/tx/${txid}` };
    for (const part of ["hex", "raw", "status", "outspends", "merkle-proof", "merkleblock-proof"]) {
      yield { route: `tx/:txid/${part}`, path: `/tx/${txid}/${part}` };
    }
    // One more than there are.
    for (let index = 0; index <= vout.length; index += 1) {
      yield { route: "tx/:txid/outspend/:vout", path: `/tx/${txid}/outspend/${index}` };
    }
  }
  for (const group of groupsOf(transactions, transactionsPerOutspends)) {
    yield { route: "txs/outspends", path: `/txs/outspends?txids=${group.map(({ txid }) => txid).join()}` };
  }
}

function* requestsOfScripts(kind: "address" | "scripthash", names: readonly string[]): Generator<ComparedRequest> {
  for (const name of names) {
    const path = `/${kind}/${name}`;
    yield { route: `${kind}/:name`, path };
    const first = `${path}/txs?max_txs=${mostPerPage}`;
    const all = `${path}/txs${everything}`;
    yield { route: `${kind}/:name/txs, all pages`, path: first, next: `${first}&after_txid=`, whole: all };
    for (const [part, next] of [
      ["txs/chain", `${path}/txs/chain/`],
      ["txs/mempool", undefined],
    ] as const) {
      const name = `${kind}/:name/${part}${next === undefined ? "" : ", all pages"}`;
      const whole = `${path}/${part}${everything}`;
      yield { route: name, path: `${path}/${part}`, whole, ...(next === undefined ? {} : { next }) };
    }
    yield { route: `${kind}/:name/txs/summary`, path: `${path}/txs/summary` };
    yield { route: `${kind}/:name/utxo`, path: `${path}/utxo` };
  }
}

function* requestsOfSets(kind: "addresses" | "scripthashes", names: readonly string[]): Generator<ComparedRequest> {
  for (const group of [...groupsOf(names, scriptsPerSet), names.slice(0, 3)]) {
    const body = JSON.stringify(group);
    const path = `/${kind}/txs?max_txs=${mostPerPage}`;
    const whole = `/${kind}/txs${everything}`;
    yield { route: `POST ${kind}/txs, all pages`, path, body, next: `${path}&after_txid=`, whole };
    yield { route: `POST ${kind}/txs/summary`, path: `/${kind}/txs/summary`, body };
  }
}

function* requestsOfPrefixes(addresses: readonly string[]): Generator<ComparedRequest> {
  const prefixes = new Set(["", "zzz"]);
  for (const address of addresses) {
    for (const length of [1, 2, 6, 7, 8, address.length]) prefixes.add(address.slice(0, length));
  }
  for (const prefix of prefixes) yield { route: "address-prefix/:prefix", path: `/address-prefix/${prefix}` };
}

const nothing = "0".repeat(64);

function* wrongRequests({ blocks, transactions, addresses, scriptHashes }: ChainContents): Generator<ComparedRequest> {
  const block = blocks.at(-1)?.hash ?? "";
  const transaction = transactions.at(-1)?.txid ?? "";
  const address = addresses.at(-1) ?? "";
  const scriptHash = scriptHashes.at(-1) ?? "";
  const paths = [
    ...wrongPathsOfHashes("tx", ["", "/status", "/hex", "/raw", "/outspends", "/outspend/0", ...proofs], transaction),
    ...wrongPathsOfHashes("block", ["", "/status", "/header", "/raw", "/txids", "/txid/0", "/txs", "/txs/0"], block),
    ...wrongNumbers.flatMap((text) => [
      ...[`/tx/${transaction}/outspend/${text}`, `/block/${block}/txid/${text}`, `/block/${block}/txs/${text}`],
      ...[`/block-height/${text}`, `/blocks/${text}`],
    ]),
    ...wrongAddresses.flatMap((text) => scriptParts.map((part) => `/address/${text}${part}`)),
    ...[...wrongHashes, nothing].flatMap((text) => scriptParts.map((part) => `/scripthash/${text}${part}`)),
    ...[`/address/${address}`, `/scripthash/${scriptHash}`].flatMap(wrongCursors),
    ...[`/address/${address.toUpperCase()}`, `/scripthash/${scriptHash.toUpperCase()}`],
    ...["/txs/outspends", "/txs/outspends?txids=", "/txs/outspends?txids=abc", `/txs/outspends?txids=${nothing}`],
    `/txs/outspends?txids=${Array.from({ length: transactionsPerOutspends + 1 }, () => transaction).join()}`,
    ...unknownPaths,
    ...[`/tx/${transaction}`, `/block/${block}`, `/address/${address}`].flatMap((path) => [`${path}/`, `${path}/foo`]),
  ];
  for (const path of paths) yield { route: "wrong requests", path };
}

const proofs = ["/merkle-proof", "/merkleblock-proof"];
const scriptParts = ["", "/txs", "/txs/chain", "/txs/mempool", "/txs/summary", "/utxo"];
const wrongHashes = ["abc", "a".repeat(62), "z".repeat(64), "a".repeat(66), "%30"];
const wrongNumbers = [
  "",
  "abc",
  "-1",
  "+1",
  "007",
  "1.5",
  "1e3",
  "99999999",
  "99999999999",
  "18446744073709551616",
  "1",
];
const wrongAddresses = [
  ...["", "abc", "bcrt1qqqqqq", "1AbHNFdKJeVL8FRZyRZoiTzG9VCmzLrtvN", "1AbHNFdKJeVL8FRZyRZoiTzG9VCmzLrtvm"],
  ...["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
  ...["mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", "%6d", "bcrt1"],
];
const unknownPaths = [
  ...[
    "/",
    "/foo",
    "//blocks/tip/height",
    "/Blocks/tip/height",
    "/blocks/tip",
    "/blocks/tip/height/",
    "/blocks/tip/foo",
  ],
  ...["/block", "/block/", "/tx", "/tx/", "/address", "/scripthash", "/scripthash/", "/block-height", "/mempool/"],
  ...["/mempool/foo", "/broadcast", "/fee-estimates/", "/address-prefix", "/blocks//", '/"quoted"', "/back\\slash"],
];

function wrongPathsOfHashes(kind: string, parts: readonly string[], known: string): readonly string[] {
  return [...wrongHashes, nothing, known.toUpperCase()].flatMap((hash) =>
    parts.map((part) => `/${kind}/${hash}${part}`),
  );
}

function wrongCursors(script: string): readonly string[] {
  const below = ["", "abc", nothing].flatMap((cursor) => [`/txs/chain/${cursor}`, `/txs/summary/${cursor}`]);
  const after = [`/txs?after_txid=${nothing}`, "/txs?after_txid=abc", "/txs?max_txs=abc", "/txs?max_txs=0"];
  return [...below, ...after, "/txs/foo", "/utxo/", "/txs/mempool/"].map((part) => script + part);
}

function* groupsOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

function hashOfScript(scriptPubKey: string): string {
  return createHash("sha256").update(scriptPubKey, "hex").digest("hex");
}
