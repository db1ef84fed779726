import { addressOfScript, fromHex, type Network, networks, scriptType } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { renderDescriptor } from "./descriptor.ts";

const compressedKey = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const uncompressedKey =
  "04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f";
const hybridKey = `06${uncompressedKey.slice(2)}`;

function descriptorOf(hex: string, network: Network = networks.mainnet): string {
  const script = fromHex(hex) ?? expect.unreachable(hex);
  return renderDescriptor(script, scriptType(script).core, addressOfScript(script, network));
}

/** Returns the descriptor without the checksum, which has tests of its own. */
function bodyOf(hex: string): string | undefined {
  return descriptorOf(hex).split("#")[0];
}

describe("renderDescriptor", () => {
  it("ends with the checksum", () => {
    expect(descriptorOf("deadbeef")).toBe("raw(deadbeef)#89f8spxm");
  });

  it.each([
    ["a compressed key", `21${compressedKey}ac`, `pk(${compressedKey})`],
    ["an uncompressed key", `41${uncompressedKey}ac`, `pk(${uncompressedKey})`],
    ["a hybrid key, which descriptors don't have", `41${hybridKey}ac`, `raw(41${hybridKey}ac)`],
    ["multisignature", `5121${compressedKey}41${uncompressedKey}52ae`, `multi(1,${compressedKey},${uncompressedKey})`],
    ["multisignature with a hybrid key", `5141${hybridKey}51ae`, `raw(5141${hybridKey}51ae)`],
    ["a public key hash", `76a914${"00".repeat(20)}88ac`, "addr(1111111111111111111114oLvT2)"],
    ["a script hash", "a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87", "addr(3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy)"],
    [
      "a witness key hash",
      "0014751e76e8199196d454941c45d1b3a323f1433bd6",
      "addr(bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4)",
    ],
    ["a taproot key", `5120${compressedKey.slice(2)}`, `rawtr(${compressedKey.slice(2)})`],
    [
      "32 bytes that are no taproot key",
      "5120eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34",
      "addr(bc1pam775nxmvam4pfpqlm5q06k0y84e3x9w0xuhdpmxuna2qj3dfg6qnzh0s2)",
    ],
    ["the anchor", "51024e73", "addr(bc1pfeessrawgf)"],
    ["data", "6a0548656c6c6f", "raw(6a0548656c6c6f)"],
    ["nothing", "", "raw()"],
  ])("describes %s", (_what, hex, descriptor) => {
    expect(bodyOf(hex)).toBe(descriptor);
  });

  it("names addresses of the network", () => {
    expect(descriptorOf("0014751e76e8199196d454941c45d1b3a323f1433bd6", networks.regtest)).toMatch(/^addr\(bcrt1q/);
  });
});
