import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MadeUpNode, type ServedInterface, serve, startMadeUpNode } from "../test-support/serve.ts";

let node: MadeUpNode;
let served: ServedInterface;

beforeAll(async () => {
  node = await startMadeUpNode(() => undefined);
  served = await serve(node.url);
});

afterAll(async () => {
  await served.stop();
  await node.stop();
});

type ScalarName = "Address" | "BigInt" | "Bytes" | "Bytes32" | "Long";

const address = '"0x00000000000000000000000000000000000000aa"';
const hexDigits = "0123456789abcdefABCDEF";
const hexOf = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...hexDigits), { minLength, maxLength }).map((digits) => `0x${digits.join("")}`);

/** Values that no scalar of the schema accepts, in GraphQL's syntax. */
const wrongForAll = fc.oneof(
  fc.constantFrom("true", "false", "latest", "{}", "{a: 1}", '"latest"', '""', '" "', '"0X10"', '"0xg0"', '"ab"'),
  fc.constantFrom("1.0", "1.5", "1e2", "-0.0", "-1", "-9007199254740993", '"-1"', '"1e2"', '"1.0"', '"0x-1"'),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value.toExponential()),
  fc
    .string({ maxLength: 20 })
    .filter((text) => !/^(?:0x|[0-9])/.test(text))
    .map((text) => JSON.stringify(text)),
);

const hexOfWrongLength = (digits: number): fc.Arbitrary<string> =>
  hexOf(0, 2 * digits)
    .filter((hex) => hex.length !== digits + 2)
    .map((hex) => JSON.stringify(hex));

const tooMany = (bits: bigint): fc.Arbitrary<string> =>
  fc
    .bigInt({ min: 2n ** bits, max: 2n ** (bits + 64n) })
    .chain((value) =>
      fc.constantFrom(value.toString(), JSON.stringify(value.toString()), JSON.stringify(`0x${value.toString(16)}`)),
    );

const wrongIntegers = (bits: bigint): fc.Arbitrary<string> =>
  fc.oneof(
    wrongForAll,
    tooMany(bits),
    hexOf(1, 10).map((hex) => JSON.stringify(hex.replace("0x", "0x0"))),
  );

/** Literals that are invalid for the scalar. */
const wrongLiterals: Readonly<Record<ScalarName, fc.Arbitrary<string>>> = {
  Long: wrongIntegers(64n),
  BigInt: wrongIntegers(256n),
  Bytes: fc.oneof(
    wrongForAll,
    fc.nat().map(String),
    hexOf(1, 41)
      .filter((hex) => hex.length % 2 === 1)
      .map((hex) => JSON.stringify(hex)),
  ),
  Bytes32: fc.oneof(wrongForAll, fc.nat().map(String), hexOfWrongLength(64)),
  Address: fc.oneof(wrongForAll, fc.nat().map(String), hexOfWrongLength(40)),
};

/** Positions in the schema where a value of the scalar may stand: as an argument, and inside input objects and lists. */
const places: Readonly<Record<ScalarName, readonly ((value: string) => string)[]>> = {
  Long: [
    (value) => `block(number: ${value}) { number }`,
    (value) => `blocks(from: 1, to: ${value}) { number }`,
    (value) => `logs(filter: {fromBlock: ${value}}) { index }`,
    (value) => `block(number: 1) { call(data: {gas: ${value}}) { data } }`,
  ],
  BigInt: [
    (value) => `block { call(data: {value: ${value}}) { data } }`,
    (value) => `block { estimateGas(data: {gasPrice: ${value}}) }`,
  ],
  Bytes: [(value) => `block { call(data: {data: ${value}}) { data } }`],
  Bytes32: [
    (value) => `transaction(hash: ${value}) { hash }`,
    (value) => `block { account(address: ${address}) { storage(slot: ${value}) } }`,
    (value) => `logs(filter: {topics: [[], [${value}]]}) { index }`,
  ],
  Address: [
    (value) => `block { account(address: ${value}) { balance } }`,
    (value) => `block { logs(filter: {addresses: [${value}]}) { index } }`,
    (value) => `pending { call(data: {to: ${value}}) { data } }`,
  ],
};

const names = Object.keys(places) as ScalarName[];

describe.each(names)("a wrong %s", (name) => {
  it("is refused where it is written, and nothing is asked of the node", async () => {
    await fc.assert(
      fc.asyncProperty(wrongLiterals[name], fc.constantFrom(...places[name]), async (literal, place) => {
        const response = await served.ask(`{ ${place(literal)} }`);
        expect(response.status, literal).toBe(400);
        expect(response.errors.every(({ extensions }) => extensions.code === "BAD_USER_INPUT")).toBe(true);
      }),
      { numRuns: 60 },
    );
    expect(node.requests).toEqual([]);
  });

  it("is refused as a variable, whole or inside another", async () => {
    const texts = wrongLiterals[name].filter(isJson);
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(...places[name]), async (json, place) => {
        // JSON does not distinguish 1.0 from 1.
        fc.pre(!/^-?[0-9.]+(?:e[+-]?[0-9]+)?$/.test(json) || !Number.isSafeInteger(Number(json)) || Number(json) < 0);
        const query = `query ($value: ${name}!) { ${place("$value")} }`;
        const response = await served.askText(`{"query":${JSON.stringify(query)},"variables":{"value":${json}}}`);
        expect(response.status, json).toBe(400);
        expect(response.errors.every(({ extensions }) => extensions.code === "BAD_USER_INPUT")).toBe(true);
      }),
      { numRuns: 60 },
    );
    expect(node.requests).toEqual([]);
  });
});

describe("a variable that is an input object", () => {
  it.each([
    ["FilterCriteria", "logs(filter: $value) { index }", { topics: [["0x01"]] }],
    ["FilterCriteria", "logs(filter: $value) { index }", { addresses: ["0x01"] }],
    ["FilterCriteria", "logs(filter: $value) { index }", { addresses: [null] }],
    ["FilterCriteria", "logs(filter: $value) { index }", { topics: [null] }],
    ["FilterCriteria", "logs(filter: $value) { index }", { fromBlock: "latest" }],
    ["FilterCriteria", "logs(filter: $value) { index }", { fromBlock: 1.5 }],
    ["FilterCriteria", "logs(filter: $value) { index }", { blockHash: "0x01" }],
    ["CallData", "pending { call(data: $value) { data } }", { value: -1 }],
    ["CallData", "pending { call(data: $value) { data } }", { data: "0x1" }],
    ["CallData", "pending { call(data: $value) { data } }", []],
  ])("%s in %s is refused for %j", async (type, field, value) => {
    const response = await served.ask(`query ($value: ${type}!) { ${field} }`, { value });
    expect(response).toMatchObject({ status: 400, calls: 0, errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
  });
});

describe("an integer beyond what a double holds", () => {
  it("arrives at the node as it was written, however it was written", async () => {
    const asked: unknown[] = [];
    const chain = await startMadeUpNode(({ method, params }) => {
      if (method === "eth_getBlockByNumber") asked.push(params[0]);
      return { result: null };
    });
    const direct = await serve(chain.url);
    const query = "query ($number: Long) { block(number: $number) { hash } }";
    for (const text of ["9007199254740993", '"9007199254740993"', '"0x20000000000001"']) {
      await direct.askText(`{"query":${JSON.stringify(query)},"variables":{"number":${text}}}`);
      await direct.ask(`{ block(number: ${text}) { hash } }`);
    }
    await direct.askText(`{"query":${JSON.stringify(query)},"variables":{"number":18446744073709551615}}`);
    await direct.stop();
    await chain.stop();
    expect(asked.filter((height) => height !== "latest")).toEqual([
      ...new Array(6).fill("0x20000000000001"),
      "0xffffffffffffffff",
    ]);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
