import type { ChainContents, KnownTransaction } from "./chain-contents.ts";
import type { ComparedCall } from "./compared-response.ts";

/** Most there is to ask of a kind of thing that is asked about in many ways. */
const mostInManyWays = 60;

/** More than an address has. */
const manyTransactions = 1_000;

/** The basic filter of BIP 158, and one that is not known. */
const filterTypes = [0, 1] as const;

/** Calls with right arguments about everything that is known of a chain. */
export function* listChainCalls(contents: ChainContents): Generator<ComparedCall> {
  yield* aboutTheWhole(contents);
  for (const { hash, height } of contents.blocks) yield* aboutBlock(hash, height);
  for (const hash of contents.stale) yield* aboutStaleBlock(hash);
  for (const transaction of contents.transactions) yield* aboutTransaction(transaction);
  yield* aboutScripts(contents);
  yield* aboutSearches(contents);
  yield* aboutHeaders(contents);
}

function call(method: string, ...params: readonly unknown[]): ComparedCall {
  return { method, params };
}

function* aboutTheWhole({ tip }: ChainContents): Generator<ComparedCall> {
  for (const method of withoutArguments) yield call(method);
  for (const verbose of [false, true]) yield call("getrawmempool", verbose);
  for (const blocks of [1, 2, 10, 120, 2016, 5000, -1, -2])
    for (const height of [-1, 1, 2, 100, Math.floor(tip / 2), tip - 1, tip])
      yield call("getnetworkhashps", blocks, height);
  for (const isDns of [false, true]) yield call("getaddednodeinfo", isDns);
  yield call("getblocktemplate");
  yield call("getblocktemplate", { rules: ["segwit"] });
  yield call("getnetworkhashps", 10);
  for (const level of [0, 1, 2, 3, 4]) for (const depth of [1, 6, 20]) yield call("verifychain", level, depth);
  for (const blocks of [1, 2, 6, 25]) yield call("estimatefee", blocks);
  for (const method of ["getblock", "getinfo", "help", "nosuchmethod"]) yield call("help", method);
}

const withoutArguments = [
  "getbestblock",
  "getbestblockhash",
  "getblockchaininfo",
  "getblockcount",
  "getchaintips",
  "getconnectioncount",
  "getcurrentnet",
  "getdifficulty",
  "getgenerate",
  "gethashespersec",
  "getinfo",
  "getmempoolinfo",
  "getmininginfo",
  "getnettotals",
  "getnetworkhashps",
  "getnodeaddresses",
  "getpeerinfo",
  "getrawmempool",
  "help",
  "ping",
  "uptime",
  "verifychain",
  "version",
] as const;

function* aboutBlock(hash: string, height: number): Generator<ComparedCall> {
  yield call("getblockhash", height);
  yield call("getblock", hash);
  for (const verbosity of [0, 1, 2]) yield call("getblock", hash, verbosity);
  yield call("getblockheader", hash);
  for (const isVerbose of [false, true]) yield call("getblockheader", hash, isVerbose);
  yield call("getcfilter", hash, filterTypes[0]);
  yield call("getcfilterheader", hash, filterTypes[0]);
}

function* aboutStaleBlock(hash: string): Generator<ComparedCall> {
  for (const verbosity of [0, 1, 2]) yield call("getblock", hash, verbosity);
  for (const isVerbose of [false, true]) yield call("getblockheader", hash, isVerbose);
  for (const method of ["getcfilter", "getcfilterheader"]) yield call(method, hash, filterTypes[0]);
  yield call("getheaders", [hash], "");
}

function* aboutTransaction({ txid, hex, outputs, spends }: KnownTransaction): Generator<ComparedCall> {
  yield call("getrawtransaction", txid);
  for (const verbosity of [0, 1]) yield call("getrawtransaction", txid, verbosity);
  yield call("decoderawtransaction", hex);
  for (let vout = 0; vout <= outputs; vout += 1) {
    yield call("gettxout", txid, vout);
    for (const withMempool of [false, true]) yield call("gettxout", txid, vout, withMempool);
  }
  const own = Array.from({ length: outputs }, (_, vout) => ({ txid, vout }));
  yield call("gettxspendingprevout", own);
  if (spends.length > 0) yield call("gettxspendingprevout", spends);
}

function* aboutScripts({ scripts, addresses, keyAddresses }: ChainContents): Generator<ComparedCall> {
  for (const script of [...scripts, ...oddScripts]) yield call("decodescript", script);
  for (const address of [...addresses, ...keyAddresses, ...foreignAddresses, ...wrongAddresses])
    yield call("validateaddress", address);
  for (const { address, signature, message } of signedMessages)
    yield call("verifymessage", address, signature, message);
}

function* aboutSearches({ addresses, keyAddresses, transactions }: ChainContents): Generator<ComparedCall> {
  for (const address of addresses.slice(0, mostInManyWays)) {
    yield call("searchrawtransactions", address);
    for (const isReverse of [false, true]) {
      yield call("searchrawtransactions", address, 0, 0, manyTransactions, 0, isReverse);
      yield call("searchrawtransactions", address, 1, 0, 10, 1, isReverse);
      yield call("searchrawtransactions", address, 1, 1, 2, 0, isReverse);
    }
    yield call("searchrawtransactions", address, 1, 0, 5, 1, false, [address]);
  }
  for (const address of [...foreignAddresses, ...keyAddresses.slice(0, mostInManyWays)])
    yield call("searchrawtransactions", address);
  const funds = transactions.slice(0, mostInManyWays);
  for (const [at, { txid }] of funds.entries()) {
    const address = [...addresses, ...keyAddresses][at % (addresses.length + keyAddresses.length)] ?? "";
    yield call("createrawtransaction", [{ txid, vout: 0 }], { [address]: (10_000_000 + at) / 1e8 });
    yield call("createrawtransaction", [{ txid, vout: at }], { [address]: 1 }, at * 1_000_003);
  }
}

function* aboutHeaders({ blocks, stale, tip }: ChainContents): Generator<ComparedCall> {
  const [first, last] = [blocks[0]?.hash ?? "", blocks.at(-1)?.hash ?? ""];
  for (const { hash, height } of blocks.slice(0, mostInManyWays)) {
    yield call("getheaders", [hash], "");
    yield call("getheaders", [hash, first], "0".repeat(64));
    yield call("getheaders", [hash], blocks.find((block) => block.height > height + 3)?.hash ?? "");
    yield call("getheaders", ["f".repeat(64), hash], last);
  }
  yield call("getheaders", [], "");
  yield call("getheaders", [], first);
  yield call("getheaders", [...stale, first], "");
  yield call("getblockhash", tip + 1);
}

/** Scripts that no output of a block needs to have. */
const oddScripts = [
  "",
  "00",
  "51",
  "4f",
  "6a",
  "6a0a",
  "6a0568656c6c6f",
  "ac",
  "b1",
  "b2",
  "ba",
  "ff",
  "4c",
  "4d0500aabb",
  "0102",
  "03ffff7f",
  "0400000080",
  "05ffffffff7f",
  "76a914000000000000000000000000000000000000000088ac",
  "a914000000000000000000000000000000000000000087",
  "00140000000000000000000000000000000000000000",
  "0020000000000000000000000000000000000000000000000000000000000000000000",
  "51200000000000000000000000000000000000000000000000000000000000000001",
  "51024e73",
  "5210000000000000000000000000000000000",
  "5121034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b70407587151ae",
  "0032bf",
] as const;

/** Of several networks; in one of them each is right. */
const foreignAddresses = [
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  "3P14159f73E4gFr7JterCCQh9QjiTjiZrG",
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
  "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
  "2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc",
  "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
  "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
  "bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6",
] as const;

const wrongAddresses = [
  "",
  "1",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0",
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
  "bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du",
  "04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f",
  "034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b70407587151",
] as const;

/** Messages with a signature that is theirs, another's, or none. */
const signedMessages = [
  { address: "1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV", signature: "", message: "" },
  {
    address: "15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs",
    signature: "IPojfrX2dfPnH26UegfbGQQLrdK844DlHq5157/P6h57WyuS/Qsl+h/WSVGDF4MUi4rWSswW38oimDYfNNUBUOk=",
    message: "Trust no one",
  },
  {
    address: "15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs",
    signature: "IPojfrX2dfPnH26UegfbGQQLrdK844DlHq5157/P6h57WyuS/Qsl+h/WSVGDF4MUi4rWSswW38oimDYfNNUBUOk=",
    message: "Trust everyone",
  },
  {
    address: "11canuhp9X2NocwCq7xNrQYTmUgZAnLK3",
    signature: "IIcaIENoYW5jZWxsb3Igb24gYnJpbmsgb2Ygc2Vjb25kIGJhaWxvdXQgZm9yIGJhbmtzICAgICAgICAgICAgICA=",
    message: "Trust me",
  },
  { address: "15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs", signature: "not base64!", message: "Trust no one" },
  { address: "nobody", signature: "IPojfrX2dfPnH26UegfbGQ==", message: "Trust no one" },
] as const;
