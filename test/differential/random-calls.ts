import fc from "fast-check";
import type { ChainContents } from "./chain-contents.ts";
import type { ComparedCall } from "./compared-response.ts";

export interface RandomCallsOptions {
  readonly seed: number;
  readonly count: number;
}

/** Lists calls whose arguments are drawn at random, mostly valid ones of the chain. The same seed draws the same calls. */
export function listRandomCalls(contents: ChainContents, { seed, count }: RandomCallsOptions): readonly ComparedCall[] {
  return count === 0 ? [] : fc.sample(callOf(contents), { seed, numRuns: count });
}

function callOf(contents: ChainContents): fc.Arbitrary<ComparedCall> {
  const methods = Object.entries(argumentsOf(contents)).map(([method, parameters]) => {
    const length = fc.integer({ min: 0, max: parameters.length * 3 });
    const replaced = fc.integer({ min: 0, max: parameters.length * invalidShare });
    return fc.tuple(fc.tuple(...parameters), anything, replaced, length).map(
      // One of three calls leaves arguments out at the end; at most one argument is invalid, so that the order of checks does not matter.
      ([valid, other, at, count]): ComparedCall => {
        const params = at < valid.length ? valid.with(at, other) : valid;
        return { method, params: params.slice(0, count) };
      },
    );
  });
  return fc.oneof(...methods);
}

/** One call of so many has an argument that is something else. */
const invalidShare = 8;

const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, "", [], {}, -1, 0, 1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e300),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 60, maxLength: 66 }),
  fc.array(fc.constantFrom(null, "x", 1, {}), { maxLength: 2 }),
);

const boolean = fc.boolean();
const verbosity = fc.oneof(fc.integer({ min: 0, max: 3 }), boolean);
const feeRate = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.double({ min: 0, max: 1, noNaN: true }).map(toCoins));

/** To 8 decimals, as an amount has. */
function toCoins(value: number): number {
  return Number(value.toFixed(8));
}

/** Parameters of each method that only reads, by position. */
function argumentsOf(contents: ChainContents): Readonly<Record<string, readonly fc.Arbitrary<unknown>[]>> {
  const { blocks, stale, transactions, unconfirmed, addresses, scripts, proofs, psbts, tip } = contents;
  const blockHash = fc.constantFrom(...blocks.map(({ hash }) => hash), ...stale);
  const height = fc.oneof(
    fc.constantFrom(...blocks.map((block) => block.height)),
    fc.integer({ min: -2, max: tip + 2 }),
  );
  const hashOrHeight = fc.oneof(blockHash, height);
  const known = fc.constantFrom(...transactions);
  const txid = known.map((transaction) => transaction.txid);
  const waiting = fc.oneof(unconfirmed.length === 0 ? txid : fc.constantFrom(...unconfirmed), txid);
  const hex = fc.oneof(
    { weight: 6, arbitrary: known.map((transaction) => transaction.hex) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(known, fc.nat(), fc.nat(255))
        .map(([{ hex: bytes }, at, byte]) => replaceByte(bytes, at, byte)),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(known, fc.nat()).map(([{ hex: bytes }, at]) => bytes.slice(0, (at % (bytes.length / 2)) * 2)),
    },
  );
  const vout = fc.integer({ min: 0, max: 3 });
  const outpoint = fc.record({ txid, vout });
  const address = fc.constantFrom(...addresses);
  const script = fc.oneof(
    fc.constantFrom(...scripts),
    fc
      .tuple(fc.constantFrom(...scripts), fc.nat(), fc.nat(255))
      .map(([bytes, at, byte]) => replaceByte(bytes, at, byte)),
    fc.array(opcode, { maxLength: 12 }).map((words) => words.join("")),
  );
  const descriptor = fc.oneof(
    address.map((text) => `addr(${text})`),
    script.map((bytes) => `raw(${bytes})`),
    fc
      .tuple(fc.constantFrom("pk", "pkh", "wpkh", "sh(wpkh", "combo", "tr", "rawtr"), key)
      .map(([name, of]) => `${name}(${of})${name.includes("(") ? ")" : ""}`),
    fc
      .tuple(
        fc.constantFrom("multi", "sortedmulti"),
        fc.integer({ min: 0, max: 4 }),
        fc.array(key, { minLength: 1, maxLength: 4 }),
        fc.constantFrom("", "sh", "wsh"),
      )
      .map(([name, needed, keys, outer]) => wrap(outer, `${name}(${[needed, ...keys].join(",")})`)),
  );
  const amount = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.double({ min: 0, max: 21, noNaN: true }).map(toCoins),
    fc.constantFrom("0.1", "1e-8", -1, 21_000_001),
  );
  const outputs = fc.oneof(
    fc.dictionary(address, amount, { maxKeys: 3 }),
    fc.array(
      fc.oneof(
        fc.tuple(address, amount).map(([to, coins]) => ({ [to]: coins })),
        script.map((data) => ({ data })),
      ),
      { maxLength: 3 },
    ),
  );
  const inputs = fc.array(
    fc.record({ txid, vout, sequence: fc.nat(0xffff_ffff) }, { requiredKeys: ["txid", "vout"] }),
    { maxLength: 3 },
  );
  const proof = proofs.length === 0 ? fc.constant("") : fc.oneof(fc.constantFrom(...proofs), damagedProof(proofs));
  const psbt = psbts.length === 0 ? fc.constant("") : fc.oneof(fc.constantFrom(...psbts), damagedText(psbts));
  const psbtList = fc.array(psbt, { maxLength: 3 });
  const statistics = fc.subarray([
    "avgfee",
    "txs",
    "height",
    "feerate_percentiles",
    "utxo_size_inc",
    "utxo_size_inc_actual",
    "total_weight",
    "nosuchvalue",
  ]);
  return {
    analyzepsbt: [psbt],
    combinepsbt: [psbtList],
    combinerawtransaction: [fc.array(hex, { maxLength: 2 })],
    converttopsbt: [hex, boolean, boolean],
    createrawtransaction: [inputs, outputs, fc.nat(0xffff_ffff), boolean],
    decoderawtransaction: [hex, boolean],
    decodepsbt: [psbt],
    decodescript: [script],
    deriveaddresses: [descriptor, fc.nat(3)],
    estimatesmartfee: [
      fc.integer({ min: 0, max: 1010 }),
      fc.constantFrom("economical", "conservative", "unset", "ECONOMICAL"),
    ],
    finalizepsbt: [psbt, boolean],
    getaddrmaninfo: [],
    getbestblockhash: [],
    getblock: [blockHash, verbosity],
    getblockchaininfo: [],
    getblockcount: [],
    getblockfilter: [blockHash, fc.constantFrom("basic", "extended")],
    getblockhash: [height],
    getblockheader: [blockHash, boolean],
    getblockstats: [hashOrHeight, statistics],
    getchainstates: [],
    getchaintips: [],
    getchaintxstats: [fc.integer({ min: -1, max: 200 }), blockHash],
    getdeploymentinfo: [blockHash],
    getdescriptoractivity: [
      fc.array(blockHash, { maxLength: 3 }),
      fc.array(descriptor, { minLength: 1, maxLength: 2 }),
      boolean,
    ],
    getdescriptorinfo: [descriptor],
    getdifficulty: [],
    getindexinfo: [fc.constantFrom("txindex", "basic block filter index", "coinstatsindex", "")],
    getmempoolancestors: [waiting, boolean],
    getmempoolcluster: [waiting],
    getmempooldescendants: [waiting, boolean],
    getmempoolentry: [waiting],
    getmempoolinfo: [],
    getmininginfo: [],
    getnetworkhashps: [fc.integer({ min: -2, max: 300 }), height],
    getprioritisedtransactions: [],
    getrawmempool: [boolean, boolean],
    getrawtransaction: [waiting, verbosity, blockHash],
    gettxout: [txid, vout, boolean],
    gettxoutproof: [fc.array(txid, { minLength: 1, maxLength: 3 }), blockHash],
    gettxoutsetinfo: [fc.constantFrom("none", "muhash", "hash_serialized_3", "sha"), hashOrHeight, boolean],
    gettxspendingprevout: [fc.array(outpoint, { maxLength: 4 })],
    joinpsbts: [psbtList],
    scantxoutset: [fc.constantFrom("start", "status", "abort"), fc.array(descriptor, { minLength: 1, maxLength: 2 })],
    testmempoolaccept: [fc.array(hex, { minLength: 1, maxLength: 1 }), feeRate],
    utxoupdatepsbt: [psbt],
    validateaddress: [
      fc.oneof(
        address,
        fc
          .tuple(address, fc.nat(), fc.constantFrom(..."qpzry9x8gf2tvdw0s3jn54khce6mua7l"))
          .map(([text, at, character]) => replaceCharacter(text, at, character)),
      ),
    ],
    verifymessage: [address, fc.constantFrom("", "IPojfrX2dfPnH26UegfbGQ==", "not base64!"), fc.string()],
    verifytxoutproof: [proof],
  };
}

/** With another byte in the header, in the hashes or in the flags: what follows stays readable. */
function damagedProof(proofs: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...proofs), fc.nat(79), fc.nat(255))
    .map(([hex, at, byte]) => replaceByte(hex, at, byte));
}

function damagedText(texts: readonly string[]): fc.Arbitrary<string> {
  const character = fc.constantFrom(..."ABCDwxyz0189+/=");
  return fc
    .tuple(fc.constantFrom(...texts), fc.nat(), character)
    .map(([text, at, other]) => replaceCharacter(text, at, other));
}

/** Opcodes, and pushes of a few bytes. */
const opcode: fc.Arbitrary<string> = fc.oneof(
  fc.nat(255).map(toHexByte),
  fc.constantFrom(
    "51",
    "52",
    "ac",
    "ae",
    "a9",
    "88",
    "87",
    "76",
    "6a",
    "0101",
    "02ffff",
    `21${"02".repeat(33)}`,
    `14${"11".repeat(20)}`,
  ),
);

/** Points of the curve, and one that is none. */
const publicKey: fc.Arbitrary<string> = fc.constantFrom(
  "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
  "03f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
  "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
  "020000000000000000000000000000000000000000000000000000000000000005",
);

const key: fc.Arbitrary<string> = fc.oneof(
  publicKey,
  fc
    .tuple(
      fc.constantFrom("", "/0", "/1'", "/2h/3", "/*", "/0/*'"),
      fc.constantFrom("", "[d34db33f]", "[d34db33f/44h/0'/0h]"),
    )
    .map(
      ([path, origin]) =>
        `${origin}tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B${path}`,
    ),
);

function wrap(outer: string, inner: string): string {
  return outer === "" ? inner : `${outer}(${inner})`;
}

function toHexByte(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

function replaceByte(hex: string, at: number, byte: number): string {
  if (hex.length === 0) return hex;
  const start = (at % (hex.length / 2)) * 2;
  return hex.slice(0, start) + toHexByte(byte) + hex.slice(start + 2);
}

function replaceCharacter(text: string, at: number, character: string): string {
  const place = at % text.length;
  return text.slice(0, place) + character + text.slice(place + 1);
}
