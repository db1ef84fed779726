import {
  addressOfScript,
  fromHex,
  hash160,
  networks,
  scriptType,
  sha256,
  tapBranchHash,
  tapLeafHash,
  taprootOutputKey,
  toHex,
} from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { scriptHashScript, witnessProgramScript } from "./script-wrapping.ts";
import { inferDescriptor } from "./infer-descriptor.ts";
import { renderWithChecksum } from "./render-descriptor.ts";
import { ScriptKnowledge } from "./script-knowledge.ts";

const network = networks.mainnet;
const xOnly = "a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd";
const key = `03${xOnly}`;
const otherKey = "02669b8afcec803a0d323e9a17f3ea8e68e8abe5a278020a929adbec52421adbd0";
const otherXOnly = otherKey.slice(2);
const longKey = `04${xOnly}5b8dec5235a0fa8722476c7709c02559e3aa73aa03918ba2d492eea75abea235`;
const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? expect.unreachable(hex);

/** Returns the descriptor without its checksum. */
function inferred(script: Uint8Array, knowledge?: ScriptKnowledge): string | undefined {
  const address = addressOfScript(script, network);
  const descriptor = inferDescriptor({ script, type: scriptType(script).core, address }, knowledge);
  return renderWithChecksum(descriptor).split("#")[0];
}

const addressText = (script: Uint8Array): string => `addr(${addressOfScript(script, network)})`;

describe("a script that shows its keys", () => {
  it.each([
    [`21${key}ac`, `pk(${key})`],
    [`41${longKey}ac`, `pk(${longKey})`],
    [`51${`21${key}`}${`41${longKey}`}52ae`, `multi(1,${key},${longKey})`],
    [`52${`21${key}`}${`21${otherKey}`}52ae`, `multi(2,${key},${otherKey})`],
    [`5120${xOnly}`, `rawtr(${xOnly})`],
    // Hybrid keys have no descriptor.
    [`4106${longKey.slice(2)}ac`, `raw(4106${longKey.slice(2)}ac)`],
    [`51${`21${key}`}${`4107${longKey.slice(2)}`}52ae`, `raw(5121${key}4107${longKey.slice(2)}52ae)`],
    ["6a0101", "raw(6a0101)"],
    ["", "raw()"],
  ])("%s is %s", (hex, text) => expect(inferred(bytesOf(hex))).toBe(text));

  it("is its address where that tells more", () => {
    for (const hex of [
      `76a914${"22".repeat(20)}88ac`,
      `a914${"22".repeat(20)}87`,
      `0014${"22".repeat(20)}`,
      `0020${"22".repeat(32)}`,
    ]) {
      expect(inferred(bytesOf(hex))).toBe(addressText(bytesOf(hex)));
    }
    // No key has these 32 bytes.
    expect(inferred(bytesOf(`5120${"ff".repeat(32)}`))).toBe(addressText(bytesOf(`5120${"ff".repeat(32)}`)));
  });
});

describe("a script that shows a hash", () => {
  const sh = (script: Uint8Array): Uint8Array => scriptHashScript(script);
  const wsh = (script: Uint8Array): Uint8Array => witnessProgramScript(sha256(script));
  const pk = bytesOf(`21${key}ac`);
  const longPk = bytesOf(`41${longKey}ac`);
  const pkh = bytesOf(`76a914${toHex(hash160(bytesOf(key)))}88ac`);
  const wpkh = witnessProgramScript(hash160(bytesOf(key)));
  const multisig = bytesOf(`5121${key}21${otherKey}52ae`);

  /** Returns knowledge of the scripts, and of the key. */
  function knowing(...scripts: readonly Uint8Array[]): ScriptKnowledge {
    const knowledge = new ScriptKnowledge();
    for (const script of scripts) knowledge.addScript(script);
    return knowledge;
  }

  it.each<[name: string, script: Uint8Array, known: readonly Uint8Array[], text: string | undefined]>([
    ["a key", sh(pk), [pk], `sh(pk(${key}))`],
    ["a key in a witness", wsh(pk), [pk], `wsh(pk(${key}))`],
    ["a key in a witness in a hash", sh(wsh(pk)), [wsh(pk), pk], `sh(wsh(pk(${key})))`],
    ["several keys", sh(multisig), [multisig], `sh(multi(1,${key},${otherKey}))`],
    ["several keys in a witness", wsh(multisig), [multisig], `wsh(multi(1,${key},${otherKey}))`],
    ["a long key", sh(longPk), [longPk], `sh(pk(${longKey}))`],
    [
      "miniscript",
      wsh(bytesOf(`21${key}ad029000b2`)),
      [bytesOf(`21${key}ad029000b2`)],
      `wsh(and_v(v:pk(${key}),older(144)))`,
    ],
    // Keys and scripts that no descriptor may contain.
    ["a long key in a witness", wsh(longPk), [longPk], undefined],
    ["a hash in a hash", sh(sh(pk)), [sh(pk), pk], undefined],
    ["a hash in a witness", wsh(sh(pk)), [sh(pk), pk], undefined],
    ["a witness in a witness", wsh(wsh(pk)), [wsh(pk), pk], undefined],
    ["a program of a key in a witness", wsh(wpkh), [wpkh], undefined],
    ["miniscript in a hash alone", sh(bytesOf(`21${key}ad029000b2`)), [bytesOf(`21${key}ad029000b2`)], undefined],
    ["taproot in a hash", sh(bytesOf(`5120${xOnly}`)), [bytesOf(`5120${xOnly}`)], undefined],
    ["a script that is not known", sh(pk), [longPk], undefined],
  ])("is that of %s", (_name, script, known, text) => {
    expect(inferred(script, knowing(...known))).toBe(text ?? addressText(script));
  });

  it("is that of a known key, which is reported with its origin", () => {
    const knowledge = knowing(pkh, wpkh);
    const origin = { fingerprint: bytesOf("deadbeef"), path: [1, 2_147_483_649], child: 7 };
    knowledge.addKey({ publicKey: bytesOf(key), origin });
    const text = `[deadbeef/1/1h/7]${key}`;
    expect(inferred(pkh, knowledge)).toBe(`pkh(${text})`);
    expect(inferred(wpkh, knowledge)).toBe(`wpkh(${text})`);
    expect(inferred(sh(pkh), knowledge)).toBe(`sh(pkh(${text}))`);
    expect(inferred(wsh(pkh), knowledge)).toBe(`wsh(pkh(${text}))`);
    expect(inferred(sh(wpkh), knowledge)).toBe(`sh(wpkh(${text}))`);
    // A witness program is not a witness script.
    expect(inferred(wsh(wpkh), knowledge)).toBe(addressText(wsh(wpkh)));
    // The first origin counts.
    knowledge.addKey({ publicKey: bytesOf(key), origin: { fingerprint: bytesOf("00000000"), path: [] } });
    expect(inferred(pkh, knowledge)).toBe(`pkh(${text})`);
    const long = new ScriptKnowledge();
    long.addKey({ publicKey: bytesOf(longKey), origin: { fingerprint: bytesOf("deadbeef"), path: [] } });
    const longWpkh = witnessProgramScript(hash160(bytesOf(longKey)));
    expect(inferred(longWpkh, long)).toBe(addressText(longWpkh));
  });
});

describe("a taproot output", () => {
  const leaf = (hex: string) => ({ kind: "leaf", script: bytesOf(hex) }) as const;
  const pkLeaf = `20${otherXOnly}ac`;
  type Tree = ReturnType<typeof leaf> | { readonly kind: "branch"; readonly left: Tree; readonly right: Tree };
  const branch = (left: Tree, right: Tree): Tree => ({ kind: "branch", left, right });

  function hashOf(tree: Tree): Uint8Array {
    return tree.kind === "leaf" ? tapLeafHash(tree.script) : tapBranchHash(hashOf(tree.left), hashOf(tree.right));
  }

  function inferredWith(tree: Tree | undefined): string {
    const internalKey = bytesOf(xOnly);
    const outputKey = taprootOutputKey(internalKey, tree && hashOf(tree)) ?? expect.unreachable();
    const knowledge = new ScriptKnowledge();
    knowledge.addOutput(outputKey, { internalKey, tree });
    const text = inferred(bytesOf(`5120${toHex(outputKey)}`), knowledge) ?? "";
    return text === `rawtr(${toHex(outputKey)})` ? "rawtr" : text;
  }

  it.each<[name: string, tree: Tree | undefined, text: string]>([
    ["a key alone", undefined, `tr(${xOnly})`],
    ["one key in a leaf", leaf(pkLeaf), `tr(${xOnly},pk(${otherXOnly}))`],
    ["one of one", leaf(`${pkLeaf}519c`), `tr(${xOnly},multi_a(1,${otherXOnly}))`],
    ["two of two", leaf(`${pkLeaf}20${xOnly}ba529c`), `tr(${xOnly},multi_a(2,${otherXOnly},${xOnly}))`],
    ["17 of some", leaf(`${pkLeaf}01119c`), `tr(${xOnly},multi_a(17,${otherXOnly}))`],
    ["300 of some", leaf(`${pkLeaf}022c019c`), `tr(${xOnly},multi_a(300,${otherXOnly}))`],
    [
      "a tree",
      branch(leaf(pkLeaf), branch(leaf(`20${xOnly}ac`), leaf(pkLeaf))),
      `tr(${xOnly},{pk(${otherXOnly}),{pk(${xOnly}),pk(${otherXOnly})}})`,
    ],
    // If there is another leaf, only the output's own key is shown.
    ["another opcode", leaf(`20${otherXOnly}ad`), "rawtr"],
    ["a key of 33 bytes", leaf(`21${otherKey}ac`), "rawtr"],
    ["nothing", leaf(""), "rawtr"],
    ["another check of the first key", leaf(`20${otherXOnly}ba519c`), "rawtr"],
    ["another check of the second key", leaf(`${pkLeaf}20${xOnly}ac529c`), "rawtr"],
    ["another comparison", leaf(`${pkLeaf}5187`), "rawtr"],
    ["a number that is too long", leaf(`${pkLeaf}030000019c`), "rawtr"],
    ["no number", leaf(`${pkLeaf}009c`), "rawtr"],
    ["a leaf on the left that is none", branch(leaf("51"), leaf(pkLeaf)), "rawtr"],
    ["a leaf on the right that is none", branch(leaf(pkLeaf), leaf("51")), "rawtr"],
  ])("of %s", (_name, tree, text) => expect(inferredWith(tree)).toBe(text));

  it("has the origin of its key, whichever of the two with these bytes that was", () => {
    for (const prefix of ["02", "03"]) {
      const knowledge = new ScriptKnowledge();
      knowledge.addKey({
        publicKey: bytesOf(`${prefix}${xOnly}`),
        origin: { fingerprint: bytesOf("deadbeef"), path: [] },
      });
      expect(inferred(bytesOf(`5120${xOnly}`), knowledge)).toBe(`rawtr([deadbeef]${xOnly})`);
    }
  });
});
