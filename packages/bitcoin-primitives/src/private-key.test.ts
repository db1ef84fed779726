import { describe, expect, it } from "vitest";
import { networks } from "./network.ts";
import { encodePrivateKey, parsePrivateKey } from "./private-key.ts";

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
    expect(parsePrivateKey("1".repeat(100_000), mainnet)).toBeUndefined();
    const zero = encodePrivateKey({ secret: new Uint8Array(32), compressed: true }, mainnet);
    expect(parsePrivateKey(zero, mainnet)).toBeUndefined();
  });
});
