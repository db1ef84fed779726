import { addressOfScript, networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { branchCount, isRanged, keysOf } from "./descriptor.ts";
import { expandDescriptor } from "./expand-descriptor.ts";
import { parseDescriptor } from "./parse-descriptor.ts";
import { renderWithChecksum } from "./render-descriptor.ts";
import { ScriptKnowledge } from "./script-knowledge.ts";

const network = networks.regtest;
const xpub =
  "tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B";
const one = "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9";
const two = "03dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659";

/** Returns the addresses of child 1 in all branches. */
function addressesOf(text: string): readonly (string | undefined)[] {
  const descriptor = parseDescriptor(text, { network });
  return Array.from({ length: branchCount(descriptor) }, (_, branch) => {
    const [script] = expandDescriptor(descriptor, { position: 1, branch }, new ScriptKnowledge()) ?? [];
    return script && addressOfScript(script, network);
  });
}

describe("BIP 390: musig()", () => {
  // Addresses of Bitcoin Core 31.99.
  it.each([
    [`tr(musig(${one},${two}))`, ["bcrt1pmmnjt6qsw9kk7p6gk0vz4fnumsgxvq50lj9gawl9eg2gzjq4xvjs77c9q5"]],
    [`tr(musig(${two},${one}))`, ["bcrt1pmmnjt6qsw9kk7p6gk0vz4fnumsgxvq50lj9gawl9eg2gzjq4xvjs77c9q5"]],
    [`rawtr(musig(${two},${one}))`, ["bcrt1pw9gwg96pzqrp3mggk27t6f8hfgr8y7kchsg0898nxsrxthsh0x7sskfz8l"]],
    [`tr(musig(${xpub}/1,${xpub}/2)/0/*)`, ["bcrt1pdskqd237l65lj5l3a4wcvq9sfpud9832g7t3ejrraxwffc4pxw7q7m0xul"]],
    [`tr(musig(${xpub}/1/*,${xpub}/2/*))`, ["bcrt1prjnp5f3flj0a3qrry790vcu3d08elc6u8ch0mvljs3nydkhrt56sm8ufzh"]],
    [
      `tr(musig(${xpub}/1,${xpub}/2)/<0;1>/*)`,
      [
        "bcrt1pdskqd237l65lj5l3a4wcvq9sfpud9832g7t3ejrraxwffc4pxw7q7m0xul",
        "bcrt1pwj4kp9yhrncx3p3jg403wpyrzdkhpd6jcenp2tu9afmsd7e25unsl2rvn7",
      ],
    ],
    [
      `tr(musig(${xpub}/<0;1>,${xpub}/5)/7/*)`,
      [
        "bcrt1puprhnvnl8rt7720q4ecrup5pwdcmnwg3j24jhddpkvjw9tkzsgeqys9kxx",
        "bcrt1pxljvw26egaenqttwqjeac5d2jm6qee2ch9apcd86fuhww7vuyqyqy6and7",
      ],
    ],
  ])("has the addresses of %s", (text, addresses) => {
    expect(addressesOf(text)).toEqual(addresses);
  });

  it.each([
    [`tr(musig(${one},${two}))`, false],
    [`tr(musig(${xpub}/1,${xpub}/2)/<0;1>/*)`, true],
    [`tr(musig([deadbeef/33']${xpub}/4'/0,${one}/*))`.replace("/*)", ")"), false],
    [`tr(${one.slice(2)},pk(musig(${xpub}/<0;1>/*,${two})))`, true],
  ])("renders %s as it is", (text, ranged) => {
    const descriptor = parseDescriptor(text, { network });
    expect(renderWithChecksum(descriptor).split("#")[0]).toBe(text);
    expect(isRanged(descriptor)).toBe(ranged);
  });

  it.each([
    [`tr(musig(${one},${two}))`, { keyCount: 3, pathLength: 0, isPrivate: false, branchCount: 1, keyLength: 33 }],
    [`tr(musig(${xpub}/1/2,${xpub}/3)/4/5/6/*)`, { keyCount: 3, pathLength: 6, isRanged: true, branchCount: 1 }],
    [`tr(musig(${xpub}/1,${xpub}/3,${one}))`, { keyCount: 4, pathLength: 2, isRanged: false }],
    [`tr(musig(${xpub}/1/*,${xpub}/3/*))`, { pathLength: 2, isRanged: true, isExtended: false }],
    [`tr(musig(${xpub}/1,${xpub}/3)/<4;5;6>/7)`, { pathLength: 4, isRanged: false, branchCount: 3 }],
    [`tr(musig(${xpub}/<1;2>/8,${xpub})/7)`, { pathLength: 3, branchCount: 2 }],
  ])("has of %s what it costs", (text, facts) => {
    const [musig] = keysOf(parseDescriptor(text, { network }));
    expect(musig).toMatchObject(facts);
  });

  it("derives in steps what it then has at hand", () => {
    const steps = (text: string): number => {
      const [musig] = keysOf(parseDescriptor(text, { network }));
      return [...(musig?.prepare(1, 0) ?? [])].length;
    };
    // Three numbers below the participants, three below the aggregate, and the child.
    expect(steps(`tr(musig(${xpub}/1/2,${xpub}/3)/4/5/6/*)`)).toBe(7);
    expect(steps(`tr(musig(${xpub}/1/*,${xpub}/3/*))`)).toBe(4);
    expect(steps(`tr(musig(${one},${two}))`)).toBe(0);
  });

  it("has no key where a participant has none", () => {
    for (const text of [`tr(musig(${xpub}/1h,${one}))`, `tr(musig(${xpub}/1h,${xpub})/0/*)`]) {
      const descriptor = parseDescriptor(text, { network });
      expect(expandDescriptor(descriptor, { position: 0, branch: 0 }, new ScriptKnowledge()), text).toBeUndefined();
      expect([...(keysOf(descriptor)[0]?.prepare(0, 0) ?? expect.unreachable())], text).toEqual([]);
    }
  });

  it.each([
    ["tr(musig([)", "tr(): Invalid musig() expression"],
    ["tr(musig([aabbccdd)", "tr(): Invalid musig() expression"],
    [`tr(musig(${one},${two})x)`, "tr(): Invalid musig() expression"],
    [`tr(musig([aabbccdd]x,${one}))`, "tr(): musig(): key 'x' is not valid"],
    [`tr(musig(${one}}{${two}))`, "tr(): musig(): expected ',', got '}'"],
    [`tr(musig(${one}),${two}))`, "is not a valid descriptor function"],
    ["tr(musig())", "tr(): musig(): Must contain key expressions"],
    [`tr(musig(${one},))`, "tr(): musig(): No key provided"],
    [`tr(musig(${one}}${two}))`, "tr(): Invalid musig() expression"],
    [`tr(musig(musig(${one},${two}),${one}))`, "tr(): Too many ')' in musig() expression"],
    [`pk(musig(${one},${two}))`, "pk(): musig() is only allowed in tr() and rawtr()"],
    [`wsh(pk(musig(${one},${two})))`, "pk(): musig() is only allowed in tr() and rawtr()"],
    [`tr(musig(${one.slice(2)},${two}))`, "is invalid"],
    [`tr(musig(${one},${two})/0)`, "tr(): musig(): derivation requires all participants to be xpubs or xprvs"],
    [
      `tr(musig(${xpub}/*,${xpub}/1)/0)`,
      "tr(): musig(): Cannot have ranged participant keys if musig() also has derivation",
    ],
    [`tr(musig(${xpub},${xpub}/1)/*h)`, "tr(): musig(): Cannot have hardened child derivation"],
    [`tr(musig(${xpub},${xpub}/1)/0h)`, "tr(): musig(): cannot have hardened derivation steps"],
    [`tr(musig(${xpub},${xpub}/1)/x)`, "tr(): musig(): Key path value 'x' is not a valid uint32"],
    [`tr(musig(${xpub}/<0;1>,${xpub}/<2;3;4>))`, "tr(): musig(): Multipath derivation paths have mismatched lengths"],
    [
      `tr(musig(${xpub}/<0;1>,${xpub}/2)/<3;4>)`,
      "tr(): musig(): Cannot have multipath participant keys if musig() is also multipath",
    ],
    [`tr(musig(${Array.from({ length: 101 }, () => one).join(",")}))`, "tr(): musig(): Cannot have more than 100 keys"],
  ])("refuses %s", (text, problem) => {
    expect(() => parseDescriptor(text, { network })).toThrow(problem);
  });
});
