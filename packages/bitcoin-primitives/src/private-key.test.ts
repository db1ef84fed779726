import { describe, expect, it } from "vitest";
import { networks } from "./network.ts";
import { encodePrivateKey, parsePrivateKey } from "./private-key.ts";

const secret = Array.from({ length: 32 }, (_, index) => index + 1);

describe("parsePrivateKey", () => {
  it.each([
    ["L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1", "mainnet", true],
    ["5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss", "mainnet", false],
    ["cUeKHd5orzT3mz8P9pxyREHfsWtVfgsfDjiZZBcjUBAaGk1BTj7N", "regtest", true],
  ] as const)("reads %s of %s", (text, network, compressed) => {
    const key = parsePrivateKey(text, networks[network]) ?? expect.unreachable(text);
    expect(key.compressed).toBe(compressed);
    expect(encodePrivateKey(key, networks[network])).toBe(text);
  });

  it("reads no other text", () => {
    const { mainnet, regtest } = networks;
    expect(parsePrivateKey("L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1", regtest)).toBeUndefined();
    expect(parsePrivateKey("L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY2", mainnet)).toBeUndefined();
    expect(parsePrivateKey("", mainnet)).toBeUndefined();
    // Base 58 has no zero.
    expect(parsePrivateKey("L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY0", mainnet)).toBeUndefined();
    expect(parsePrivateKey("1".repeat(100_000), mainnet)).toBeUndefined();
    expect(parsePrivateKey("z".repeat(1_000_000), mainnet)).toBeUndefined();
    const zero = encodePrivateKey({ secret: new Uint8Array(32), compressed: true }, mainnet);
    expect(parsePrivateKey(zero, mainnet)).toBeUndefined();
  });

  it.each([
    ["another mark of compression", [...secret, 2]],
    ["two marks", [...secret, 1, 1]],
    ["a secret of 31 bytes", secret.slice(1)],
    ["a secret of 31 bytes with a mark", [...secret.slice(2), 1]],
    ["no secret", []],
  ])("reads no text with %s", (_, bytes) => {
    const { mainnet } = networks;
    const text = encodePrivateKey({ secret: Uint8Array.from(bytes), compressed: false }, mainnet);
    expect(parsePrivateKey(text, mainnet)).toBeUndefined();
  });

  it.each(Object.values(networks))("reads the keys of $name's kind alone", (network) => {
    const text = encodePrivateKey({ secret: Uint8Array.from(secret), compressed: true }, network);
    expect(text[0]).toBe(network.name === "mainnet" ? "K" : "c");
    for (const other of Object.values(networks)) {
      const isSameKind = (other.name === "mainnet") === (network.name === "mainnet");
      expect(parsePrivateKey(text, other)).toEqual(
        isSameKind ? { secret: Uint8Array.from(secret), compressed: true } : undefined,
      );
    }
  });
});
