import type { ChainQueries } from "@nodewright/bitcoin-indexer";
import { type NetworkName, networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import type { BitcoinNodeContext } from "./context.ts";
import { decodescript } from "./handlers/decodescript.ts";

const key = "03b0da749730dc9b4b1f4a14d6902877a92541f5368778853d9c4a0cb7802dcfb2";
const keyHash = "5dd1d3a048119c27b28293056724d9522f26d945";
const longKey =
  "04b0da749730dc9b4b1f4a14d6902877a92541f5368778853d9c4a0cb7802dcfb25e01fc8fde47c96c98a4f3a8123e33a38a50cf9025cc8c4494a518f991792bb7";

/** The handler looks at nothing but the network. */
function contextOf(network: NetworkName): BitcoinNodeContext {
  return { index: { network: networks[network] } as ChainQueries } as BitcoinNodeContext;
}

async function decode(hexstring: string, network: NetworkName = "regtest") {
  const decoded = await decodescript({ hexstring }, contextOf(network));
  return decoded as Exclude<typeof decoded, { readonly text: unknown }>;
}

describe("decodescript", () => {
  it("wraps a key in its witness program", async () => {
    const decoded = await decode(`21${key}ac`);
    expect(Object.keys(decoded)).toEqual(["asm", "desc", "type", "p2sh", "segwit"]);
    expect(decoded).toMatchObject({ asm: `${key} OP_CHECKSIG`, type: "pubkey" });
    expect(Object.keys(decoded.segwit ?? {})).toEqual(["asm", "desc", "hex", "address", "type", "p2sh-segwit"]);
    expect(decoded.segwit).toMatchObject({ asm: `0 ${keyHash}`, type: "witness_v0_keyhash", hex: `0014${keyHash}` });
  });

  it("wraps a key's hash in the same program", async () => {
    const decoded = await decode(`76a914${keyHash}88ac`);
    expect(decoded.segwit).toEqual((await decode(`21${key}ac`)).segwit);
    expect(decoded.address).toMatch(/^[mn]/);
  });

  it("wraps multisignature, which has no address of its own, in a script's program, and says what is in it", async () => {
    const decoded = await decode(`5221${key}21${key}21${key}53ae`);
    expect(decoded).not.toHaveProperty("address");
    expect(decoded).toMatchObject({ asm: `2 ${key} ${key} ${key} 3 OP_CHECKMULTISIG`, type: "multisig" });
    expect(decoded.segwit).toMatchObject({
      type: "witness_v0_scripthash",
      desc: expect.stringMatching(`^wsh\\(multi\\(2,${key},${key},${key}\\)\\)#`),
    });
  });

  it("wraps a script of no known kind both ways", async () => {
    const script = `6321${key}ad670320a107b1756821${key}ac`;
    const decoded = await decode(script);
    expect(decoded).toMatchObject({
      asm: `OP_IF ${key} OP_CHECKSIGVERIFY OP_ELSE 500000 OP_CHECKLOCKTIMEVERIFY OP_DROP OP_ENDIF ${key} OP_CHECKSIG`,
      type: "nonstandard",
      p2sh: expect.stringMatching(/^2/),
      segwit: { type: "witness_v0_scripthash", "p2sh-segwit": expect.stringMatching(/^2/) },
    });
  });

  it.each([
    ["a long key", `41${longKey}ac`],
    ["a hybrid key", `4106${longKey.slice(2)}ac`],
    ["multisignature with a long key", `5221${key}41${longKey}52ae`],
    ["a witness program of a key", `0014${keyHash}`],
    ["a witness program of a script", `0020${"d8590cf8ea0674cf3d49fd7ca249b85ef7485dea62c138468bddeb20cd6519f7"}`],
  ])("wraps in a script hash alone: %s", async (_what, script) => {
    const decoded = await decode(script);
    expect(decoded.p2sh).toMatch(/^2/);
    expect(decoded).not.toHaveProperty("segwit");
  });

  it.each([
    ["a script hash", `a914${keyHash}87`, "scripthash"],
    ["data", "6a0548656c6c6f", "nulldata"],
    ["OP_RETURN and what is no push", "6aac", "nonstandard"],
    ["taproot", `5120${key.slice(2)}`, "witness_v1_taproot"],
    ["the anchor", "51024e73", "anchor"],
    ["a program without a meaning yet", "5210751e76e8199196d454941c45d1b3a323", "witness_unknown"],
    ["a push that is cut off", "05aabb", "nonstandard"],
    ["a push of 521 bytes", `4d0902${"00".repeat(521)}`, "nonstandard"],
    ["an opcode of tapscript", "51ba", "nonstandard"],
    ["an opcode that tapscript takes for a success", "7e", "nonstandard"],
    ["OP_RESERVED", "50", "nonstandard"],
    ["an opcode that there is not", "bb", "nonstandard"],
    ["more than 10,000 bytes", "51".repeat(10_001), "nonstandard"],
  ])("does not wrap %s", async (_what, script, type) => {
    const decoded = await decode(script);
    expect(decoded.type).toBe(type);
    expect(decoded).not.toHaveProperty("p2sh");
    expect(decoded).not.toHaveProperty("segwit");
  });

  it("gives addresses of the network", async () => {
    expect((await decode(`21${key}ac`, "mainnet")).segwit?.address).toMatch(/^bc1q/);
    expect((await decode(`21${key}ac`, "testnet4")).segwit?.address).toMatch(/^tb1q/);
  });

  it("takes either case, and no other characters", async () => {
    expect(await decode(`21${key.toUpperCase()}AC`)).toEqual(await decode(`21${key}ac`));
    await expect(async () => await decode("0x51")).rejects.toMatchObject({
      rpcCode: -8,
      message: "argument must be hexadecimal string (not '0x51')",
    });
    await expect(async () => await decode("z".repeat(1_000_000))).rejects.toMatchObject({
      message: expect.stringMatching(/^.{1,200}$/),
    });
  });

  it("reads a long script in a time that its length bounds", async () => {
    const start = process.cpuUsage();
    await decode("51".repeat(250_000));
    await decode("4c".repeat(250_000));
    await decode(`${"21".repeat(250_000)}ae`);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1_500);
  });
});
