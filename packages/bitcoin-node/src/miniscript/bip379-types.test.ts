import { describe, expect, it } from "vitest";
import type { Fragment, Pair, Wrapper } from "./fragment.ts";
import { isWithinBounds } from "./fragment-cost.ts";
import { fragmentType } from "./fragment-type.ts";

const zero: Fragment = { kind: "0" };
const one: Fragment = { kind: "1" };
const key: Fragment = { kind: "pk_k", key: new Uint8Array(33) };
const hash: Fragment = { kind: "sha256", hash: new Uint8Array(32) };
const multi: Fragment = { kind: "multi", required: 1, keys: [new Uint8Array(33), new Uint8Array(33)] };
/** Fragment of one opcode and two keys, and no more than one witness item. */
const multiNone: Fragment = { ...multi, required: 0 };
const pk = wrap("c", key);
const relativeHeight = older(144);
const relativeTime = older((1 << 22) + 1);
const absoluteHeight = after(499_999_999);
const absoluteTime = after(500_000_000);

function older(number: number): Fragment {
  return { kind: "older", number };
}

function after(number: number): Fragment {
  return { kind: "after", number };
}

function wrap(wrappers: string, part: Fragment): Fragment {
  return [...wrappers].reduceRight<Fragment>((inner, kind) => ({ kind: kind as Wrapper, part: inner }), part);
}

function pair(kind: Pair, left: Fragment, right: Fragment): Fragment {
  return { kind, left, right };
}

function andor(condition: Fragment, met: Fragment, unmet: Fragment): Fragment {
  return { kind: "andor", condition, met, unmet };
}

function thresh(required: number, ...parts: readonly Fragment[]): Fragment {
  return { kind: "thresh", required, parts };
}

/** Returns the basic type and the properties in BIP 379's order; `m` where third parties can't change satisfactions. */
function typeText(fragment: Fragment): string | undefined {
  const type = fragmentType(fragment);
  if (type === undefined) return undefined;
  const properties = [..."zondusfe"].filter((property) => type.properties.has(property)).join("");
  return `${type.basic}${properties}${type.isMalleable ? "" : "m"}`;
}

describe("fragmentType", () => {
  it.each<[string, Fragment, string]>([
    ["0", zero, "Bzdusem"],
    ["1", one, "Bzufm"],
    ["pk_k", key, "Kondusem"],
    ["older", relativeHeight, "Bzfm"],
    ["after", absoluteTime, "Bzfm"],
    ["sha256", hash, "Bondum"],
    ["multi", multi, "Bndusem"],
    ["c:pk_k", pk, "Bondusem"],
    ["a:pk", wrap("a", pk), "Wdusem"],
    ["s:pk", wrap("s", pk), "Wdusem"],
    ["v:pk", wrap("v", pk), "Vonsfm"],
    ["v:older", wrap("v", relativeHeight), "Vzfm"],
    ["dv:older", wrap("dv", relativeHeight), "Bondem"],
    ["j:pk, which is not forced and hence not expressive", wrap("j", pk), "Bondusm"],
    ["j: of a forced part", wrap("j", pair("and_v", wrap("v", pk), one)), "Bondusem"],
    ["n:older", wrap("n", relativeHeight), "Bzufm"],
    ["and_v(v:pk,pk)", pair("and_v", wrap("v", pk), pk), "Bnusfm"],
    ["and_v(v:pk,older)", pair("and_v", wrap("v", pk), relativeHeight), "Bonsfm"],
    ["and_v(v:older,pk)", pair("and_v", wrap("v", relativeHeight), pk), "Bonusm"],
    ["and_v(v:older,pk_k)", pair("and_v", wrap("v", relativeHeight), key), "Konusm"],
    ["and_v(v:older,v:older)", pair("and_v", wrap("v", relativeHeight), wrap("v", relativeHeight)), "Vzfm"],
    ["and_b(pk,s:pk)", pair("and_b", pk, wrap("s", pk)), "Bndusem"],
    ["and_b(pk,s:sha256)", pair("and_b", pk, wrap("s", hash)), "Bndusm"],
    ["and_b(pk,a:older)", pair("and_b", pk, wrap("a", relativeHeight)), "Bnusm"],
    ["and_b of two that are forced", pair("and_b", relativeHeight, wrap("a", relativeHeight)), "Bufm"],
    ["or_b(pk,s:pk)", pair("or_b", pk, wrap("s", pk)), "Bdusem"],
    ["or_b(0,a:0): wrapped parts are never z", pair("or_b", zero, wrap("a", zero)), "Bdusem"],
    ["or_b with a hash, whose dissatisfaction can be exchanged", pair("or_b", pk, wrap("s", hash)), "Bdu"],
    ["or_c(pk,v:pk)", pair("or_c", pk, wrap("v", pk)), "Vsfm"],
    ["or_c(pk,v:older)", pair("or_c", pk, wrap("v", relativeHeight)), "Vofm"],
    ["or_c without a signature", pair("or_c", pair("or_i", one, zero), wrap("v", one)), "Vo"],
    ["or_d(pk,pk)", pair("or_d", pk, pk), "Bdusem"],
    ["or_d(pk,older)", pair("or_d", pk, relativeHeight), "Bofm"],
    ["or_i(pk,pk)", pair("or_i", pk, pk), "Bdusm"],
    ["or_i(0,older)", pair("or_i", zero, relativeHeight), "Bodem"],
    ["or_i(pk_k,pk_k)", pair("or_i", key, key), "Kdusm"],
    ["or_i without a signature", pair("or_i", relativeHeight, relativeHeight), "Bo"],
    ["andor(pk,pk,pk)", andor(pk, pk, pk), "Bdusem"],
    ["andor(pk,older,pk)", andor(pk, relativeHeight, pk), "Bdsem"],
    ["andor(pk,older,older)", andor(pk, relativeHeight, relativeHeight), "Bofm"],
    ["andor(0,pk,pk)", andor(zero, pk, pk), "Bodusem"],
    ["andor(pk,pk_k,pk_k)", andor(pk, key, key), "Kdusem"],
    ["thresh(1,pk,s:pk)", thresh(1, pk, wrap("s", pk)), "Bdusem"],
    ["thresh of one part that takes one item", thresh(1, pk), "Bodusem"],
    ["thresh of one part that takes none", thresh(1, zero), "Bzdusem"],
    ["thresh(2,pk,s:pk,aln:older)", thresh(2, pk, wrap("s", pk), lockAsPart(relativeHeight)), "Bdusm"],
    ["thresh with as many unsigned as required", thresh(1, pk, wrap("s", pk), lockAsPart(relativeHeight)), "Bdum"],
    [
      "thresh with more unsigned than required",
      thresh(1, pk, lockAsPart(relativeHeight), lockAsPart(relativeHeight)),
      "Bdu",
    ],
  ])("types %s", (_name, fragment, text) => {
    expect(typeText(fragment) ?? "").toBe(text);
  });

  it.each<[string, Fragment]>([
    ["a: of W", wrap("aa", pk)],
    ["s: of what takes two items", wrap("s", multi)],
    ["c: of B", wrap("c", pk)],
    ["d: of B", wrap("d", pk)],
    ["d: of what takes an item", wrap("dv", pk)],
    ["v: of V", wrap("vv", pk)],
    ["j: of what takes no item", wrap("j", relativeHeight)],
    ["n: of V", wrap("nv", pk)],
    ["and_v of B", pair("and_v", pk, pk)],
    ["and_v with W", pair("and_v", wrap("v", pk), wrap("a", pk))],
    ["and_b of B and B", pair("and_b", pk, pk)],
    ["or_b of what is not dissatisfiable", pair("or_b", pk, wrap("a", relativeHeight))],
    ["or_c of what is not unit", pair("or_c", wrap("dv", relativeHeight), wrap("v", pk))],
    ["or_c with B", pair("or_c", pk, pk)],
    ["or_d of what is not dissatisfiable", pair("or_d", relativeHeight, pk)],
    ["or_i of different types", pair("or_i", pk, key)],
    ["or_i of W", pair("or_i", wrap("a", pk), wrap("a", pk))],
    ["andor of different types", andor(pk, pk, wrap("v", pk))],
    ["andor of what is not unit", andor(wrap("dv", relativeHeight), pk, pk)],
    ["thresh that begins with W", thresh(1, wrap("a", pk), wrap("a", pk))],
    ["thresh that goes on with B", thresh(1, pk, pk)],
    ["thresh of what is not dissatisfiable", thresh(1, pk, wrap("a", relativeHeight))],
    ["any that has such a part", wrap("v", wrap("c", pk))],
  ])("refuses %s", (_name, fragment) => {
    expect(fragmentType(fragment)).toBeUndefined();
  });

  const both = (left: Fragment, right: Fragment): Fragment => pair("and_v", wrap("v", left), right);
  it.each<[string, Fragment, boolean]>([
    ["relative height and relative time", both(relativeHeight, relativeTime), true],
    ["relative time and relative height", both(relativeTime, relativeHeight), true],
    ["absolute height and absolute time", both(absoluteHeight, absoluteTime), true],
    ["absolute time and absolute height", both(absoluteTime, absoluteHeight), true],
    ["twice the same", both(absoluteTime, absoluteTime), false],
    ["relative height and absolute time", both(relativeHeight, absoluteTime), false],
    ["relative time and absolute height", both(relativeTime, absoluteHeight), false],
    ["either of two", pair("or_i", relativeHeight, relativeTime), false],
    ["and_b", pair("and_b", relativeHeight, wrap("a", relativeTime)), true],
    ["the condition and the branch where it is met", andor(lock(relativeHeight), relativeTime, pk), true],
    ["the condition and the branch where it is not met", andor(lock(relativeHeight), pk, relativeTime), false],
    ["one of several", thresh(1, pk, lockAsPart(relativeHeight), lockAsPart(relativeTime)), false],
    ["two of several", thresh(2, pk, lockAsPart(relativeHeight), lockAsPart(relativeTime)), true],
    ["one of which is on another path", both(pair("or_i", relativeHeight, relativeTime), pk), false],
    ["deep inside", pair("or_i", pk, both(relativeHeight, relativeTime)), true],
  ])("reports whether %s are mixed", (_name, fragment, expected) => {
    expect(fragmentType(fragment)?.mixesTimelocks).toBe(expected);
  });
});

/** Wraps in `ln:`, which makes a timelock dissatisfiable and a unit. */
function lock(timelock: Fragment): Fragment {
  return pair("or_i", zero, wrap("n", timelock));
}

function lockAsPart(timelock: Fragment): Fragment {
  return wrap("a", lock(timelock));
}

describe("isWithinBounds", () => {
  const chained = (count: number, part: Fragment): Fragment =>
    count === 1 ? part : pair("and_v", wrap("v", part), chained(count - 1, part));

  it.each<[string, Fragment, boolean]>([
    ["100 witness items", chained(100, pk), true],
    ["101 witness items", chained(101, pk), false],
    // Each is one opcode with its keys.
    ["199 operations", chained(66, multiNone), true],
    ["201 operations", pair("and_v", wrap("v", chained(66, multiNone)), wrap("nn", pk)), true],
    ["202 operations", pair("and_v", wrap("v", chained(66, multiNone)), wrap("nnn", pk)), false],
    ["VERIFY of its own after ADD", chained(67, wrap("nn", relativeHeight)), false],
    ["what can't be satisfied, whatever it takes", zero, true],
    ["what can't be satisfied on one of two branches", pair("or_i", zero, pk), true],
    ["the branch that takes more", pair("or_i", pk, chained(100, pk)), false],
    ["the branch that takes as much as is allowed", pair("or_i", pk, chained(99, pk)), true],
    ["what is satisfied after a dissatisfied condition", pair("or_d", pk, chained(99, pk)), true],
    ["what is satisfied after a condition of two items", pair("or_d", multi, chained(99, pk)), false],
    ["a threshold whose parts take 100 items", thresh(1, pk, wrap("a", chained(99, pk))), true],
    ["a threshold whose parts take 101 items", thresh(1, pk, wrap("a", chained(100, pk))), false],
  ])("decides over %s", (_name, fragment, expected) => {
    expect(isWithinBounds(fragment)).toBe(expected);
  });
});
