import { fromHex } from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMiniscript } from "./read-miniscript.ts";
import { renderMiniscript } from "./render-miniscript.ts";

/** Keys are told apart by their last byte. */
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
  ])("reads %s", (_what, hex, text) => {
    expect(textOf(hex)).toBe(text);
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
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        textOf(parts.join(""));
      }),
      { numRuns: 2_000 },
    );
  });
});
