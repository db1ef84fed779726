import type { ScalarImplementation } from "@nodewright/runtime/graphql";

/**
 * The custom scalars of the schema. All of them are strings inside, in the form in which they are answered: quantities in
 * hexadecimal without leading zeros, bytes in lower case. What callers write is brought into that form here, once.
 */
export const scalars: Readonly<Record<"Address" | "BigInt" | "Bytes" | "Bytes32" | "Long", ScalarImplementation>> = {
  Address: bytesScalar("Address", /^0x[0-9a-fA-F]{40}$/, "0x and 40 hexadecimal digits"),
  BigInt: integerScalar("BigInt", 256n),
  Bytes: bytesScalar("Bytes", /^0x(?:[0-9a-fA-F]{2})*$/, "0x and an even count of hexadecimal digits"),
  Bytes32: bytesScalar("Bytes32", /^0x[0-9a-fA-F]{64}$/, "0x and 64 hexadecimal digits"),
  Long: integerScalar("Long", 64n),
};

function bytesScalar(name: string, pattern: RegExp, form: string): ScalarImplementation {
  return {
    serialize(value) {
      if (typeof value !== "string") throw new TypeError(`${name} cannot represent a value that is not text`);
      return value.toLowerCase();
    },
    parse(value) {
      if (typeof value !== "string" || !pattern.test(value)) throw new TypeError(`${name} must be ${form}`);
      return value.toLowerCase();
    },
  };
}

function integerScalar(name: string, bits: bigint): ScalarImplementation {
  const limit = 1n << bits;
  const form = "a natural number, or text of one in decimal, or in hexadecimal with 0x, without leading zeros";
  return {
    serialize(value) {
      if (typeof value === "number" || typeof value === "bigint") return `0x${value.toString(16)}`;
      if (typeof value !== "string") throw new TypeError(`${name} cannot represent a value that is no quantity`);
      // Clients have been seen to pad the parts of signatures.
      return value.length > 3 && value.startsWith("0x0") ? value.replace(/^0x0+(?=.)/, "0x") : value;
    },
    parse(value) {
      const integer = readInteger(value);
      if (integer === undefined) throw new TypeError(`${name} must be ${form}`);
      if (integer >= limit) throw new TypeError(`${name} must have at most ${bits} bits`);
      return `0x${integer.toString(16)}`;
    },
  };
}

/** Undefined when the value is no natural number, or a JSON number that may already have lost digits. */
function readInteger(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value >= 0n ? value : undefined;
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  if (typeof value !== "string" || value.length > maximumDigits) return undefined;
  return /^(?:0|[1-9][0-9]*|0x(?:0|[1-9a-fA-F][0-9a-fA-F]*))$/.test(value) ? BigInt(value) : undefined;
}

/** Enough for 2^256 - 1 in decimal; the rest is refused before it costs time. */
const maximumDigits = 78;
