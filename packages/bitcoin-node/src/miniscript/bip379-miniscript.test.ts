import { fromHex, toHex } from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fragment } from "./fragment.ts";
import { readMiniscript } from "./read-miniscript.ts";
import { renderMiniscript } from "./render-miniscript.ts";

/** Returns a key that is identified by its last byte. */
function key(number: number): string {
  return `02${"11".repeat(31)}${number.toString(16).padStart(2, "0")}`;
}

const [one, two, three] = [`21${key(1)}`, `21${key(2)}`, `21${key(3)}`] as const;
const hash20 = "22".repeat(20);
const hash32 = "33".repeat(32);

function textOf(hex: string): string | undefined {
  const fragment = readMiniscript(fromHex(hex) ?? expect.unreachable(hex));
  return fragment && renderMiniscript(fragment, (bytes) => `K${bytes.at(-1)}`);
}

/** Returns the bytes that push a number in the shortest form. */
function push(number: number): string {
  if (number <= 16) return (number === 0 ? 0 : 0x50 + number).toString(16).padStart(2, "0");
  const bytes: number[] = [];
  for (let rest = number; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  if ((bytes.at(-1) ?? 0) > 0x7f) bytes.push(0);
  return toHex(Uint8Array.of(bytes.length, ...bytes));
}

const keyPush = (bytes: Uint8Array): string => `21${toHex(bytes)}`;

/** Returns the operations of a fragment's script, by the translation table of BIP 379. */
function operationsOf(fragment: Fragment): readonly string[] {
  const hashLock = (operation: string, hash: Uint8Array): readonly string[] => {
    return ["82", "0120", "88", operation, toHex(Uint8Array.of(hash.length, ...hash)), "87"];
  };
  switch (fragment.kind) {
    case "0":
      return ["00"];
    case "1":
      return ["51"];
    case "pk_k":
      return [keyPush(fragment.key)];
    case "older":
      return [push(fragment.number), "b2"];
    case "after":
      return [push(fragment.number), "b1"];
    case "sha256":
      return hashLock("a8", fragment.hash);
    case "hash256":
      return hashLock("aa", fragment.hash);
    case "ripemd160":
      return hashLock("a6", fragment.hash);
    case "hash160":
      return hashLock("a9", fragment.hash);
    case "multi":
      return [push(fragment.required), ...fragment.keys.map(keyPush), push(fragment.keys.length), "ae"];
    case "thresh": {
      const parts = fragment.parts.flatMap((part, position) => [
        ...operationsOf(part),
        ...(position > 0 ? ["93"] : []),
      ]);
      return [...parts, push(fragment.required), "87"];
    }
    case "andor": {
      const [condition, met, unmet] = [fragment.condition, fragment.met, fragment.unmet].map(operationsOf);
      return [...(condition ?? []), "64", ...(unmet ?? []), "67", ...(met ?? []), "68"];
    }
    case "and_v":
      return [...operationsOf(fragment.left), ...operationsOf(fragment.right)];
    case "and_b":
      return [...operationsOf(fragment.left), ...operationsOf(fragment.right), "9a"];
    case "or_b":
      return [...operationsOf(fragment.left), ...operationsOf(fragment.right), "9b"];
    case "or_c":
      return [...operationsOf(fragment.left), "64", ...operationsOf(fragment.right), "68"];
    case "or_d":
      return [...operationsOf(fragment.left), "73", "64", ...operationsOf(fragment.right), "68"];
    case "or_i":
      return ["63", ...operationsOf(fragment.left), "67", ...operationsOf(fragment.right), "68"];
    case "a":
      return ["6b", ...operationsOf(fragment.part), "6c"];
    case "s":
      return ["7c", ...operationsOf(fragment.part)];
    case "c":
      return [...operationsOf(fragment.part), "ac"];
    case "d":
      return ["76", "63", ...operationsOf(fragment.part), "68"];
    case "v": {
      const operations = operationsOf(fragment.part);
      const verifying = { "87": "88", ac: "ad", ae: "af" }[operations.at(-1) ?? ""];
      return verifying === undefined ? [...operations, "69"] : [...operations.slice(0, -1), verifying];
    }
    case "j":
      return ["82", "92", "63", ...operationsOf(fragment.part), "68"];
    case "n":
      return [...operationsOf(fragment.part), "92"];
  }
}

/** Returns a list of keys, five of which fill most of the longest script. */
function manyKeys(count: number, from: number): string {
  return `51${Array.from({ length: count }, (_, index) => `21${key(from + index)}`).join("")}${push(count)}`;
}

/** First 3,560 bytes of a witness script. */
const longBeginning = [
  ...[0, 20, 40, 60, 80].map((from) => `${manyKeys(20, from)}af`),
  ...[100, 101, 102, 103].map((number) => `21${key(number)}ad`),
].join("");

describe("readMiniscript", () => {
  it.each([
    ["a key", `${one}ac`, "pk(K1)"],
    ["two keys", `${one}ad${two}ac`, "and_v(v:pk(K1),pk(K2))"],
    ["three keys, grouped from the left", `${one}ad${two}ad${three}ac`, "and_v(and_v(v:pk(K1),v:pk(K2)),pk(K3))"],
    ["either key", `${one}ac7c${two}ac9b`, "or_b(pk(K1),s:pk(K2))"],
    ["both keys, checked together", `${one}ac7c${two}ac9a`, "and_b(pk(K1),s:pk(K2))"],
    ["a key on the other stack", `${one}ac6b${two}ac6c9b`, "or_b(pk(K1),a:pk(K2))"],
    ["a key, or another after a time", `${one}ac7364${two}ad029000b268`, "or_d(pk(K1),and_v(v:pk(K2),older(144)))"],
    ["a key, or another that is verified", `${one}ac64${two}ad6851`, "t:or_c(pk(K1),v:pk(K2))"],
    ["one of two branches", `63${one}ac67${two}ad03a0bb0db168`, "or_i(pk(K1),and_v(v:pk(K2),after(900000)))"],
    ["a condition", `${one}ac64${two}ac67${three}ac68`, "andor(pk(K1),pk(K3),pk(K2))"],
    ["a condition without an alternative", `${one}ac640067${two}ac68`, "and_n(pk(K1),pk(K2))"],
    ["some of three", `${one}ac7c${two}ac937c${three}ac935287`, "thresh(2,pk(K1),s:pk(K2),s:pk(K3))"],
    [
      "some of two, one of them a time",
      `${one}ac7c${two}ac937c630067029000b29268935287`,
      "thresh(2,pk(K1),s:pk(K2),sln:older(144))",
    ],
    ["a hash by each function: sha256", `82012088a820${hash32}88${one}ac`, `and_v(v:sha256(${hash32}),pk(K1))`],
    ["hash256", `82012088aa20${hash32}88${one}ac`, `and_v(v:hash256(${hash32}),pk(K1))`],
    ["ripemd160", `82012088a614${hash20}88${one}ac`, `and_v(v:ripemd160(${hash20}),pk(K1))`],
    ["hash160", `82012088a914${hash20}88${one}ac`, `and_v(v:hash160(${hash20}),pk(K1))`],
    ["multisignature and a time", `51${one}${two}52af029000b2`, "and_v(v:multi(1,K1,K2),older(144))"],
    ["a branch that is nothing", `6300${`67${one}ac68`}`, "l:pk(K1)"],
    ["a branch that is nothing, behind", `63${one}ac670068`, "u:pk(K1)"],
    ["the first block", `${one}ad51b1`, "and_v(v:pk(K1),after(1))"],
    ["sixteen blocks", `${one}ad60b2`, "and_v(v:pk(K1),older(16))"],
    ["seventeen blocks", `${one}ad0111b2`, "and_v(v:pk(K1),older(17))"],
    ["128 blocks", `${one}ad028000b2`, "and_v(v:pk(K1),older(128))"],
    ["a zero byte within a number", `${one}ad03ff0001b2`, "and_v(v:pk(K1),older(65791))"],
    ["the last number", `${one}ad04ffffff7fb1`, "and_v(v:pk(K1),after(2147483647))"],
    ["all of several keys", `52${one}${two}52ae`, "multi(2,K1,K2)"],
    ["all of several parts", `${one}ac7c${two}ac935287`, "thresh(2,pk(K1),s:pk(K2))"],
    ["one part of one", `${one}ac5187`, "thresh(1,pk(K1))"],
    [
      "a part that is dissatisfied by nothing",
      `82926382012088a820${hash32}88${one}ac68`,
      `j:and_v(v:sha256(${hash32}),pk(K1))`,
    ],
    ["a part that is left out", `${one}ac6b7663029000b269686c9a`, "and_b(pk(K1),adv:older(144))"],
  ])("reads %s", (_what, hex, text) => {
    expect(textOf(hex)).toBe(text);
  });

  it("reads twenty keys and a script of 3,600 bytes, and no more", () => {
    expect(textOf(`${manyKeys(20, 0)}ae`)).toMatch(/^multi\(1,/);
    expect(textOf(`${manyKeys(21, 0)}ae`)).toBeUndefined();
    const last = (lock: string) => `${longBeginning}${lock}6921${key(250)}ac`;
    expect(last("029000b2")).toHaveLength(2 * 3_600);
    expect(textOf(last("029000b2"))).toContain("older(144)");
    expect(textOf(last("03a08601b2"))).toBeUndefined();
  });

  it("reads only what BIP 379 translates to the same script", () => {
    const examples = [
      `${one}ac73642102${"44".repeat(32)}ad029000b268`,
      `${one}ac7c${two}ac937c${three}ac935287`,
      `${one}ac7c${two}ac937c630067029000b29268935287`,
      `82012088a820${hash32}88${one}ac`,
      `82012088a914${hash20}88${one}ac`,
      `51${one}${two}52af029000b2`,
      `${one}ac640067${two}ac68`,
      `${one}ac64${two}ad6851`,
      `82926382012088a820${hash32}88${one}ac68`,
      `${one}ac6b7663029000b269686c9a`,
      `${one}ac6b${two}ac6c9b`,
    ].map((hex) => fromHex(hex) ?? expect.unreachable(hex));
    const check = (script: Uint8Array): void => {
      const fragment = readMiniscript(script);
      if (fragment !== undefined) expect(operationsOf(fragment).join("")).toBe(toHex(script));
    };
    for (const script of examples) {
      expect(operationsOf(readMiniscript(script) ?? expect.unreachable()).join("")).toBe(toHex(script));
      for (const position of script.keys()) {
        for (let value = 0; value < 256; value += position % 33 === 0 ? 1 : 7) check(script.with(position, value));
        check(Uint8Array.from([...script].toSpliced(position, 1)));
        check(Uint8Array.from([...script].toSpliced(position, 0, script[position] ?? 0)));
      }
    }
  });

  it.each([
    ["nothing", ""],
    ["what anybody may spend", "51"],
    ["a time alone", "029000b2"],
    ["a hash alone", `82012088a820${hash32}87`],
    ["a key twice", `${one}ad${one}ac`],
    ["a key, or a hash that others may show", `${one}ac7c82012088a820${hash32}879b`],
    ["times that exclude each other", `${one}ad029000b26903900040b2`],
    ["a number that is too long", `${one}ad03900000b2`],
    ["a small number as bytes", `${one}ad0105b2`],
    ["a time of 0", `${one}ad00b2`],
    ["a check and its verification apart", `${one}ac69${two}ac`],
    ["a long push", `4c21${key(1)}ac`],
    ["a long key", `41${`04${"11".repeat(64)}`}ac`],
    ["a hybrid key", `2106${"11".repeat(32)}ac`],
    ["a key of which the hash is known alone", `76a914${hash20}88ac`],
    ["a branch without an end", `63${one}ac67${two}ac`],
    ["an end without a branch", `${one}ac68`],
    ["more than is left over", `51${one}ac7c`],
    ["a push that is cut off", `${one}ac05`],
    ["none of several keys", `00${one}${two}52ae`],
    ["none of no keys", "0000ae"],
    ["no part of several", `${one}ac7c${two}ac930087`],
    ["more parts than there are", `${one}ac7c${two}ac935387`],
    ["a number that no lock holds", `${one}ad050000008000b1`],
    ["a negative number", `${one}ad0181b1`],
    ["zero as a byte", `${one}ad0100b1`],
    ["a negative zero", `${one}ad0180b1`],
    ["seventeen, with a needless byte", `${one}ad021100b2`],
    ["a hash without the length of what it is of", `88a820${hash32}87`],
    ["a hash with nothing before it", `a820${hash32}87`],
    ["a push of 76 bytes", `4c4c${"11".repeat(76)}`],
    ["a push of 256 bytes", `4d0001${"11".repeat(256)}ac`],
    ["a small hash", `82012088a813${"22".repeat(19)}88${one}ac`],
    ["a hash by another function", `82012088a720${hash32}88${one}ac`],
    ["a hash of what has another length", `82012188a820${hash32}88${one}ac`],
    ["a key of 33 bytes with another beginning", `2104${"11".repeat(32)}ac`],
    ["a swapped part alone", `7c${one}ac`],
    ["a moved part alone", `6b${one}ac6c`],
    ["too many keys", `51${one.repeat(21)}0115ae`],
    ["fewer keys than are needed", `53${one}${two}52ae`],
    ["more than 3,600 bytes", `${`${one}ad`.repeat(110)}${two}ac`],
    ["many wrappers", `${one}ac${"92".repeat(3_500)}`],
    ["many verifications", "69".repeat(3_600)],
    ["many branches", "68".repeat(3_600)],
  ])("takes for none %s", (_what, hex) => {
    expect(textOf(hex)).toBeUndefined();
  });

  it("answers for any bytes", () => {
    const words = fc.constantFrom(
      "51",
      "00",
      "ac",
      "ad",
      "63",
      "64",
      "67",
      "68",
      "69",
      "7c",
      "6b",
      "6c",
      "9a",
      "9b",
      "93",
      "87",
      "b2",
      "b1",
      "ae",
      "92",
      "76",
      "82",
      "0120",
      "5287",
      `${one}`,
      `${two}`,
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30, size: "max" }), (parts) => {
        const script = fromHex(parts.join("")) ?? expect.unreachable();
        const fragment = readMiniscript(script);
        if (fragment !== undefined) expect(operationsOf(fragment).join("")).toBe(parts.join(""));
      }),
      { numRuns: 2_000 },
    );
  });
});
