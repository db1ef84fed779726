import { renderCode } from "@nodewright/output";
import { describe, expect, it } from "vitest";
import {
  all,
  any,
  callTest,
  compare,
  type Condition,
  conditionCode,
  fact,
  isAlways,
  isNever,
  negated,
} from "./condition.ts";

const a = callTest("a");
const b = callTest("b");
const c = callTest("c");
const always = all([]);
const never = any([]);

describe("a condition", () => {
  it("is written as it is, or as its opposite", () => {
    expect([a, negated(a)].map((one) => renderCode(conditionCode(one)))).toEqual(["a", "!a"]);
    expect(negated(negated(a))).toEqual(a);
    expect(fact("x in y")).toEqual({ kind: "test", yes: "x in y", no: ["!(", "x in y", ")"] });
    expect(callTest("f(x)")).toEqual({ kind: "test", yes: "f(x)", no: ["!", "f(x)"] });
  });

  it.each<[string, Condition, Condition]>([
    ["all of one", all([a]), a],
    ["any of one", any([a]), a],
    ["all of all", all([a, all([b, c])]), { kind: "all", conditions: [a, b, c] }],
    ["any of any", any([any([a, b]), c]), { kind: "any", conditions: [a, b, c] }],
    ["all of any", all([a, any([b, c])]), { kind: "all", conditions: [a, { kind: "any", conditions: [b, c] }] }],
    ["any of all", any([all([a, b]), c]), { kind: "any", conditions: [{ kind: "all", conditions: [a, b] }, c] }],
    ["all with one that never holds", all([a, never, b]), never],
    ["any with one that always holds", any([a, always, b]), always],
    ["all with one that always holds", all([a, always]), a],
    ["any with one that never holds", any([never, a]), a],
    ["all of what always holds", all([always, always]), always],
    ["any of what never holds", any([never, never]), never],
    ["not all", negated(all([a, b])), { kind: "any", conditions: [negated(a), negated(b)] }],
    ["not any", negated(any([a, b])), { kind: "all", conditions: [negated(a), negated(b)] }],
    ["not always", negated(always), never],
    ["not never", negated(never), always],
  ])("is as simple as it can be: %s", (_, condition, simple) => {
    expect(condition).toEqual(simple);
  });

  it.each([
    ["===", "!=="],
    ["!==", "==="],
    ["<", ">="],
    ["<=", ">"],
    [">", "<="],
    [">=", "<"],
  ] as const)("compares by %s, and by %s where that does not hold", (operator, opposite) => {
    const comparison = compare("a", operator, 5);
    expect(renderCode(conditionCode(comparison))).toBe(`a ${operator} 5`);
    expect(renderCode(conditionCode(negated(comparison)))).toBe(`a ${opposite} 5`);
    expect(renderCode(conditionCode(compare(["b", "c"], operator, "d")))).toBe(`bc ${operator} d`);
  });

  it("holds always, or never, where nothing decides it", () => {
    const verdicts = [always, never, a, all([a, b]), any([a, b])].map((each) => [isAlways(each), isNever(each)]);
    expect(verdicts).toEqual([
      [true, false],
      [false, true],
      [false, false],
      [false, false],
      [false, false],
    ]);
  });
});
