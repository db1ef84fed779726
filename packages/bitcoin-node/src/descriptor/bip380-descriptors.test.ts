import { addressOfScript, fromHex, networks, scriptType, toHex } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { branchCount, isRanged } from "./descriptor.ts";
import { expandDescriptor } from "./expand-descriptor.ts";
import { inferDescriptor } from "./infer-descriptor.ts";
import { parseDescriptor } from "./parse-descriptor.ts";
import { renderWithChecksum } from "./render-descriptor.ts";
import { ScriptKnowledge } from "./script-knowledge.ts";
import { cpuMillisecondsOf } from "../../../../test/support/cpu-time.ts";

const network = networks.mainnet;
const wif = "L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1";
const longWif = "5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss";
const key = "03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd";
const xOnlyKey = key.slice(2);
const longKey = `04${xOnlyKey}5b8dec5235a0fa8722476c7709c02559e3aa73aa03918ba2d492eea75abea235`;
const otherKey = "669b8afcec803a0d323e9a17f3ea8e68e8abe5a278020a929adbec52421adbd0";
const nobodysKey = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";
const xprvA =
  "xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuoseXzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWc";
const xpubA =
  "xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL";
const xprvB =
  "xprv9uPDJpEQgRQfDcW7BkF7eTya6RPxXeJCqCJGHuCJ4GiRVLzkTXBAJMu2qaMWPrS7AANYqdq6vcBcBUdJCVVFceUvJFjaPdGZ2y9WACViL4L";
const xpubB =
  "xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y";
const masterC =
  "xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U";
const masterD =
  "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
const xprvE =
  "xprv9vHkqa6EV4sPZHYqZznhT2NPtPCjKuDKGY38FBWLvgaDx45zo9WQRUT3dKYnjwih2yJD9mkrocEZXo1ex8G81dwSM1fwqWpWkeS3v86pgKt";
const xpubE =
  "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH";
const threeKeys = `${masterC}/2147483647'/0,${xprvE}/1/2/*,${masterD}/10/20/30/40/*'`;
const sixteenKeys = [
  "03669b8afcec803a0d323e9a17f3ea8e68e8abe5a278020a929adbec52421adbd0,0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600",
  "0362a74e399c39ed5593852a30147f2959b56bb827dfa3e60e464b02ccf87dc5e8,0261345b53de74a4d721ef877c255429961b7e43714171ac06168d7e08c542a8b8",
  "02da72e8b46901a65d4374fe6315538d8f368557dda3a1dcf9ea903f3afe7314c8,0318c82dd0b53fd3a932d16e0ba9e278fcc937c582d5781be626ff16e201f72286",
  "0297ccef1ef99f9d73dec9ad37476ddb232f1238aff877af19e72ba04493361009,02e502cfd5c3f972fe9a3e2a18827820638f96b6f347e54d63deb839011fd5765d",
  "03e687710f0e3ebe81c1037074da939d409c0025f17eb86adb9427d28f0f7ae0e9,02c04d3a5274952acdbc76987f3184b346a483d43be40874624b29e3692c1df5af",
  "02ed06e0f418b5b43a7ec01d1d7d27290fa15f75771cb69b642a51471c29c84acd,036d46073cbb9ffee90473f3da429abc8de7f8751199da44485682a989a4bebb24",
  "02f5d1ff7c9029a80a4e36b9a5497027ef7f3e73384a4a94fbfe7c4e9164eec8bc,02e41deffd1b7cce11cde209a781adcffdabd1b91c0ba0375857a2bfd9302419f3",
  "02d76625f7956a7fc505ab02556c23ee72d832f1bac391bcd2d3abce5710a13d06,0399eb0a5487515802dc14544cf10b3666623762fbed2ec38a3975716e2c29c232",
].join(",");

/** Returns the scripts of the first positions, of all branches. */
function scriptsOf(text: string, positions = 3): string[] | undefined {
  const descriptor = parseDescriptor(text, { network });
  const scripts: string[] = [];
  for (let position = 0; position < (isRanged(descriptor) ? positions : 1); position += 1) {
    for (let branch = 0; branch < branchCount(descriptor); branch += 1) {
      const expanded = expandDescriptor(descriptor, { position, branch }, new ScriptKnowledge());
      if (expanded === undefined) return undefined;
      scripts.push(...expanded.map(toHex));
    }
  }
  return scripts;
}

function problemOf(text: string): string {
  try {
    parseDescriptor(text, { network });
  } catch (error) {
    return error instanceof Error ? error.message : expect.unreachable();
  }
  return expect.unreachable(`${text} was read`);
}

const bareMultisig = `512103${xOnlyKey}41${longKey}52ae`;

describe("descriptors of the BIPs", () => {
  it.each([
    ["381", `pk(${wif})`, [`2103${xOnlyKey}ac`]],
    ["381", `pk(${key})`, [`2103${xOnlyKey}ac`]],
    ["381", `pkh([deadbeef/1/2'/3/4']${wif})`, ["76a9149a1c78a507689f6f54b847ad1cef1e614ee23f1e88ac"]],
    ["381", `pkh([deadbeef/1/2h/3/4h]${key})`, ["76a9149a1c78a507689f6f54b847ad1cef1e614ee23f1e88ac"]],
    ["381", `pk(${longWif})`, [`41${longKey}ac`]],
    ["381", `pk(${longKey})`, [`41${longKey}ac`]],
    ["381", `pkh(${longWif})`, ["76a914b5bd079c4d57cc7fc28ecf8213a6b791625b818388ac"]],
    ["381", `sh(pk(${wif}))`, ["a9141857af51a5e516552b3086430fd8ce55f7c1a52487"]],
    ["381", `sh(pkh(${key}))`, ["a9141a31ad23bf49c247dd531a623c2ef57da3c400c587"]],
    ["381", `pkh(${masterC}/2147483647'/0)`, ["76a914ebdc90806a9c4356c1c88e42216611e1cb4c1c1788ac"]],
    ["381", `pk(${xprvB}/0)`, ["210379e45b3cf75f9c5f9befd8e9506fb962f6a9d185ac87001ec44a8d3df8d4a9e3ac"]],
    ["381", `pk(${xpubB}/0)`, ["210379e45b3cf75f9c5f9befd8e9506fb962f6a9d185ac87001ec44a8d3df8d4a9e3ac"]],
    ["382", `wpkh(${wif})`, ["00149a1c78a507689f6f54b847ad1cef1e614ee23f1e"]],
    ["382", `wpkh([ffffffff/13']${xprvE}/1/2/0)`, ["0014326b2249e3a25d5dc60935f044ee835d090ba859"]],
    [
      "382",
      `wpkh([ffffffff/13']${xpubE}/1/2/*)`,
      [
        "0014326b2249e3a25d5dc60935f044ee835d090ba859",
        "0014af0bd98abc2f2cae66e36896a39ffe2d32984fb7",
        "00141fa798efd1cbf95cebf912c031b8a4a6e9fb9f27",
      ],
    ],
    [
      "382",
      `sh(wpkh(${masterD}/10/20/30/40/*h))`,
      [
        "a9149a4d9901d6af519b2a23d4a2f51650fcba87ce7b87",
        "a914bed59fc0024fae941d6e20a3b44a109ae740129287",
        "a9148483aa1116eb9c05c482a72bada4b1db24af654387",
      ],
    ],
    ["382", `wsh(pkh(${key}))`, ["0020338e023079b91c58571b20e602d7805fb808c22473cbc391a41b1bd3a192e75b"]],
    ["382", `wsh(pk(${wif}))`, ["00202e271faa2325c199d25d22e1ead982e45b64eeb4f31e73dbdf41bd4b5fec23fa"]],
    ["382", `sh(wsh(pkh(${wif})))`, ["a914b61b92e2ca21bac1e72a3ab859a742982bea960a87"]],
    ["383", `multi(1,${wif},${longWif})`, [bareMultisig]],
    ["383", `multi(1,${key},${longKey})`, [bareMultisig]],
    ["383", `sortedmulti(1,${longKey},${key})`, [bareMultisig]],
    ["383", `sh(multi(2,[00000000/111'/222]${xprvA},${xprvB}/0))`, ["a91445a9a622a8b0a1269944be477640eedc447bbd8487"]],
    [
      "383",
      `sortedmulti(2,${xpubA}/*,${xpubB}/0/0/*)`,
      [
        "5221025d5fc65ebb8d44a5274b53bac21ff8307fec2334a32df05553459f8b1f7fe1b62102fbd47cc8034098f0e6a94c6aeee8528abf0a2153a5d8e46d325b7284c046784652ae",
        "52210264fd4d1f5dea8ded94c61e9641309349b62f27fbffe807291f664e286bfbe6472103f4ece6dfccfa37b211eb3d0af4d0c61dba9ef698622dc17eecdf764beeb005a652ae",
        "5221022ccabda84c30bad578b13c89eb3b9544ce149787e5b538175b1d1ba259cbb83321024d902e1a2fc7a8755ab5b694c575fce742c48d9ff192e63df5193e4c7afe1f9c52ae",
      ],
    ],
    [
      "383",
      `wsh(multi(2,${threeKeys}))`,
      [
        "0020b92623201f3bb7c3771d45b2ad1d0351ea8fbf8cfe0a0e570264e1075fa1948f",
        "002036a08bbe4923af41cf4316817c93b8d37e2f635dd25cfff06bd50df6ae7ea203",
        "0020a96e7ab4607ca6b261bfe3245ffda9c746b28d3f59e83d34820ec0e2b36c139c",
      ],
    ],
    ["383", `sh(wsh(multi(16,${sixteenKeys})))`, ["a9147fc63e13dc25e8a95a3cee3d9a714ac3afd96f1e87"]],
    ["385", "raw(deadbeef)", ["deadbeef"]],
    ["385", "addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)", ["a914eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee87"]],
    ["386", `tr(${xOnlyKey})`, ["512077aab6e066f8a7419c5ab714c12c67d25007ed55a43cadcacb4d7a970a093f11"]],
    ["386", `tr(${wif})`, ["512077aab6e066f8a7419c5ab714c12c67d25007ed55a43cadcacb4d7a970a093f11"]],
    [
      "386",
      `tr(${xprvA}/0/*,pk(${xprvA}/1/*))`,
      [
        "512078bc707124daa551b65af74de2ec128b7525e10f374dc67b64e00ce0ab8b3e12",
        "512001f0a02a17808c20134b78faab80ef93ffba82261ccef0a2314f5d62b6438f11",
        "512021024954fcec88237a9386fce80ef2ced5f1e91b422b26c59ccfc174c8d1ad25",
      ],
    ],
    [
      "386",
      `tr(${xOnlyKey},pk(${otherKey}))`,
      ["512017cf18db381d836d8923b1bdb246cfcd818da1a9f0e6e7907f187f0b2f937754"],
    ],
    [
      "386",
      `tr(${xOnlyKey},{pk(xprvA2JDeKCSNNZky6uBCviVfJSKyQ1mDYahRjijr5idH2WwLsEd4Hsb2Tyh8RfQMuPh7f7RtyzTtdrbdqqsunu5Mm3wDvUAKRHSC34sJ7in334/0),{{pk(${xpubA}),pk(02df12b7035bdac8e3bab862a3a83d06ea6b17b6753d52edecba9be46f5d09e076)},pk(${wif})}})`,
      ["512071fff39599a7b78bc02623cbe814efebf1a404f5d8ad34ea80f213bd8943f574"],
    ],
    [
      "387",
      `tr(${xOnlyKey},multi_a(1,${otherKey}))`,
      ["5120eb5bd3894327d75093891cc3a62506df7d58ec137fcd104cdd285d67816074f3"],
    ],
    [
      "387",
      `tr(${nobodysKey},sortedmulti_a(2,[00000000/111'/222]${xprvA},${xprvB}/0))`,
      ["512016fa6a6ba7e98c54b5bf43b3144912b78a61b60b02f6a74172b8dcb35b12bc30"],
    ],
    [
      "387",
      `tr(${nobodysKey},multi_a(2,${threeKeys}))`,
      [
        "5120e4c8f2b0a7d3a688ac131cb03248c0d4b0a59bbd4f37211c848cfbd22a981192",
        "5120827faedaa21e52fca2ac83b53afd1ab7d4d1e6ce67ff42b19f2723d48b5a19ab",
        "5120647495ed09de61a3a324704f9203c130d655bf3141f9b748df8f7be7e9af55a4",
      ],
    ],
  ])("BIP %s: %s", (_bip, text, scripts) => {
    expect(scriptsOf(text)).toEqual(scripts);
  });

  // Addresses of Bitcoin Core 31.99. Within tr() the hash is that of the key without its first byte.
  it.each([
    [
      (x: string, other: string) => `tr(${x},pkh(${other}))`,
      "bcrt1pmlhg2py42evga9qks7c0fz5ja2rgpwu8xys5d3vfdjsd7clglk6qa0sekf",
    ],
    [
      (x: string, other: string) => `tr(${x},{pkh(${other.slice(2)}),pk(02${x})})`,
      "bcrt1pdkcfymjrgkxwzqmpw0vhq5mwy45jcm7ee0ew3kkmukdgw8dkyu4q5n0x8e",
    ],
  ])("pkh is a key's hash in tr() as well: %#", (descriptor, address) => {
    const x = "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9";
    const text = descriptor(x, "03dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659");
    const [script] = scriptsOf(text) ?? [];
    expect(addressOfScript(fromHex(script ?? "") ?? expect.unreachable(), networks.regtest)).toBe(address);
  });

  it("BIP 384: combo is the four scripts of a key, or two of a long one", () => {
    const single = (name: string) => scriptsOf(`${name}(${key})`) ?? [];
    expect(scriptsOf(`combo(${key})`)).toEqual([
      ...single("pk"),
      ...single("pkh"),
      ...single("wpkh"),
      ...(scriptsOf(`sh(wpkh(${key}))`) ?? []),
    ]);
    expect(scriptsOf(`combo(${longKey})`)).toHaveLength(2);
  });

  it("BIP 389: several paths are as many descriptors, in lockstep", () => {
    const each = (text: string, numbers: readonly string[]) =>
      numbers.flatMap((number) => scriptsOf(text.replaceAll("#", number), 1));
    expect(scriptsOf(`pk(${xpubB}/<0;1>)`)).toEqual(each(`pk(${xpubB}/#)`, ["0", "1"]));
    expect(scriptsOf(`pkh(${masterC}/<2147483647h;0>/0)`)).toEqual(each(`pkh(${masterC}/#/0)`, ["2147483647h", "0"]));
    expect(scriptsOf(`multi(2,${xpubA}/<1;2>/*,${xpubB}/0/*)`, 1)).toEqual(
      each(`multi(2,${xpubA}/#/*,${xpubB}/0/*)`, ["1", "2"]),
    );
  });

  it("derives no hardened child of a public key", () => {
    expect(scriptsOf(`pk(${xpubA}/3h/4)`)).toBeUndefined();
    expect(scriptsOf(`wpkh(${xpubA}/*h)`)).toBeUndefined();
  });
});

describe("what is no descriptor", () => {
  it.each([
    ["raw(deadbeef)#", "Expected 8 character checksum, not 0 characters"],
    ["raw(deadbeef)#89f8spxmx", "Expected 8 character checksum, not 9 characters"],
    ["raw(deadbeef)#89f8spx", "Expected 8 character checksum, not 7 characters"],
    ["raw(deedbeef)#89f8spxm", "Provided checksum '89f8spxm' does not match computed checksum"],
    ["raw(deedbeef)##9f8spxm", "Multiple '#' symbols"],
    ["raw(Ü)#00000000", "Invalid characters in payload"],
    [`pk([deadbeef/0h/0h/0h/*]${key})`, "pk(): Key path value '*' is not a valid uint32"],
    [`pk([deadbeef/0h/0h/0h/]${key})`, "pk(): Key path value '' is not a valid uint32"],
    [`pk([deadbef/0h]${key})`, "pk(): Fingerprint is not 4 bytes (7 characters instead of 8 characters)"],
    [`pk([deadbeefef/0h]${key})`, "pk(): Fingerprint is not 4 bytes (10 characters instead of 8 characters)"],
    [`pk([aaaagggg]${key})`, "pk(): Fingerprint 'aaaagggg' is not hex"],
    [`pk(deadbeef]${key})`, "pk(): Key origin start '[ character expected but not found, got 'd' instead"],
    [`pk([deadbeef][deadbeef]${key})`, "pk(): Multiple ']' characters found for a single pubkey"],
    [`pk(${xpubA}/2147483648)`, "pk(): Key path value 2147483648 is out of range"],
    [`pk(${xpubA}/4294967296)`, "pk(): Key path value '4294967296' is not a valid uint32"],
    [`pk(${xpubA}/1aa)`, "pk(): Key path value '1aa' is not a valid uint32"],
    [`pk(${key}/0)`, `pk(): key '${key}' is not valid`],
    [`pk(${xpubA.slice(0, -1)}M)`, "is not valid"],
    [`pk( ${key})`, `pk(): Key ' ${key}' is invalid due to whitespace`],
    [`pk(06${longKey.slice(2)})`, "pk(): Hybrid public keys are not allowed"],
    [`pk(02${"00".repeat(32)})`, `is invalid`],
    [`pk(${xOnlyKey})`, "is invalid"],
    [`pk(pk(${key}))`, "is not valid"],
    [`sh(${key})`, "A function is needed within P2SH"],
    [`wsh(${key})`, "A function is needed within P2WSH"],
    [key, "is not a valid descriptor function"],
    [`sh(sh(pkh(${key})))`, "Can only have sh() at top level"],
    [`wpkh(${longWif})`, "wpkh(): Uncompressed keys are not allowed"],
    [`sh(wpkh(${longKey}))`, "wpkh(): Uncompressed keys are not allowed"],
    [`wsh(pk(${longKey}))`, "pk(): Uncompressed keys are not allowed"],
    [`wsh(wpkh(${key}))`, "Can only have wpkh() at top level or inside sh()"],
    [`sh(wsh(wsh(pkh(${key}))))`, "Can only have wsh() at top level or inside sh()"],
    [`sh(multi(16,${sixteenKeys}))`, "P2SH script is too large, 547 bytes is larger than 520 bytes"],
    [`multi(1,${sixteenKeys})`, "Cannot have 16 pubkeys in bare multisig; only at most 3 pubkeys"],
    [
      `wsh(multi(1,${sixteenKeys},${sixteenKeys}))`,
      "Cannot have 32 keys in multisig; must have between 1 and 20 keys, inclusive",
    ],
    [`multi(a,${key},${longKey})`, "Multi threshold 'a' is not valid"],
    [`multi(0,${key},${longKey})`, "Multisig threshold cannot be 0, must be at least 1"],
    [`multi(3,${key},${longKey})`, "threshold is 3 but only 2 keys specified"],
    ["raw(asdf)", "Raw script is not hex"],
    ["addr(asdf)", "Address is not valid"],
    ["sh(raw(deadbeef))", "Can only have raw() at top level"],
    ["wsh(addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j))", "Can only have addr() at top level"],
    [`sh(combo(${key}))`, "Can only have combo() at top level"],
    [`tr(${longWif})`, "tr(): Uncompressed keys are not allowed"],
    [`tr(${longKey})`, "tr(): Uncompressed keys are not allowed"],
    [`wsh(tr(${xOnlyKey}))`, "Can only have tr at top level"],
    [`tr(${xOnlyKey}, pkh(${wif}))`, "is not a valid descriptor function"],
    [`tr(${xOnlyKey},{pk(${otherKey})})`, "tr(): expected ',' after script expression"],
    [`multi_a(1,${key})`, "Can only have multi_a/sortedmulti_a inside tr()"],
    [`tr(${nobodysKey},multi_a(1,${longKey}))`, "Multi: Uncompressed keys are not allowed"],
    [`tr(${nobodysKey},multi(1,${key}))`, "Can only have multi/sortedmulti at top level, in sh(), or in wsh()"],
    [`rawtr(${xOnlyKey},${xOnlyKey})`, "rawtr(): only one key expected."],
    [`pkh(${masterC}/<0;1>/<2;3>)`, "Multiple multipath key path specifiers found"],
    [`pkh([deadbeef/<0;1>]${xpubA}/0)`, "specifies multipath in a section where multipath is not allowed"],
    [`sh(multi(2,${xpubA}/<1;2;3>/*,${xpubB}/<3;4>/*))`, "Multipath derivation paths have mismatched lengths"],
    [`wpkh(${xpubA}/<>/*)`, "Multipath key path specifiers must have at least two items"],
    [`wpkh(${xpubA}/0>/*)`, "Key path value '0>' is not a valid uint32"],
    [`wpkh(${xpubA}/<0/*)`, "Key path value '<0' is not a valid uint32"],
    [`wpkh(${xpubA}/<0;>/*)`, "Key path value '' is not a valid uint32"],
    [`wpkh(${xpubA}/<0;0>/*)`, "Duplicated key path value 0 in multipath specifier"],
    [
      "tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK",
      "is not a valid descriptor function",
    ],
    [
      "pk(tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK)",
      "is not valid",
    ],
  ])("%s", (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });

  it("may be a text without a checksum, where one is requested", () => {
    expect(() => parseDescriptor("raw(deadbeef)", { network, requireChecksum: true })).toThrow("Missing checksum");
    expect(parseDescriptor("raw(deadbeef)#89f8spxm", { network, requireChecksum: true }).kind).toBe("raw");
  });

  it.each([
    ["a nest of hashes", "sh(wsh(".repeat(14_000)],
    ["a nest of hashes that ends", `${"sh(wsh(".repeat(10_000)}pk(${key})${"))".repeat(10_000)}`],
    ["brackets that never close", "(".repeat(100_000)],
    ["a tree without an end", `tr(${xOnlyKey},${"{".repeat(90_000)})`],
    ["a deep tree", `tr(${xOnlyKey},${"{".repeat(129)}pk(${otherKey})${`,pk(${otherKey})}`.repeat(129)})`],
    ["a long path", `pk(${xpubA}${"/1".repeat(49_000)})`],
    ["a long origin", `pk([deadbeef${"/1".repeat(49_000)}]${key})`],
    ["many paths", `pk(${xpubA}/<${Array.from({ length: 15_000 }, (_, number) => number).join(";")}>)`],
    ["many separators", `pk(${"]".repeat(99_000)})`],
    ["many checksums", "#".repeat(100_000)],
    ["too long a text", `raw(${"00".repeat(1_000_000)})`],
  ])("is refused at once: %s", (_what, text) => {
    expect(cpuMillisecondsOf(() => problemOf(text))).toBeLessThan(500);
  });
});

describe("renderWithChecksum", () => {
  it("writes a descriptor as it was, without what is secret", () => {
    const shown = (text: string) => renderWithChecksum(parseDescriptor(text, { network })).split("#")[0];
    const multisig = `wsh(multi(2,[00000000/111'/222]${xpubA},${xpubB}/<0;1>/5h/*h))`;
    expect(shown(multisig)).toBe(multisig);
    // If both marks are used, the last of the path applies to all.
    expect(shown(`pkh(${xpubA}/1'/2h/*')`)).toBe(`pkh(${xpubA}/1h/2h/*h)`);
    expect(shown(`pkh([deadbeef/33h]${xpubA}/4'/0)`)).toBe(`pkh([deadbeef/33']${xpubA}/4'/0)`);
    expect(shown(`pkh([deadbeef/33']${xpubA}/*h)`)).toBe(`pkh([deadbeef/33h]${xpubA}/*h)`);
    expect(shown(`pkh([deadbeef/33']${xpubA}/4h/*')`)).toBe(`pkh([deadbeef/33h]${xpubA}/4h/*h)`);
    expect(shown(`pkh([deadbeef/33'/5h]${xpubA}/0)`)).toBe(`pkh([deadbeef/33h/5h]${xpubA}/0)`);
    expect(shown(`pkh([deadbeef/33'/5]${key})`)).toBe(`pkh([deadbeef/33'/5]${key})`);
    expect(shown(`pkh([DEADBEEF/1]${wif})`)).toBe(`pkh([deadbeef/1]${key})`);
    expect(shown(`tr(${wif},pk(${xprvA}/1h))`)).toBe(`tr(${xOnlyKey},pk(${xpubA}/1h))`);
    expect(shown(`tr(${xOnlyKey},{pk(${otherKey}),sortedmulti_a(1,${otherKey})})`)).toBe(
      `tr(${xOnlyKey},{pk(${otherKey}),sortedmulti_a(1,${otherKey})})`,
    );
  });
});

describe("inferDescriptor", () => {
  /** Returns the inferred descriptor of the last script of a descriptor, with the knowledge of its expansion. */
  function inferredFrom(text: string, position = 0): string | undefined {
    const knowledge = new ScriptKnowledge();
    const script = expandDescriptor(parseDescriptor(text, { network }), { position, branch: 0 }, knowledge)?.at(-1);
    if (script === undefined) return undefined;
    const address = addressOfScript(script, network);
    return renderWithChecksum(inferDescriptor({ script, type: scriptType(script).core, address }, knowledge)).split(
      "#",
    )[0];
  }

  it.each([
    [`pkh(${xpubA}/1/*)`, 7, "pkh([31a507b8/1/7]"],
    [`combo(${key})`, 0, `sh(wpkh([9a1c78a5]${key}))`],
    [`combo(${longKey})`, 0, `pkh([b5bd079c]${longKey})`],
    [`sh(wsh(sortedmulti(1,${otherKeyOf("03")},${key})))`, 0, `sh(wsh(multi(1,[`],
    [`tr(${xOnlyKey},{pk(${otherKey}),multi_a(1,${otherKey},${xOnlyKey})})`, 0, `,{pk([`],
    [`rawtr(${xOnlyKey})`, 0, "rawtr(["],
    ["addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)", 0, "addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)"],
    ["raw(00)", 0, "raw(00)"],
  ])("tells of %s the keys at %i", (text, position, expected) => {
    expect(inferredFrom(text, position)).toContain(expected);
  });

  it("gives a descriptor of the same script", () => {
    for (const text of [
      `pkh(${xpubA}/1/*)`,
      `combo(${xpubA}/<0;1>/*)`,
      `wsh(multi(2,${xpubA}/*,${xpubB}/*))`,
      `sh(multi(1,${key},${longKey}))`,
      `tr(${xpubA}/*,{pk(${xpubB}/*),{pk(${otherKey}),sortedmulti_a(2,${xpubA}/1,${xpubB}/2,${otherKey})}})`,
    ]) {
      const inferred = inferredFrom(text, 3) ?? expect.unreachable(text);
      expect(scriptsOf(inferred)?.at(-1), text).toBe(
        toHex(
          expandDescriptor(parseDescriptor(text, { network }), { position: 3, branch: 0 }, new ScriptKnowledge())?.at(
            -1,
          ) ?? expect.unreachable(),
        ),
      );
    }
  });
});

function otherKeyOf(prefix: string): string {
  return `${prefix}${otherKey}`;
}
