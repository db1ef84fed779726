import type { ServiceError } from "@nodewright/runtime";
import { describe, expect, it } from "vitest";
import { findListProblem } from "./parameters/find-list-problem.ts";
import { findLocatorProblem, findOutputProblem, findProofProblem } from "./parameters/find-transaction-problem.ts";
import { findOutputsProblem } from "./mempool/find-outputs-problem.ts";
import {
  hashProblem,
  hexProblem,
  isNumber,
  isObject,
  truncate,
  typeName,
  typeProblem,
} from "./parameters/parameter-problems.ts";
import { findRawTransactionProblem } from "./raw-transaction/find-parameter-problem.ts";
import { findRangeProblem, findScanProblem } from "./scan/find-scan-problem.ts";
import { findBlockProblem } from "./statistics/find-block-problem.ts";

type Finder = (sent: (name: string) => unknown) => ServiceError | undefined;

/** Returns code and message, or `undefined` where there is no problem. */
function problemOf(find: Finder, params: Readonly<Record<string, unknown>>): string | undefined {
  const problem = find((name) => params[name]);
  return problem && `${problem.rpcCode} ${problem.message}`;
}

const hash = "aB".repeat(32);
const short = (name: string) => `-8 ${name} must be of length 64 (not 2, for 'ab')`;
const notHex = (name: string) => `-8 ${name} must be hexadecimal string (not '${"zz".repeat(32)}')`;
const outOfRange = "-1 JSON integer out of range";
const wrongType = (place: string, found: string, expected: string) =>
  `-3 Wrong type passed:\n{\n    "${place}": "JSON value of type ${found} is not of expected type ${expected}"\n}`;
/** Strings similar to a hash that are invalid. */
const noHashes = [
  "",
  hash.slice(1),
  `${hash}0`,
  `0${hash}`,
  `${hash.slice(1)}g`,
  `g${hash.slice(1)}`,
  ` ${hash.slice(1)}`,
];

describe("what is wrong with parameters, in Bitcoin Core's words", () => {
  it.each<[output: Readonly<Record<string, unknown>>, problem: string | undefined]>([
    [{ txid: hash, vout: 0 }, undefined],
    [{ txid: hash, vout: 0xffffffff }, undefined],
    [{ txid: hash, vout: 1n }, undefined],
    [{ txid: 7, vout: "0" }, undefined],
    [{ txid: "ab", vout: -1 }, short("txid")],
    [{ txid: "zz".repeat(32) }, notHex("txid")],
    [{ txid: hash, vout: -1 }, outOfRange],
    [{ txid: hash, vout: 0x100000000 }, outOfRange],
    [{ txid: hash, vout: 1.5 }, outOfRange],
    [{ txid: hash, vout: 2n ** 64n }, outOfRange],
  ])("of gettxout: %o", (params, problem) => expect(problemOf(findOutputProblem, params)).toBe(problem));

  it.each<[params: Readonly<Record<string, unknown>>, problem: string | undefined]>([
    [{}, undefined],
    [{ txids: [hash, hash.toLowerCase()] }, undefined],
    [{ txids: [] }, "-8 Parameter 'txids' cannot be empty"],
    [{ txids: "" }, undefined],
    [{ txids: [hash, "ab"] }, short("txid")],
    [{ txids: [hash, 7] }, wrongType("txids[1]", "number", "string")],
  ])("of gettxoutproof: %o", (params, problem) => expect(problemOf(findProofProblem, params)).toBe(problem));

  it.each<[params: Readonly<Record<string, unknown>>, problem: string | undefined]>([
    [{ blocklocators: [] }, undefined],
    [{ blocklocators: [hash] }, undefined],
    [{ blocklocators: "ab" }, undefined],
    [{ blocklocators: ["zz".repeat(32)] }, notHex("blocklocators")],
    [{ blocklocators: [null] }, wrongType("blocklocators[0]", "null", "string")],
  ])("of getheaders: %o", (params, problem) => expect(problemOf(findLocatorProblem, params)).toBe(problem));

  it.each<[params: Readonly<Record<string, unknown>>, problem: string | undefined]>([
    [{ hash_or_height: hash }, undefined],
    [{ hash_or_height: 0, stats: ["height"] }, undefined],
    [{ hash_or_height: 0x7fffffff }, undefined],
    [{ hash_or_height: 5n }, undefined],
    [{ hash_or_height: "ab" }, short("hash_or_height")],
    [{ hash_or_height: "zz".repeat(32) }, notHex("hash_or_height")],
    [{ hash_or_height: -1 }, "-8 Target block height -1 is negative"],
    [{ hash_or_height: -0x80000000 }, "-8 Target block height -2147483648 is negative"],
    [{ hash_or_height: -0x80000001 }, outOfRange],
    [{ hash_or_height: 0x80000000 }, outOfRange],
    [{ hash_or_height: 2n ** 70n }, outOfRange],
    [{ hash_or_height: 1.5 }, outOfRange],
    [{ hash_or_height: hash, stats: ["height", 1] }, wrongType("stats[1]", "number", "string")],
    [{ stats: [{}] }, wrongType("stats[0]", "object", "string")],
  ])("of getblockstats: %o", (params, problem) => expect(problemOf(findBlockProblem, params)).toBe(problem));

  it("of any hash", () => {
    for (const text of noHashes) {
      for (const [find, params] of [
        [findOutputProblem, { txid: text }],
        [findProofProblem, { txids: [text] }],
        [findLocatorProblem, { blocklocators: [text] }],
        [findBlockProblem, { hash_or_height: text }],
        [findOutputsProblem, { outputs: [{ txid: text, vout: 0 }] }],
        [findRawTransactionProblem, { inputs: [{ txid: text, vout: 0 }], outputs: [] }],
      ] as const) {
        expect(problemOf(find, params), text).toMatch(/^-8 \w+ must be (?:of length 64 \(not \d+|hexadecimal string)/);
      }
    }
  });

  it.each<[params: Readonly<Record<string, unknown>>, problem: string | undefined]>([
    [{}, undefined],
    [{ outputs: {} }, undefined],
    [{ outputs: [] }, "-8 Invalid parameter, outputs are missing"],
    [
      {
        outputs: [
          { txid: hash, vout: 0 },
          { txid: hash, vout: 0x7fffffff },
        ],
      },
      undefined,
    ],
    [{ outputs: [{ txid: hash, vout: 3n }] }, undefined],
    [{ outputs: [{ txid: hash, vout: 0 }], options: { mempool_only: true, return_spending_tx: false } }, undefined],
    [{ outputs: [{ txid: hash, vout: 0 }], options: [] }, undefined],
    [{ outputs: [7] }, "-3 JSON value of type number is not of expected type object"],
    [{ outputs: [[]] }, "-3 JSON value of type array is not of expected type object"],
    [{ outputs: [{ vout: 0 }] }, "-3 Missing txid"],
    [{ outputs: [{ txid: hash }] }, "-3 Missing vout"],
    [{ outputs: [{ txid: 7, vout: 0 }] }, "-3 JSON value of type number for field txid is not of expected type string"],
    [
      { outputs: [{ txid: hash, vout: "0" }] },
      "-3 JSON value of type string for field vout is not of expected type number",
    ],
    [{ outputs: [{ txid: hash, vout: 0, more: 1 }] }, "-3 Unexpected key more"],
    [{ outputs: [{ txid: hash, vout: 0, constructor: 1 }] }, "-3 Unexpected key constructor"],
    [{ outputs: [{ txid: "ab", vout: 0 }] }, short("txid")],
    [{ outputs: [{ txid: hash, vout: -1 }] }, "-8 Invalid parameter, vout cannot be negative"],
    [{ outputs: [{ txid: hash, vout: -0x80000000 }] }, "-8 Invalid parameter, vout cannot be negative"],
    [{ outputs: [{ txid: hash, vout: -0x80000001 }] }, outOfRange],
    [{ outputs: [{ txid: hash, vout: 0x80000000 }] }, outOfRange],
    [{ outputs: [{ txid: hash, vout: 0.5 }] }, outOfRange],
    [{ outputs: [{ txid: hash, vout: 0 }, {}] }, "-3 Missing txid"],
    [
      { outputs: [{}], options: { mempool_only: 1 } },
      "-3 JSON value of type number for field mempool_only is not of expected type bool",
    ],
    [
      { outputs: [{}], options: { return_spending_tx: "x" } },
      "-3 JSON value of type string for field return_spending_tx is not of expected type bool",
    ],
    [{ outputs: [{}], options: { more: 1 } }, "-3 Unexpected key more"],
  ])("of gettxspendingprevout: %o", (params, problem) => expect(problemOf(findOutputsProblem, params)).toBe(problem));
});

describe("what is wrong with createrawtransaction's parameters", () => {
  const valid = { inputs: [{ txid: hash, vout: 0 }], outputs: [] };
  const range = (name: string) => `-8 Invalid parameter, ${name} out of range`;

  it.each<[params: Readonly<Record<string, unknown>>, problem: string | undefined]>([
    [{}, undefined],
    [{ locktime: 0, version: 1 }, undefined],
    [{ locktime: 0xffffffff, version: 3 }, undefined],
    [{ locktime: 7n, version: 2n }, undefined],
    [{ locktime: "7", version: "2" }, undefined],
    [{ locktime: -1 }, range("locktime")],
    [{ locktime: 0x100000000 }, range("locktime")],
    [{ locktime: 1.5 }, outOfRange],
    [{ version: 0 }, "-8 Invalid parameter, version out of range(1~3)"],
    [{ version: 4 }, "-8 Invalid parameter, version out of range(1~3)"],
    [{ version: 0xffffffff }, "-8 Invalid parameter, version out of range(1~3)"],
    [{ version: 0x100000000 }, outOfRange],
    [{ version: -1 }, outOfRange],
    [{ version: 1.5 }, outOfRange],
    // The first of several.
    [{ locktime: -1, version: -1, inputs: [1], outputs: null }, range("locktime")],
    [{ version: -1, inputs: [1], outputs: null }, outOfRange],
    [{ inputs: [1], outputs: null }, wrongType("Position 1 (inputs), at [0]", "number", "object")],
    [{ inputs: "x" }, undefined],
    [{ inputs: [{ txid: hash, vout: 0 }, []] }, wrongType("Position 1 (inputs), at [1]", "array", "object")],
    [{ inputs: [{ vout: 0 }] }, wrongType("Position 1 (inputs), at [0].txid", "null", "string")],
    [{ inputs: [{ txid: "ab", vout: 0 }] }, short("txid")],
    [{ inputs: [{ txid: hash }] }, "-8 Invalid parameter, missing vout key"],
    [{ inputs: [{ txid: hash, vout: "0" }] }, "-8 Invalid parameter, missing vout key"],
    [{ inputs: [{ txid: hash, vout: 0x7fffffff }] }, undefined],
    [{ inputs: [{ txid: hash, vout: 0x80000000 }] }, outOfRange],
    [{ inputs: [{ txid: hash, vout: -0x80000000 }] }, "-8 Invalid parameter, vout cannot be negative"],
    [{ inputs: [{ txid: hash, vout: -0x80000001 }] }, outOfRange],
    [{ inputs: [{ txid: hash, vout: -1 }] }, "-8 Invalid parameter, vout cannot be negative"],
    [{ inputs: [{ txid: hash, vout: 0.5 }] }, outOfRange],
    [{ inputs: [{ txid: hash, vout: 0, sequence: null }] }, undefined],
    [{ inputs: [{ txid: hash, vout: 0, sequence: 0 }] }, undefined],
    [{ inputs: [{ txid: hash, vout: 0, sequence: 0xffffffff }] }, undefined],
    [{ inputs: [{ txid: hash, vout: 0, sequence: 0x100000000 }] }, range("sequence number is")],
    [{ inputs: [{ txid: hash, vout: 0, sequence: -1 }] }, range("sequence number is")],
    [{ inputs: [{ txid: hash, vout: 0, sequence: 1.5 }] }, outOfRange],
    [
      { inputs: [{ txid: hash, vout: 0, sequence: "1" }] },
      wrongType("Position 1 (inputs), at [0].sequence", "string", "number"),
    ],
    [{ outputs: null }, "-8 Invalid parameter, output argument must be non-null"],
    [{ outputs: 7 }, wrongType("Position 2 (outputs)", "number", "array or object")],
    [{ outputs: {} }, undefined],
    [{ outputs: { a: 1, data: "00" } }, undefined],
    [{ outputs: { a: "0.1" } }, undefined],
    [{ outputs: { a: true } }, "-3 Amount is not a number or string"],
    [{ outputs: { data: [] } }, "-3 Amount is not a number or string"],
    [{ outputs: { a: "x" } }, "-3 Invalid amount"],
    [{ outputs: { a: 0.000000001 } }, "-3 Invalid amount"],
    [{ outputs: [{ a: 1 }, { data: "x" }, { b: 2n }] }, undefined],
    [{ outputs: [{ a: 1 }, 7] }, "-8 Invalid parameter, key-value pair not an object as expected"],
    [{ outputs: [{ a: 1 }, []] }, "-8 Invalid parameter, key-value pair not an object as expected"],
    [{ outputs: [{ a: 1 }, { b: null }] }, "-3 Amount is not a number or string"],
  ])("%o", (params, problem) => expect(problemOf(findRawTransactionProblem, { ...valid, ...params })).toBe(problem));
});

describe("what is wrong with a scan", () => {
  const mustBePair = "-8 Range must be specified as end or as [begin,end]";

  it.each<[range: unknown, problem: string | undefined]>([
    [0, undefined],
    [999_999, undefined],
    [7n, undefined],
    [[0, 0], undefined],
    [[5, 1_000_004], undefined],
    [[2 ** 31 - 1, 2 ** 31 - 1], undefined],
    [[5, 1_000_005], "-8 Range is too large"],
    [1_000_000, "-8 Range is too large"],
    ["7", mustBePair],
    [null, mustBePair],
    [[1], mustBePair],
    [[1, 2, 3], mustBePair],
    [["1", 2], mustBePair],
    [[1, "2"], mustBePair],
    [1.5, outOfRange],
    [[0.5, 2], outOfRange],
    [[2, 1], "-8 Range specified as [begin,end] must not have begin after end"],
    [[-1, 2], "-8 Range should be greater or equal than 0"],
    [-1, "-8 End of range is too high"],
    [2 ** 31, "-8 End of range is too high"],
    [[2 ** 31, 2 ** 31], "-8 End of range is too high"],
  ])("over the range %o", (range, problem) => {
    const found = findRangeProblem(range);
    expect(found && `${found.rpcCode} ${found.message}`).toBe(problem);
    const object = { desc: "raw(00)", range };
    // A range of null counts as absent.
    expect(problemOf(findScanProblem, { action: "start", scanobjects: [object] })).toBe(
      range === null ? undefined : problem,
    );
  });

  it.each<[params: Readonly<Record<string, unknown>>, problem: string | undefined]>([
    [{ action: "start" }, undefined],
    [{ action: "start", scanobjects: ["raw(00)", { desc: "raw(00)" }] }, undefined],
    [{ action: "status", scanobjects: [7] }, undefined],
    [{ action: "abort", scanobjects: [7] }, undefined],
    [{ action: 7, scanobjects: [7] }, undefined],
    [{ action: "begin" }, "-8 Invalid action 'begin'"],
    [{ action: "" }, "-8 Invalid action ''"],
    [{ action: "start", scanobjects: ["raw(00)", 7] }, "-8 Scan object needs to be either a string or an object"],
    [{ action: "start", scanobjects: [[]] }, "-8 Scan object needs to be either a string or an object"],
    [{ action: "start", scanobjects: [{}] }, "-8 Descriptor needs to be provided in scan object"],
    [{ action: "start", scanobjects: [{ desc: null }] }, "-8 Descriptor needs to be provided in scan object"],
    [
      { action: "start", scanobjects: ["raw(00)", { desc: 7 }] },
      wrongType("Position 2 (scanobjects), at [1].desc", "number", "string"),
    ],
  ])("%o", (params, problem) => expect(problemOf(findScanProblem, params)).toBe(problem));
});

describe("what is said of parameters", () => {
  it.each([
    [null, "null"],
    [undefined, "null"],
    [[], "array"],
    [1, "number"],
    [1n, "number"],
    [true, "bool"],
    ["", "string"],
    [{}, "object"],
  ])("names the type of %o: %s", (value, name) => {
    expect(typeName(value)).toBe(name);
    expect([isNumber(value), isObject(value)]).toEqual([name === "number", name === "object"]);
  });

  it("names each that is of a wrong type, and only the first of a list", () => {
    const mistyped = [
      { place: "a", value: 1, expected: "string" },
      { place: "b", value: [], expected: "bool" },
    ];
    expect(typeProblem(mistyped)).toMatchObject({
      rpcCode: -3,
      message: `Wrong type passed:
{
    "a": "JSON value of type number is not of expected type string",
    "b": "JSON value of type array is not of expected type bool"
}`,
    });
    expect(findListProblem("txs", ["a", 1, 2])?.message).toBe(
      wrongType("txs[1]", "number", "string").slice("-3 ".length),
    );
    expect([findListProblem("txs", ["a"]), findListProblem("txs", []), findListProblem("txs", "a")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("has a hundred characters of a text at most", () => {
    const [fitting, long] = ["x".repeat(100), "x".repeat(101)];
    expect([truncate(fitting), truncate(long)]).toEqual([fitting, `${fitting}…`]);
    expect(hashProblem("txid", long).message).toBe(`txid must be of length 64 (not 101, for '${fitting}…')`);
    expect(hexProblem("data", long)).toMatchObject({
      rpcCode: -8,
      message: `data must be hexadecimal string (not '${fitting}…')`,
    });
    // Bytes of UTF-8 count.
    expect(hashProblem("txid", "é".repeat(32)).message).toBe(
      `txid must be hexadecimal string (not '${"é".repeat(32)}')`,
    );
  });
});
