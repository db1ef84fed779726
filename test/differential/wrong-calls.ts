import type { ChainContents } from "./chain-contents.ts";
import type { ComparedCall } from "./compared-response.ts";

/** Calls of every method whose arguments are wrong in one way each, or at the border of what is right. */
export function* listWrongCalls(contents: ChainContents): Generator<ComparedCall> {
  for (const [method, params] of rightCalls(contents)) {
    for (let count = 0; count < params.length; count += 1) yield { method, params: params.slice(0, count) };
    for (const extra of ["x", 1, null]) yield { method, params: [...params, extra] };
    for (const [at, right] of params.entries())
      for (const wrong of oddValues(right)) yield { method, params: params.with(at, wrong) };
  }
  yield* listWrongParts(contents);
}

/** Calls with something wrong inside an argument. */
function* listWrongParts({ transactions, addresses, keyAddresses }: ChainContents): Generator<ComparedCall> {
  const { txid, hex } = transactions[0] ?? { txid: "", hex: "" };
  const address = chooseAddress([...addresses, ...keyAddresses]);
  for (const output of oddOutputs(txid)) {
    yield { method: "gettxspendingprevout", params: [[output]] };
    yield { method: "createrawtransaction", params: [[output], { [address]: 1 }] };
  }
  for (const amount of oddAmounts)
    yield { method: "createrawtransaction", params: [[{ txid, vout: 0 }], { [address]: amount }] };
  for (const paid of ["", "zz", `${address}x`, "data", address.toUpperCase()])
    yield { method: "createrawtransaction", params: [[{ txid, vout: 0 }], { [paid]: 1 }] };
  for (const locator of ["", "zz", txid, txid.slice(1), txid.toUpperCase(), 1, null])
    yield { method: "getheaders", params: [[locator], ""] };
  for (const raw of ["", "zz", hex.slice(2), hex.slice(0, -2), `${hex}00`, hex.toUpperCase(), "00".repeat(10)]) {
    yield { method: "decoderawtransaction", params: [raw] };
    yield { method: "testmempoolaccept", params: [[raw], 0.1] };
  }
}

function oddOutputs(txid: string): readonly unknown[] {
  const output = { txid, vout: 0 };
  const names = ["", "zz", txid.slice(1), `${txid}0`, txid.toUpperCase(), 1, null, [txid]];
  const numbers = [-1, 1.5, 1, 1e300, 2 ** 32, 2 ** 31, "0", null, true, []];
  return [
    ...names.map((name) => ({ ...output, txid: name })),
    ...numbers.map((vout) => ({ ...output, vout })),
    { txid },
    { vout: 0 },
    { ...output, other: 1 },
    { ...output, sequence: 1 },
    { ...output, sequence: -1 },
    { TXID: txid, VOUT: 0 },
  ];
}

const oddAmounts = [
  0,
  1e-8,
  1e-9,
  0.123456789,
  20_999_999.9769,
  21_000_000,
  21_000_000.00000001,
  -1,
  "1",
  "x",
  null,
  true,
  {},
];

/** A right call of each method, with every argument that btcd takes. */
function rightCalls(contents: ChainContents): readonly (readonly [string, readonly unknown[]])[] {
  const { blocks, transactions, addresses, keyAddresses, unconfirmed } = contents;
  const block = blocks.at(-2)?.hash;
  const { txid, hex } = transactions.find(({ spends }) => spends.length > 0) ??
    transactions[0] ?? { txid: "", hex: "" };
  const address = chooseAddress([...addresses, ...keyAddresses]);
  const waiting = unconfirmed[0] ?? txid;
  return [
    ["createrawtransaction", [[{ txid, vout: 0 }], { [address]: 1 }, 0]],
    ["decoderawtransaction", [hex]],
    ["decodescript", ["51"]],
    ["estimatefee", [6]],
    ["getaddednodeinfo", [false]],
    ["getbestblock", []],
    ["getbestblockhash", []],
    ["getblock", [block, 1]],
    ["getblockchaininfo", []],
    ["getblockcount", []],
    ["getblockhash", [1]],
    ["getblockheader", [block, true]],
    ["getcfilter", [block, 0]],
    ["getcfilterheader", [block, 0]],
    ["getchaintips", []],
    ["getconnectioncount", []],
    ["getcurrentnet", []],
    ["getdifficulty", []],
    ["getgenerate", []],
    ["gethashespersec", []],
    ["getheaders", [[block], ""]],
    ["getinfo", []],
    ["getmempoolinfo", []],
    ["getmininginfo", []],
    ["getnettotals", []],
    ["getnetworkhashps", [120, -1]],
    ["getnodeaddresses", [1]],
    ["getpeerinfo", []],
    ["getrawmempool", [false]],
    ["getrawtransaction", [txid, 1]],
    ["gettxout", [txid, 0, true]],
    ["gettxout", [waiting, 0, true]],
    ["gettxspendingprevout", [[{ txid, vout: 0 }]]],
    ["help", ["getblock"]],
    ["ping", []],
    ["searchrawtransactions", [address, 1, 0, 10, 0, false, []]],
    ["testmempoolaccept", [[hex], 0.1]],
    ["uptime", []],
    ["validateaddress", [address]],
    ["verifychain", [1, 1]],
    ["verifymessage", [address, "IPojfrX2dfPnH26UegfbGQ==", "words"]],
    ["version", []],
    ["nosuchmethod", []],
    ["GetBlockCount", []],
    ["", []],
  ];
}

/** One that btcd pays to: it pays to no witness. */
function chooseAddress(addresses: readonly string[]): string {
  return addresses.find((address) => /^[mn1]/.test(address)) ?? "";
}

const largeIntegers = [2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31) - 1] as const;

function oddValues(right: unknown): readonly unknown[] {
  const texts = ["", "zz", "0", "00", "1", "true", "Ā"];
  const numbers = [0, -1, 1, 2, 3, 255, 256, 1.5, 1e300, ...largeIntegers];
  const others = [null, true, false, [], {}, [null], [1], ["zz"], [{}], { a: 1 }];
  return [...texts, ...numbers, ...others, ...near(right)].filter(
    (value) => JSON.stringify(value) !== JSON.stringify(right),
  );
}

/** Values that are nearly the right one. */
function near(right: unknown): readonly unknown[] {
  if (typeof right === "string" && /^[0-9a-f]{64,}$/.test(right))
    return [
      right.toUpperCase(),
      right.slice(1),
      right.slice(2),
      `${right}0`,
      `${right}00`,
      `0x${right}`,
      ` ${right}`,
      `${right.slice(0, -1)}g`,
      right.replace(/^0+/, ""),
      "0".repeat(right.length),
      "f".repeat(right.length),
      [right],
    ];
  if (typeof right === "string") return [`${right} `, right.toUpperCase(), right.slice(0, -1), [right]];
  if (Array.isArray(right)) return [[...right, ...right], [right], right[0]];
  return [];
}
