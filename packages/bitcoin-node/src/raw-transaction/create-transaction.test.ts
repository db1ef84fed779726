import type { CreaterawtransactionInput } from "@nodewright/bitcoin-api/types";
import {
  addressOfScript,
  displayHash,
  networks,
  parseTransaction,
  serializeTransaction,
  toHex,
} from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAmount, satoshiOf } from "./amount.ts";
import { createTransaction } from "./create-transaction.ts";
import { cpuMillisecondsOf } from "../../../../test/support/cpu-time.ts";

const network = networks.mainnet;
const txid = "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16";
const input = { txid, vout: 0 };
const address = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

function create(parameters: Partial<CreaterawtransactionInput>) {
  return createTransaction({ inputs: [input], outputs: [], ...parameters }, network);
}

describe("createTransaction", () => {
  it("writes what decoders read", () => {
    const bytes = serializeTransaction(
      create({
        inputs: [{ txid: txid.toUpperCase(), vout: 2 ** 31 - 1, sequence: 7 }, input],
        outputs: [{ [address]: 1n }, { bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4: "0.5" }, { data: "00ff" }],
        locktime: 9,
        version: 3,
      }),
    );
    const transaction = parseTransaction(bytes);
    expect(transaction).toMatchObject({ version: 3, locktime: 9 });
    expect(
      transaction.inputs.map(({ previousOutput, sequence }) => [
        displayHash(previousOutput.txid),
        previousOutput.vout,
        sequence,
      ]),
    ).toEqual([
      [txid, 2 ** 31 - 1, 7],
      [txid, 0, 0xfffffffd],
    ]);
    expect(
      transaction.outputs.map(({ value, scriptPubKey }) => [value, addressOfScript(scriptPubKey, network)]),
    ).toEqual([
      [1n, address],
      [50_000_000n, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
      [0n, undefined],
    ]);
    expect(toHex(transaction.outputs[2]?.scriptPubKey ?? expect.unreachable())).toBe("6a0200ff");
  });

  it("may have neither inputs nor outputs", () => {
    expect(toHex(serializeTransaction(create({ inputs: [] })))).toBe("02000000000000000000");
  });

  it.each([
    [{}, 0xfffffffd],
    [{ replaceable: true }, 0xfffffffd],
    [{ replaceable: true, locktime: 1 }, 0xfffffffd],
    [{ replaceable: false }, 0xffffffff],
    [{ replaceable: false, locktime: 1 }, 0xfffffffe],
  ])("chooses for %o the sequence number %i", (parameters, sequence) => {
    expect(create(parameters).inputs[0]?.sequence).toBe(sequence);
  });

  it("chooses one where it is null", () => {
    expect(create({ inputs: [{ ...input, sequence: null }] }).inputs[0]?.sequence).toBe(0xfffffffd);
  });

  it("refuses sequence numbers that contradict what was requested", () => {
    const final = { ...input, sequence: 0xffffffff };
    expect(() => create({ inputs: [final], replaceable: true })).toThrow("contradict replaceable option");
    expect(() => create({ inputs: [final, input], replaceable: true })).not.toThrow();
    expect(() => create({ inputs: [final] })).not.toThrow();
    expect(() => create({ inputs: [], replaceable: true })).not.toThrow();
    expect(() => create({ inputs: [{ ...input, sequence: 0 }], replaceable: false })).not.toThrow();
  });

  it("knows an address by what it pays", () => {
    const twice = [
      { BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4: 1n },
      { bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4: 1n },
    ];
    expect(() => create({ outputs: twice })).toThrow(
      "Invalid parameter, duplicated address: bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    );
  });

  it("refuses a repeated name before its amount, and an address in another spelling behind it", () => {
    const address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    expect(() => create({ outputs: [{ [address]: 1n }, { [address]: -1n }] })).toThrow("duplicated address");
    const otherwise = { [address.toUpperCase()]: -1n };
    expect(() => create({ outputs: [{ [address]: 1n }, otherwise] })).toThrow("Amount out of range");
    expect(() => create({ outputs: [{ [address]: -1n }, { [address]: 1n }] })).toThrow("Amount out of range");
  });

  it("looks at the amount before the address", () => {
    expect(() => create({ outputs: [{ nowhere: -1n }] })).toThrow("Amount out of range");
    expect(() => create({ outputs: [{ nowhere: 1n }] })).toThrow("Invalid Bitcoin address: nowhere");
  });

  it.each(["", "0", "zz", 1n])("refuses the data %s", (data) => {
    expect(() => create({ outputs: { data } })).toThrow("Data must be hexadecimal string");
  });

  it("builds thousands of inputs and outputs in a time that their number bounds", () => {
    const outputs = Array.from({ length: 10_000 }, (_, number) => {
      const script = Buffer.concat([Buffer.from("0014", "hex"), Buffer.alloc(20)]);
      script.writeUInt32BE(number, 2);
      return { [addressOfScript(script, network) ?? ""]: 1n };
    });
    const createAll = () => {
      const { inputs } = create({ inputs: Array.from({ length: 10_000 }, () => input), outputs });
      expect(inputs).toHaveLength(10_000);
    };
    expect(cpuMillisecondsOf(createAll)).toBeLessThan(5_000);
  });
});

describe("satoshiOf", () => {
  it.each([
    ["0", 0n],
    ["-0", 0n],
    ["1", 100_000_000n],
    ["0.00000001", 1n],
    ["1e-8", 1n],
    ["1E+2", 10_000_000_000n],
    ["20999999.9769", 2_099_999_997_690_000n],
    ["0.1000000000000000000", 10_000_000n],
    ["100000000e-8", 100_000_000n],
    ["-1.5", -150_000_000n],
    ["-0.5", -50_000_000n],
    ["10e-9", 1n],
    ["0.5e1", 500_000_000n],
    ["1e9", 100_000_000_000_000_000n],
    ["0e9", 0n],
    ["0.0e9", 0n],
    ["0e-8", 0n],
    ["0.05", 5_000_000n],
    ["0.0", 0n],
    ["100", 10_000_000_000n],
    [`0.5${"0".repeat(97)}`, 50_000_000n],
    ["1e000000000", 100_000_000n],
    ["1e+00000000", 100_000_000n],
    ["1e-00000008", 1n],
  ])("reads %s", (text, satoshi) => {
    expect(satoshiOf(text)).toBe(satoshi);
  });

  it.each([
    "",
    " 1",
    "1 ",
    "+1",
    "1.",
    ".1",
    "01",
    "1e",
    "1e+",
    "0x1",
    "1,0",
    "NaN",
    "Infinity",
    "0.000000001",
    "1e-9",
    "1e10",
    "1e999999999999",
    "1".repeat(1_000),
    `0.5${"0".repeat(98)}`,
    "1e0000000000",
    "1e+000000000",
    "1e-9e",
    "--1",
    "1-",
    "00",
    "1.5.5",
    "0.5e-8",
    "0e-9",
    "0e10",
    "1e 2",
  ])("does not read %j", (text) => {
    expect(satoshiOf(text)).toBeUndefined();
  });

  it("reads each amount that is written with eight decimals", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }), (satoshi) => {
        const digits = satoshi.toString().padStart(9, "0");
        expect(satoshiOf(`${digits.slice(0, -8)}.${digits.slice(-8)}`)).toBe(satoshi);
      }),
    );
  });
});

describe("readAmount", () => {
  it("takes all that there will be, as text and in satoshi", () => {
    expect(readAmount("21000000", "outputs")).toBe(2_100_000_000_000_000n);
    expect([readAmount(2_100_000_000_000_000n, "outputs"), readAmount(0n, "outputs")]).toEqual([
      2_100_000_000_000_000n,
      0n,
    ]);
  });

  it("names the parameter", () => {
    const problemOf = (amount: bigint | string): unknown => {
      try {
        return readAmount(amount, "outputs");
      } catch (error) {
        return error;
      }
    };
    for (const amount of ["one", -1n, 10n ** 18n])
      expect(problemOf(amount)).toMatchObject({ rpcCode: -3, details: { parameters: ["outputs"] } });
  });

  it.each([
    ["21000000.00000001", "Amount out of range"],
    ["-0.00000001", "Amount out of range"],
    [2_100_000_000_000_001n, "Amount out of range"],
    [-1n, "Amount out of range"],
    [10n ** 18n - 1n, "Amount out of range"],
    [-(10n ** 18n) + 1n, "Amount out of range"],
    [10n ** 18n, "Invalid amount"],
    [-(10n ** 18n), "Invalid amount"],
    ["one", "Invalid amount"],
  ])("refuses %s: %s", (amount, message) => {
    expect(() => readAmount(amount, "outputs")).toThrow(message);
  });
});
