import { describe, expect, it } from "vitest";
import { createComparer } from "./compare-responses.ts";
import type { ComparedAnswer } from "./compared-response.ts";
import { parseExactJson } from "./exact-json.ts";
import { type ListedDifference, readDifferences } from "./listed-differences.ts";

const call = { method: "getsomething", params: ["a", 1] };

function result(text: string): ComparedAnswer {
  return { kind: "result", result: parseExactJson(text) };
}

function refusal(code: number, message: string): ComparedAnswer {
  return { kind: "error", code, message };
}

function listed(entry: Partial<ListedDifference>): ListedDifference {
  return { id: "known", methods: ["getsomething"], kind: "own meaning", reason: "It is so.", source: "here", ...entry };
}

/** The ids of what was listed, then the pointers of what was not. */
function compare(theirs: ComparedAnswer, ours: ComparedAnswer, ...entries: readonly Partial<ListedDifference>[]) {
  const comparer = createComparer(entries.map((entry, at) => listed({ id: `known-${at}`, ...entry })));
  const { listed: found, unexplained } = comparer(call, theirs, ours);
  return [[...found], unexplained.map(({ pointer }) => pointer)];
}

describe("answers", () => {
  it.each([
    ["the same", '{"a":[1,null,"x"]}', '{"a":[1,null,"x"]}'],
    ["members in another order", '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ["numbers written otherwise", "[1e-05,100,-0,0.10]", "[0.00001000,1e2,0,0.1]"],
    ["long integers", "12345678901234567890", "12345678901234567890.0"],
  ])("are equal: %s", (_what, theirs, ours) => {
    expect(compare(result(theirs), result(ours))).toEqual([[], []]);
  });

  it.each([
    ["another number by its last digit", "12345678901234567890", "12345678901234567891", "/result"],
    ["a number and its text", "1", '"1"', "/result"],
    ["a member that is not there", '{"a":1}', '{"a":1,"b":null}', "/result/b"],
    ["a name with marks of pointers", '{"a/b":{"~":1}}', '{"a/b":{"~":2}}', "/result/a~1b/~0"],
    ["a list that goes on", "[1]", "[1,2]", "/result"],
    ["an item of a list", "[1,2]", "[1,3]", "/result/1"],
    ["nothing and an empty object", "null", "{}", "/result"],
  ])("differ: %s", (_what, theirs, ours, pointer) => {
    expect(compare(result(theirs), result(ours))).toEqual([[], [pointer]]);
  });

  it.each([
    ["a result and an error", result("1"), refusal(-1, "no")],
    ["two codes", refusal(-1, "no"), refusal(-2, "no")],
    ["no response", { kind: "none" }, result("1")],
    ["an empty line", { kind: "empty" }, refusal(-1, "no")],
  ] as const)("differ in what came of the call: %s", (_what, theirs, ours) => {
    expect(compare(theirs, ours)).toEqual([[], [""]]);
  });
});

describe("a listed difference", () => {
  it("counts only for its method, its arguments, its place, and what stands there", () => {
    const [theirs, ours] = [result('{"a":{"b":1},"c":1}'), result('{"a":{"b":2},"c":2}')];
    const entry = { members: ["/result/*/b"], theirs: { const: 1 }, ours: { const: 2 } };
    expect(compare(theirs, ours, entry)).toEqual([["known-0"], ["/result/c"]]);
    expect(compare(theirs, ours, { ...entry, methods: ["*"] })).toEqual([["known-0"], ["/result/c"]]);
    const nothing = [[], ["/result/a/b", "/result/c"]];
    expect(compare(theirs, ours, { ...entry, methods: ["getother"] })).toEqual(nothing);
    expect(compare(theirs, ours, { ...entry, arguments: { maxItems: 1 } })).toEqual(nothing);
    expect(compare(theirs, ours, { ...entry, members: ["/result/b"] })).toEqual(nothing);
    expect(compare(theirs, ours, { ...entry, ours: { const: 3 } })).toEqual(nothing);
    expect(compare(theirs, ours, { ...entry, theirs: "absent" })).toEqual(nothing);
  });

  it("of a member that one side does not have needs the other to have it", () => {
    const entry = { members: ["/result/**/b"], theirs: "absent" } as const;
    expect(compare(result('{"a":[{}]}'), result('{"a":[{"b":[1]}]}'), entry)).toEqual([["known-0"], []]);
    expect(compare(result('{"a":[{"b":2}]}'), result('{"a":[{"b":1}]}'), entry)).toEqual([[], ["/result/a/0/b"]]);
  });

  it("of a name compares what has it", () => {
    const entry = { members: ["/result/old"], renamed: "new" };
    expect(compare(result('{"old":[1]}'), result('{"new":[1]}'), entry)).toEqual([["known-0"], []]);
    expect(compare(result('{"old":[1]}'), result('{"new":[2]}'), entry)).toEqual([["known-0"], ["/result/new/0"]]);
  });

  it("of what came of a call names codes, texts and results", () => {
    const entry = { outcome: { theirs: { code: -32_602, message: "^wrong type" }, ours: { code: [-3, -8] } } };
    expect(compare(refusal(-32_602, "wrong type of it"), refusal(-3, "any"), entry)).toEqual([["known-0"], []]);
    expect(compare(refusal(-32_602, "another"), refusal(-3, "any"), entry)).toEqual([[], [""]]);
    expect(compare(refusal(-32_602, "wrong type of it"), refusal(-1, "any"), entry)).toEqual([[], [""]]);
    const silence = { outcome: { theirs: { none: "connection closed" }, ours: { result: { const: 1 } } } } as const;
    expect(compare({ kind: "none" }, result("1"), silence)).toEqual([["known-0"], []]);
    expect(compare({ kind: "empty" }, result("1"), silence)).toEqual([[], [""]]);
    expect(compare({ kind: "none" }, result("2"), silence)).toEqual([[], [""]]);
  });

  it("of an order moves unconfirmed items alone, and compares them", () => {
    const entry = { members: ["/result"], reordered: "txid" };
    const items = ['{"txid":"a","blockhash":"x"}', '{"txid":"b","n":1}', '{"txid":"c","n":2}'] as const;
    const [confirmed, second, third] = items;
    const list = (...texts: readonly string[]): ComparedAnswer => result(`[${texts.join()}]`);
    expect(compare(list(confirmed, third, second), list(...items), entry)).toEqual([["known-0"], []]);
    const other = '{"txid":"c","n":3}';
    expect(compare(list(confirmed, other, second), list(...items), entry)).toEqual([["known-0"], ["/result/2/n"]]);
    const moved = compare(list(second, confirmed, third), list(...items), entry);
    expect(moved[1]).not.toEqual([]);
  });
});

describe("relations", () => {
  it.each([
    ["same members", '["b","a"]', '["a","b"]', '["a","c"]'],
    ["same members once", '["b","a","b"]', '["a","b"]', '["a","b","b"]'],
    ["same to 16 digits", "0.0032733224222585926", "0.003273322422258593", "0.003273322422258592"],
    ["same hexadecimal number", '"00AB"', '"ab"', '"abc"'],
    ["same script", '"64 OP_ADD ff7f80"', '"100 OP_ADD -32767"', '"100 OP_ADD 32767"'],
    ["same script", '"304402 02"', '"3044[NONE] 2"', '"3044[ALL] 2"'],
    [
      "same but for version and sequences",
      `"0100000001${"aa".repeat(36)}00ffffffff0000000000"`,
      `"0200000001${"aa".repeat(36)}00fdffffff0000000000"`,
      `"0200000001${"aa".repeat(36)}00fdffffff0000000001"`,
    ],
    [
      "known chain tips",
      '[{"hash":"a","status":"invalid"},{"hash":"b","status":"active"}]',
      '[{"hash":"b","status":"active"},{"hash":"a","status":"valid-fork"}]',
      '[{"hash":"c","status":"active"}]',
    ],
    ["another unconfirmed transaction", '{"txid":"a"}', '{"txid":"b"}', '{"txid":"b","blockhash":"x"}'],
  ] as const)("%s", (relation, theirs, same, other) => {
    const entry = { members: ["/result"], relation };
    expect(compare(result(theirs), result(same), entry)).toEqual([["known-0"], []]);
    expect(compare(result(theirs), result(other), entry)[0]).toEqual([]);
  });
});

it("reads the list, which is as its schema says and says everything once", () => {
  const { differences } = readDifferences("btcd-differences.json");
  expect(differences.length).toBeGreaterThan(50);
});
