import { networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { Cursor } from "./cursor.ts";
import { branchesText, markOf, parsePath, pathText } from "./key-path.ts";
import { parseDescriptor, splitChecksum } from "./parse-descriptor.ts";

const network = networks.mainnet;
const key = "03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd";
const xOnlyKey = key.slice(2);
const longKey = `04${xOnlyKey}5b8dec5235a0fa8722476c7709c02559e3aa73aa03918ba2d492eea75abea235`;
const xpub =
  "xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL";
const hundredth = (text: string): string => `${text.slice(0, 100)}…`;

/** Returns the message for a text, or its kind where it is a descriptor. */
function refusalOfDescriptor(text: string): string {
  try {
    return parseDescriptor(text, { network }).kind;
  } catch (error) {
    return error instanceof Error ? error.message : expect.unreachable();
  }
}

describe("where a function of descriptors may stand (BIP 381 to 387)", () => {
  const contexts = {
    top: (inner: string) => inner,
    sh: (inner: string) => `sh(${inner})`,
    wsh: (inner: string) => `wsh(${inner})`,
    "sh(wsh)": (inner: string) => `sh(wsh(${inner}))`,
    tr: (inner: string) => `tr(${xOnlyKey},${inner})`,
  } as const;
  const multisig = "Can only have multi/sortedmulti at top level, in sh(), or in wsh()";
  const tapscript = "Can only have multi_a/sortedmulti_a inside tr()";

  it.each<[text: string, places: readonly (keyof typeof contexts)[], refusal: string]>([
    [`pk(${key})`, ["top", "sh", "wsh", "sh(wsh)", "tr"], ""],
    [`pkh(${key})`, ["top", "sh", "wsh", "sh(wsh)", "tr"], ""],
    [`wpkh(${key})`, ["top", "sh"], "Can only have wpkh() at top level or inside sh()"],
    [`combo(${key})`, ["top"], "Can only have combo() at top level"],
    [`rawtr(${xOnlyKey})`, ["top"], "Can only have rawtr at top level"],
    [`multi(1,${key})`, ["top", "sh", "wsh", "sh(wsh)"], multisig],
    [`sortedmulti(1,${key})`, ["top", "sh", "wsh", "sh(wsh)"], multisig],
    [`multi_a(1,${key})`, ["tr"], tapscript],
    [`sortedmulti_a(1,${key})`, ["tr"], tapscript],
    [`sh(pk(${key}))`, ["top"], "Can only have sh() at top level"],
    [`wsh(pk(${key}))`, ["top", "sh"], "Can only have wsh() at top level or inside sh()"],
    [`tr(${xOnlyKey})`, ["top"], "Can only have tr at top level"],
    ["addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)", ["top"], "Can only have addr() at top level"],
    ["raw(00)", ["top"], "Can only have raw() at top level"],
  ])("%s: %j", (text, places, refusal) => {
    const allowed = Object.entries(contexts).filter(([, place]) => {
      const judgement = refusalOfDescriptor(place(text));
      if (judgement !== refusal) expect(judgement, place(text)).toMatch(/^[a-z]+(?:_a)?$/);
      return judgement !== refusal;
    });
    expect(allowed.map(([name]) => name)).toEqual(places);
  });
});

describe("what is said of a text that is no descriptor", () => {
  const keys = (count: number): string => Array.from({ length: count }, () => key).join(",");
  const isNone = (text: string): string => `'${text}' is not a valid descriptor function`;

  it.each([
    ["", isNone("")],
    ["()", isNone("()")],
    ["pk", isNone("pk")],
    [`pk(${key}`, isNone(`pk(${key}`)],
    [`xpk(${key})`, isNone(`xpk(${key})`.slice(0, 100))],
    [`constructor(${key})`, isNone(`constructor(${key})`)],
    ["x".repeat(101), `'${hundredth("x".repeat(101))}' is not a valid descriptor function`],
    [`pk(${key})x`, isNone(`pk(${key})x`)],
    [`pk(${key}))x`, "')x' follows the end of the descriptor"],
    [`pk(${key}),pk(${key})`, `',pk(${key})' follows the end of the descriptor`],
    ["x".repeat(100_001), "Descriptor has more than 100000 characters"],
    ["sh(x)", "A function is needed within P2SH"],
    ["wsh(x)", "A function is needed within P2WSH"],
    ["sh(older(1))", "A function is needed within P2SH"],
    ["wsh(and_v(v:pk(a),older(1)))", "'and_v(v:pk(a),older(1))' may be miniscript, which is not read"],
    ["wsh(X(1))", "A function is needed within P2WSH"],
    [`tr(${xOnlyKey},older(1))`, "'older(1)' may be miniscript, which is not read"],
    [`tr(${xOnlyKey},t:x9_(1))`, "'t:x9_(1)' may be miniscript, which is not read"],
    [`tr(${xOnlyKey},x)`, isNone("x")],
    [`sh(pk(${key}),pk(${key}))`, "sh(): only one script expected"],
    [`wsh(pk(${key}),)`, "wsh(): only one script expected"],
    [`tr(${xOnlyKey}}pk(${key}))`, "tr: expected ',', got '}'"],
    [`tr(${xOnlyKey},pk(${key}),pk(${key}))`, "tr(): expected end, got ','"],
    [`tr(${xOnlyKey},{pk(${key}),pk(${key}))`, "tr(): expected '}' after script expression"],
    [`tr(${xOnlyKey},pk(${key}))(x)`, "tr(): expected end, got ')'"],
    [`tr(${xOnlyKey},{pk(${key})})`, "tr(): expected ',' after script expression"],
    [`tr(${xOnlyKey},{pk(${key}),pk(${key}),pk(${key})})`, "tr(): expected '}' after script expression"],
    ["raw()", "Raw script is not hex"],
    ["raw(0)", "Raw script is not hex"],
    ["raw(zz)", "Raw script is not hex"],
    ["addr()", "Address is not valid"],
    [`multi(${key})`, `Multi threshold '${key}' is not valid`],
    [`multi(1)`, "Cannot have 0 keys in multisig; must have between 1 and 20 keys, inclusive"],
    [`tr(${xOnlyKey},multi_a(1))`, "Cannot have 0 keys in multi_a; must have between 1 and 999 keys, inclusive"],
    [`multi(1)(${key})`, "Multi: expected ',', got ')'"],
    [`multi(-1,${key})`, "Multi threshold '-1' is not valid"],
    [`multi(+1,${key})`, "Multi threshold '+1' is not valid"],
    [`multi(1x,${key})`, "Multi threshold '1x' is not valid"],
    [
      `multi(4294967295,${key})`,
      "Multisig threshold cannot be larger than the number of keys; threshold is 4294967295 but only 1 keys specified",
    ],
    [`multi(4294967296,${key})`, "Multi threshold '4294967296' is not valid"],
    [`multi(00000000001,${key})`, "Multi threshold '00000000001' is not valid"],
    [`multi(0000000001,${key})`, "multi"],
    [`multi(0,${key})`, "Multisig threshold cannot be 0, must be at least 1"],
    [`multi(1,${key})`, "multi"],
    [
      `multi(2,${key})`,
      "Multisig threshold cannot be larger than the number of keys; threshold is 2 but only 1 keys specified",
    ],
    [`multi(3,${keys(3)})`, "multi"],
    [`multi(3,${keys(4)})`, "Cannot have 4 pubkeys in bare multisig; only at most 3 pubkeys"],
    [`sh(multi(1,${keys(15)}))`, "sh"],
    [`sh(multi(1,${keys(16)}))`, "P2SH script is too large, 547 bytes is larger than 520 bytes"],
    [`sh(multi(1,${longKey},${keys(13)}))`, "sh"],
    // 3 bytes, 34 for a key and 66 for a long one.
    [`sh(multi(1,${keys(15)},${longKey}))`, "P2SH script is too large, 579 bytes is larger than 520 bytes"],
    [`wsh(multi(20,${keys(20)}))`, "wsh"],
    [`wsh(multi(1,${keys(21)}))`, "Cannot have 21 keys in multisig; must have between 1 and 20 keys, inclusive"],
    [`multi(1,${key},x)`, "Multi: key 'x' is not valid"],
    ["pk()", "pk(): No key provided"],
    ["pk(/0)", "pk(): No key provided"],
    ["pk(x)", "pk(): key 'x' is not valid"],
    [`pk(${key} )`, `pk(): Key '${key} ' is invalid due to whitespace`],
    [`pk(07${longKey.slice(2)})`, "pk(): Hybrid public keys are not allowed"],
    [`pk(05${longKey.slice(2)})`, `pk(): Pubkey '${hundredth(`05${longKey.slice(2)}`)}' is invalid`],
    [`tr(02${longKey.slice(2)})`, `tr(): Pubkey '${hundredth(`02${longKey.slice(2)}`)}' is invalid`],
    [`wpkh(${longKey})`, "wpkh(): Uncompressed keys are not allowed"],
    [`sh(pk(${longKey}))`, "sh"],
    [`tr(${"ff".repeat(32)})`, `tr(): Pubkey '${"ff".repeat(32)}' is invalid`],
    [`pk([]${key})`, "pk(): Fingerprint is not 4 bytes (0 characters instead of 8 characters)"],
    [`pk([aabbccd]${key})`, "pk(): Fingerprint is not 4 bytes (7 characters instead of 8 characters)"],
    [`pk([gabbccdd]${key})`, "pk(): Fingerprint 'gabbccdd' is not hex"],
    [`pk([aabbccdg]${key})`, "pk(): Fingerprint 'aabbccdg' is not hex"],
    [`pk(]${key})`, "pk(): Key origin start '[ character expected but not found, got ']' instead"],
    [
      `pk([aabbccdd/<0;1>]${key})`,
      "pk(): Key path value '<0;1>' specifies multipath in a section where multipath is not allowed",
    ],
    ["rawtr(a,b)", "rawtr(): only one key expected."],
    [`pkh(${xpub}/<0;1>/<2;3>)`, "pkh(): Multiple multipath key path specifiers found"],
    [`multi(1,${xpub}/<0;1>,${xpub}/<0;1;2>)`, "multi(): Multipath derivation paths have mismatched lengths"],
    [`multi(1,${xpub}/<0;1>,${xpub}/<2;3>)`, "multi"],
    [`tr(${xpub}/<0;1>,pk(${xpub}/<0;1;2>))`, "tr(): Multipath derivation paths have mismatched lengths"],
  ])("%s: %s", (text, judgement) => expect(refusalOfDescriptor(text)).toBe(judgement));

  it("is that of a tree of 128 levels, which is one", () => {
    const tree = (depth: number): string => (depth === 0 ? `pk(${xOnlyKey})` : `{${tree(depth - 1)},pk(${xOnlyKey})}`);
    expect(refusalOfDescriptor(`tr(${xOnlyKey},${tree(128)})`)).toBe("tr");
    expect(refusalOfDescriptor(`tr(${xOnlyKey},${tree(129)})`)).toBe("tr() supports at most 128 nesting levels");
  });
});

describe("the checksum of a descriptor", () => {
  it.each([
    ["raw(deadbeef)#89f8spxm", false, "raw(deadbeef)"],
    ["raw(deadbeef)", false, "raw(deadbeef)"],
    ["raw(deadbeef)", true, "Missing checksum"],
    ["raw(deadbeef)#89f8spxm#", false, "Multiple '#' symbols"],
    ["raw(deadbeef)#89f8spx", false, "Expected 8 character checksum, not 7 characters"],
    ["raw(deadbeef)#89f8spxx", true, "Provided checksum '89f8spxx' does not match computed checksum '89f8spxm'"],
    ["raw(ä)", false, "Invalid characters in payload"],
  ])("of %s, which may be needed: %s", (text, isRequired, expected) => {
    let outcome: string;
    try {
      outcome = splitChecksum(text, isRequired).content;
    } catch (error) {
      outcome = error instanceof Error ? error.message : expect.unreachable();
    }
    expect(outcome).toBe(expected);
  });
});

describe("the path of a key", () => {
  const all = { allowsBranches: true };
  it.each([
    [[], [[]], "h"],
    [["0"], [[0]], "h"],
    [["2147483647h"], [[4_294_967_295]], "h"],
    [["1'", "2"], [[2_147_483_649, 2]], "'"],
    [["1'", "2h", "3"], [[2_147_483_649, 2_147_483_650, 3]], "h"],
    [
      ["7", "<0;1'>", "8"],
      [
        [7, 0, 8],
        [7, 2_147_483_649, 8],
      ],
      "'",
    ],
    [["<5;6;7>"], [[5], [6], [7]], "h"],
    [["007"], [[7]], "h"],
  ])("%j", (elements, branches, mark) => {
    expect(parsePath(elements, all)).toEqual({ branches, mark });
  });

  it("is written with the mark of others where it has none", () => {
    expect(parsePath(["1"], { allowsBranches: false, mark: "'" }).mark).toBe("'");
    expect([markOf("1'"), markOf("1h")]).toEqual(["'", "h"]);
    expect(pathText([1, 2_147_483_648, 2_147_483_650], "'")).toBe("/1/0'/2'");
    expect(branchesText([[1, 2]], "h")).toBe("/1/2");
    expect(
      branchesText(
        [
          [1, 2, 3],
          [1, 2_147_483_650, 3],
        ],
        "h",
      ),
    ).toBe("/1/<2;2h>/3");
    expect(branchesText([[1], [2], [3]], "h")).toBe("/<1;2;3>");
    expect(branchesText([[]], "h")).toBe("");
  });

  it.each([
    [[""], "Key path value '' is not a valid uint32"],
    [["h"], "Key path value '' is not a valid uint32"],
    [["1x"], "Key path value '1x' is not a valid uint32"],
    [["x1"], "Key path value 'x1' is not a valid uint32"],
    [["-1"], "Key path value '-1' is not a valid uint32"],
    [["2147483648"], "Key path value 2147483648 is out of range"],
    [["4294967295"], "Key path value 4294967295 is out of range"],
    [["4294967296"], "Key path value '4294967296' is not a valid uint32"],
    [["0".repeat(21)], `Key path value '${"0".repeat(21)}' is not a valid uint32`],
    [["<0>"], "Multipath key path specifiers must have at least two items"],
    [["<0;1;0>"], "Duplicated key path value 0 in multipath specifier"],
    [["<0;1>", "<2;3>"], "Multiple multipath key path specifiers found"],
    [
      [`<${Array.from({ length: 101 }, (_, index) => index).join(";")}>`],
      "Multipath key path specifiers have at most 100 items",
    ],
    [Array<string>(256).fill("1"), "Key path has more than 255 values"],
  ])("is none in %j: %s", (elements, message) => expect(() => parsePath(elements, all)).toThrow(message));

  it("has 255 values and a hundred branches at most", () => {
    expect(parsePath(Array<string>(255).fill("1"), all).branches[0]).toHaveLength(255);
    const branches = `<${Array.from({ length: 100 }, (_, index) => index).join(";")}>`;
    expect(parsePath([branches], all).branches).toHaveLength(100);
    expect(parsePath(["0".repeat(20)], all).branches).toEqual([[0]]);
  });
});

describe("a cursor", () => {
  it.each([
    ["a,b", "a", ",b"],
    ["a(b,c),d", "a(b,c)", ",d"],
    ["{a,b},c", "{a,b}", ",c"],
    ["a)b", "a", ")b"],
    ["a}b", "a", "}b"],
    ["a(b{c)d},e", "a(b{c)d}", ",e"],
    ["", "", ""],
    [",", "", ","],
    ["(((", "(((", ""],
  ])("takes of %j the expression %j", (text, expression, rest) => {
    const cursor = new Cursor(text);
    expect([cursor.takeExpression(), cursor.rest, cursor.isAtEnd]).toEqual([expression, rest, rest === ""]);
  });

  it("takes the next character alone, if it is the one", () => {
    const cursor = new Cursor("ab");
    expect([
      cursor.take("b"),
      cursor.take("a"),
      cursor.take("a"),
      cursor.rest,
      cursor.take("b"),
      cursor.isAtEnd,
    ]).toEqual([false, true, false, "b", true, true]);
    expect(cursor.take("")).toBe(false);
  });
});
