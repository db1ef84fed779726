import type { ChainQueries } from "@nodewright/bitcoin-indexer";
import { type NetworkName, networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import type { BitcoinNodeContext } from "./context/context.ts";
import { decodescript } from "./handlers/decodescript.ts";
import { cpuMillisecondsDuring } from "../../../test/support/cpu-time.ts";

const key = "03b0da749730dc9b4b1f4a14d6902877a92541f5368778853d9c4a0cb7802dcfb2";
const keyHash = "5dd1d3a048119c27b28293056724d9522f26d945";
const longKey =
  "04b0da749730dc9b4b1f4a14d6902877a92541f5368778853d9c4a0cb7802dcfb25e01fc8fde47c96c98a4f3a8123e33a38a50cf9025cc8c4494a518f991792bb7";

/** Returns a context; the handler reads only the network. */
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

  describe("tells miniscript, as Bitcoin Core's functional test has it", () => {
    const nobodysKey = "0250929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";
    const members = [
      "020e0338c96a8870479f2396c373cc7696ba124e8635d41b0ea581112b67817261",
      "02675333a4e4b8fb51d9d4e22fa5a8eaced3fdac8a8cbf9be8c030f75712e6af99",
      "02896807d54bc55c24981f24a453c60ad3e8993d693732288068a23df3d9f50d48",
      "029e51a5ef5db3137051de8323b001749932f2ff0d34c82e96a2c2461de96ae56c",
      "02a4e1a9638d46923272c266631d94d36bdb03a64ee0e14c7518e49d2f29bc4010",
      "031c41fdbcebe17bec8d49816e00ca1b5ac34766b91c9f2ac37d39c63e5e008afb",
      "03079e252e85abffd3c401a69b087e590a9b86f33f574f08129ccbd3521ecf516b",
      "03111cf405b627e22135b3b3733a4a34aa5723fb0f58379a16d32861bf576b0ec2",
      "0318f331b3e5d38156da6633b31929c5b220349859cc9ca3d33fb4e68aa0840174",
      "03230dae6b4ac93480aeab26d000841298e3b8f6157028e47b0897c1e025165de1",
      "035abff4281ff00660f99ab27bb53e6b33689c2cd8dcd364bc3c90ca5aea0d71a6",
      "03bd45cddfacf2083b14310ae4a84e25de61e451637346325222747b157446614c",
      "03cc297026b06c71cbfa52089149157b5ff23de027ac5ab781800a578192d17546",
      "03d3bde5d63bdb3a6379b461be64dad45eabff42f758543a9645afd42f6d424828",
      "03ed1e8d5109c9ed66f7941bc53cc71137baa76d50d274bda8d5e8ffbd6e61fe9a",
    ];
    const heirs = [
      "03aab896d53a8e7d6433137bbba940f9c521e085dd07e60994579b64a6d992cf79",
      "0291b7d0b1b692f8f524516ed950872e5da10fb1b808b5a526dedc6fed1cf29807",
      "0386aa9372fbab374593466bc5451dc59954e90787f08060964d95c87ef34ca5bb",
    ];
    const pushes = (keys: readonly string[]) => keys.map((each) => `21${each}`).join("");

    it.each([
      [
        "a key, a hash and a time",
        `82012088a914${"ff".repeat(20)}8821${nobodysKey}ad51b2`,
        `wsh(and_v(and_v(v:hash160(${"ff".repeat(20)}),v:pk(${nobodysKey})),older(1)))#gm8xz4fl`,
      ],
      [
        "what is no miniscript",
        `82012088a914${"ff".repeat(20)}882102${"ff".repeat(32)}acb2`,
        "addr(bcrt1q73qyfypp47hvgnkjqnav0j3k2lq3v76wg22dk8tmwuz5sfgv66xsvxg6uu)#9p3q328s",
      ],
      [
        "more keys than a script hash takes",
        `5b${pushes(members)}5fae736402c00fb26952${pushes(heirs)}53ae68`,
        `wsh(or_d(multi(11,${members.join(",")}),and_v(v:older(4032),multi(2,${heirs.join(",")}))))#7jwwklk4`,
      ],
    ])("of %s", async (_what, script, descriptor) => {
      expect((await decode(script)).segwit?.desc).toBe(descriptor);
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

  it("infers miniscript for a witness script that nobody can satisfy", async () => {
    expect((await decode("00")).segwit?.desc).toBe("wsh(0)#a0qjqdfq");
  });

  it("reads multisignature whose keys are pushed in a longer form than needed", async () => {
    const decoded = await decode(`514c21${key}4d2100${key}52ae`);
    expect(decoded.type).toBe("multisig");
    expect(decoded.segwit?.desc).toMatch(`wsh(multi(1,${key},${key}))#`);
  });

  it("reads a long script in a time that its length bounds", async () => {
    const decodeAll = async () => {
      await decode("51".repeat(250_000));
      await decode("4c".repeat(250_000));
      await decode(`${"21".repeat(250_000)}ae`);
    };
    expect(await cpuMillisecondsDuring(decodeAll)).toBeLessThan(1_500);
  });
});
