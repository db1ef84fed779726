import { largeTransaction } from "./heavy-chain.ts";
import type { HeavyRequest } from "./heavy-node.ts";
import type { ServedFacts } from "./heavy-server.ts";

/** Requests that cost a server much, by what they are. */
export function heavyRequests(facts: ServedFacts): ReadonlyMap<string, readonly HeavyRequest[]> {
  const { bigBlock, bigHeight, bigTxids, hotAddress, lineMiddle, lineEnd, fanTop, longHashes } = facts;
  const requests = new Map<string, readonly HeavyRequest[]>();
  const heavy = (name: string, method: string, ...params: readonly unknown[]): void =>
    void requests.set(name, [rpc("/heavy", method, params)]);
  const long = (name: string, method: string, ...params: readonly unknown[]): void =>
    void requests.set(name, [rpc("/long", method, params)]);
  const rest = (path: string): void => {
    // Hashes and addresses say nothing to readers.
    const name = `GET ${path.replaceAll(/[0-9a-z,]{40,}/g, "…")}${path.includes(fanTop) ? " of a fan" : ""}`;
    requests.set(name, [{ path: `/rest${path}` }]);
  };

  heavy("getblock 0", "getblock", bigBlock, 0);
  heavy("getblock 1", "getblock", bigBlock, 1);
  heavy("getblock 2", "getblock", bigBlock, 2);
  heavy("getblock 3", "getblock", bigBlock, 3);
  heavy("getblockstats", "getblockstats", bigHeight);
  heavy("getcfilter", "getcfilter", bigBlock, 0);
  heavy("getblockfilter", "getblockfilter", bigBlock);
  heavy("getcfilterheader", "getcfilterheader", bigBlock, 0);
  for (const level of [0, 1, 2, 3, 4]) heavy(`verifychain ${level}`, "verifychain", level, 6);
  heavy("getrawmempool verbose", "getrawmempool", true);
  heavy("getrawmempool", "getrawmempool", false);
  heavy("getmempoolentry of a line", "getmempoolentry", lineMiddle);
  heavy("getmempoolentry of a fan", "getmempoolentry", fanTop);
  heavy("getmempoolancestors", "getmempoolancestors", lineEnd, false);
  heavy("getmempoolancestors verbose", "getmempoolancestors", lineEnd, true);
  heavy("getmempooldescendants", "getmempooldescendants", fanTop, false);
  heavy("getmempooldescendants verbose", "getmempooldescendants", fanTop, true);
  heavy("getmempoolinfo", "getmempoolinfo");
  heavy("gettxoutsetinfo none", "gettxoutsetinfo", "none");
  heavy("gettxoutsetinfo muhash", "gettxoutsetinfo", "muhash");
  heavy("gettxoutsetinfo hash_serialized_3", "gettxoutsetinfo", "hash_serialized_3");
  heavy("scantxoutset of 10,000 scripts", "scantxoutset", "start", [{ desc: ranged, range: [0, 9_999] }]);
  heavy("scantxoutset of 10,000 addresses", "scantxoutset", "start", new Array(10_000).fill(`addr(${hotAddress})`));
  heavy("deriveaddresses", "deriveaddresses", `${ranged}#${rangedChecksum}`, [0, 9_999]);
  heavy("searchrawtransactions 0", "searchrawtransactions", hotAddress, 0, 0, 1_000);
  heavy("searchrawtransactions 1", "searchrawtransactions", hotAddress, 1, 0, 1_000, 1);
  heavy("searchrawtransactions reversed", "searchrawtransactions", hotAddress, 1, 0, 1_000, 1, true);
  heavy("gettxoutproof of one", "gettxoutproof", bigTxids.slice(1, 2), bigBlock);
  heavy("gettxoutproof of all", "gettxoutproof", bigTxids, bigBlock);
  heavy(
    "gettxspendingprevout",
    "gettxspendingprevout",
    bigTxids.flatMap((txid) => [0, 1].map((vout) => ({ txid, vout }))),
  );
  heavy("getrawtransaction 2 of a line", "getrawtransaction", lineEnd, 2);
  heavy("getrawtransaction 2 of a fan", "getrawtransaction", fanTop, 2);
  heavy("decoderawtransaction of 1 MB", "decoderawtransaction", largeTransaction(500_000));
  heavy("decodescript of 1 MB", "decodescript", "51".repeat(520_000));
  heavy("decodescript of pushes", "decodescript", "0101".repeat(260_000));
  heavy("decodescript of multisig", "decodescript", `51${`21${"02".repeat(33)}`.repeat(7_500)}5fae`);
  heavy("getdescriptorinfo of 1 MB", "getdescriptorinfo", `pkh(${"a".repeat(1_000_000)})`);
  heavy(
    "getdescriptorinfo of many keys",
    "getdescriptorinfo",
    `sh(multi(1${`,02${"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"}`.repeat(1_400)}))`,
  );
  heavy("getdescriptorinfo, deep", "getdescriptorinfo", `${"wsh(".repeat(24_000)}1`);
  heavy("getdescriptorinfo, a tree", "getdescriptorinfo", `tr(${key},${"{".repeat(99_000)}`);
  heavy(
    "getdescriptorinfo, miniscript",
    "getdescriptorinfo",
    `wsh(${"and_v(v:1,".repeat(9_000)}1${")".repeat(9_000)})`,
  );
  heavy("validateaddress of 1 MB", "validateaddress", "1".repeat(1_000_000));
  heavy("verifytxoutproof of 1 MB", "verifytxoutproof", "00".repeat(520_000));
  heavy(
    "gettxspendingprevout with transactions",
    "gettxspendingprevout",
    bigTxids.slice(0, 1_000).map((txid) => ({ txid, vout: 0 })),
    { return_spending_tx: true },
  );
  heavy(
    "createrawtransaction of many",
    "createrawtransaction",
    bigTxids.flatMap((txid) => [0, 1].map((vout) => ({ txid, vout }))),
    [{ data: "00" }],
  );
  heavy("sendrawtransaction of 1 MB", "sendrawtransaction", largeTransaction(500_000));
  heavy("verifymessage of 1 MB", "verifymessage", hotAddress, "A".repeat(88), "m".repeat(1_000_000));
  heavy("rpc.discover", "rpc.discover");
  heavy("help", "help");
  heavy("help of 1 MB", "help", "h".repeat(1_000_000));
  heavy("getindexinfo", "getindexinfo");
  long("getchaintxstats", "getchaintxstats", longHashes.length - 10);
  long("getnetworkhashps", "getnetworkhashps", 1_000_000);
  long("getheaders", "getheaders", [longHashes[0]], "0".repeat(64));
  long("getheaders of many locators", "getheaders", new Array(15_000).fill("f".repeat(64)), "0".repeat(64));
  long("getchaintips", "getchaintips");
  long("getdeploymentinfo", "getdeploymentinfo");
  long("getblockchaininfo", "getblockchaininfo");
  long("getmininginfo", "getmininginfo");
  long("getinfo", "getinfo");
  long("verifychain 3 of all", "verifychain", 3, 0);
  long("gettxoutsetinfo, long", "gettxoutsetinfo", "muhash");

  const hostile = (name: string, body: string): void => void requests.set(name, [{ path: "/heavy", body }]);
  hostile("deep JSON", "[".repeat(1_040_000));
  hostile("deep objects", '{"a":'.repeat(200_000));
  hostile("a batch of half a million", `[${"1,".repeat(520_000)}1]`);
  hostile("a batch of empty objects", `[${"{},".repeat(345_000)}{}]`);
  hostile("many members", `{${Array.from({ length: 85_000 }, (_, at) => `"m${at}":1`).join(",")}}`);
  hostile("duplicate members", `{${'"a":1,'.repeat(170_000)}"a":1}`);
  hostile("many digits", `{"id":${"1".repeat(1_000_000)}}`);
  hostile("many params", call("getblock", new Array(500_000).fill(1)));
  hostile("many txids, wrong", call("gettxoutproof", [new Array(200_000).fill("x")]));
  hostile("a long string of escapes", `{"method":"${"\\u0041".repeat(170_000)}","id":1}`);
  hostile("invalid UTF-8", `{"method":"${"\u0000".repeat(10)}"`);
  hostile("a long method", call("x".repeat(1_000_000), []));

  const batch = (name: string, members: readonly string[]): void =>
    void requests.set(name, [{ path: "/heavy", body: `[${members.join(",")}]` }]);
  const hundred = [...Array(100).keys()];
  const smallBlocks = hundred.map((position) => Math.max(bigHeight - position, 1));
  batch(
    "100 x getblockstats",
    smallBlocks.map((height) => call("getblockstats", [height])),
  );
  batch(
    "100 x getblock 1",
    hundred.map(() => call("getblock", [bigBlock, 1])),
  );
  batch(
    "100 x getcfilter",
    hundred.map(() => call("getcfilter", [bigBlock, 0])),
  );
  batch(
    "100 x getmempoolentry",
    hundred.map(() => call("getmempoolentry", [lineMiddle])),
  );
  batch(
    "100 x gettxoutproof",
    bigTxids.slice(0, 100).map((txid) => call("gettxoutproof", [[txid], bigBlock])),
  );
  batch(
    "100 x getrawtransaction 2",
    bigTxids.slice(1, 101).map((txid) => call("getrawtransaction", [txid, 2])),
  );
  batch(
    "100 x deriveaddresses",
    hundred.map((at) => call("deriveaddresses", [`${ranged}#${rangedChecksum}`, [at * 100, at * 100 + 99]])),
  );
  batch(
    "100 x searchrawtransactions",
    hundred.map((at) => call("searchrawtransactions", [hotAddress, 1, at, 50, 1])),
  );
  batch(
    "100 x verifychain",
    hundred.map(() => call("verifychain", [4, 6])),
  );
  batch(
    "100 x decoderawtransaction",
    hundred.map(() => call("decoderawtransaction", [largeTransaction(10_000)])),
  );
  batch(
    "100 x getrawmempool",
    hundred.map(() => call("getrawmempool", [])),
  );
  batch(
    "100 x help",
    hundred.map(() => call("help", [])),
  );
  batch(
    "100 x rpc.discover",
    hundred.map(() => call("rpc.discover", [])),
  );
  batch(
    "100 x getdescriptorinfo",
    hundred.map(() => call("getdescriptorinfo", [ranged])),
  );
  requests.set(
    "32 at once: searchrawtransactions",
    hundred.slice(0, 32).map((at) => rpc("/heavy", "searchrawtransactions", [hotAddress, 1, at, 1_000, 1])),
  );
  requests.set(
    "32 at once: getmempoolancestors",
    hundred.slice(0, 32).map(() => rpc("/heavy", "getmempoolancestors", [lineEnd, true])),
  );
  requests.set(
    "32 at once: getblockstats",
    smallBlocks.slice(0, 32).map((height) => rpc("/heavy", "getblockstats", [height])),
  );

  rest(`/block/${bigBlock}`);
  rest(`/block/${bigBlock}/txids`);
  rest(`/block/${bigBlock}/txs`);
  rest(`/block/${bigBlock}/raw`);
  rest(`/tx/${bigTxids[7]}`);
  rest(`/tx/${bigTxids[7]}/merkle-proof`);
  rest(`/tx/${bigTxids[7]}/merkleblock-proof`);
  rest(`/tx/${bigTxids[7]}/outspends`);
  rest(`/tx/${fanTop}`);
  rest(`/tx/${fanTop}/outspends`);
  rest(`/address/${hotAddress}`);
  rest(`/address/${hotAddress}/txs`);
  rest(`/address/${hotAddress}/txs/mempool`);
  rest(`/address/${hotAddress}/txs/summary`);
  rest(`/address/${hotAddress}/utxo`);
  rest("/mempool");
  rest("/mempool/txids");
  rest("/mempool/recent");
  rest("/fee-estimates");
  rest("/blocks");
  rest(`/txs/outspends?txids=${bigTxids.slice(0, 50).join(",")}`);
  return requests;
}

const key = "a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd";
const ranged =
  "wpkh(tpubDAenfwNu5GyCJWv8oqRAckdKMSUoZjgVF5p8WvQwHQeXjDhAHmGrPa4a4y2Fn7HF2nfCLefJanHV3ny1UY25MRVogizB2zRUdAo7Tr9XAjm/*)";
const rangedChecksum = "5hdafpj3";

function rpc(path: string, method: string, params: readonly unknown[]): HeavyRequest {
  return { path, body: call(method, params) };
}

function call(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}
