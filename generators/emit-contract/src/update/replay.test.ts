import { describe, expect, it } from "vitest";
import { requestedKeys, type Expectation, remembered, replay, type ReplayedUnit, sharedKey } from "./replay.ts";
import { RequestRecorder, RequestTable, type SharedRequest } from "../contract/requests.ts";

const constant = (key: string, stem = key): SharedRequest => ({ kind: "constant", key, stem });
const part = (key: string, stem = key): SharedRequest => ({ kind: "part", key, stem });
const unit = (...shared: readonly SharedRequest[]): ReplayedUnit => ({ shared });

/** Units of parts: a requests b and a constant, b requests a and c, c requests nothing. */
const partUnits: Readonly<Record<string, ReplayedUnit>> = {
  a: unit(part("b"), constant("k")),
  b: unit(part("a"), part("c")),
  c: unit(),
};
const partUnit = (key: string): ReplayedUnit | undefined => partUnits[key];

describe("requests", () => {
  it("are heard while something is written: the first of equal ones, and each helper once", () => {
    const recorder = new RequestRecorder();
    recorder.note(constant("before"));
    const { written, requests } = recorder.observe(() => {
      for (const request of [part("a", "first"), constant("a"), part("a", "second")]) recorder.note(request);
      for (const name of ["one", "two", "one"]) recorder.noteHelper(name);
      return "text";
    });
    expect(written).toBe("text");
    expect(requests).toEqual({ shared: [part("a", "first"), constant("a")], helpers: ["one", "two"] });
    expect(recorder.observe(() => 1)).toEqual({ written: 1, requests: { shared: [], helpers: [] } });
  });

  it("are numbered, the same ones alike, and remembered by their numbers", () => {
    const table = new RequestTable();
    const numbers = (...shared: readonly SharedRequest[]) => table.numbersOf({ shared, helpers: [] });
    expect(numbers(part("a"), constant("a"))).toEqual([0, 1]);
    expect(numbers(constant("a"), part("a", "other"), part("a"))).toEqual([1, 2, 0]);
    expect(table.settled).toEqual([
      ["part", "a", "a"],
      ["constant", "a", "a"],
      ["part", "a", "other"],
    ]);
    expect(remembered([2, 0, 7], table.settled)).toEqual([part("a", "other"), part("a")]);
  });
});

describe("everything that functions request", () => {
  it("is what they request themselves and through parts, in circles too", () => {
    expect(requestedKeys([], partUnit)).toEqual(new Set());
    expect(requestedKeys([unit(constant("x")), unit(part("c"))], partUnit)).toEqual(new Set(["constant x", "part c"]));
    expect(requestedKeys([unit(part("a"))], partUnit)).toEqual(new Set(["part a", "part b", "part c", "constant k"]));
    // A constant is not a function, whatever its name is.
    expect(requestedKeys([unit(constant("a"))], partUnit)).toEqual(new Set(["constant a"]));
    expect(requestedKeys([unit(part("unknown"))], partUnit)).toEqual(new Set(["part unknown"]));
  });
});

describe("a replay", () => {
  const expectedOf = (...requests: readonly (readonly [SharedRequest, Expectation])[]) =>
    new Map(requests.map(([request, expectation]) => [sharedKey(request), expectation]));
  const usual = expectedOf(
    ...[constant("k"), part("a"), part("b"), part("c")].map(
      (request) => [request, { name: `${request.kind}:${request.stem}` }] as const,
    ),
  );
  const run = (units: readonly ReplayedUnit[], expected = usual) => {
    const allocated: string[] = [];
    const result = replay(units, {
      allocate: (wanted) => {
        allocated.push(wanted);
        return wanted;
      },
      wanted: ({ kind, stem }) => `${kind}:${stem}`,
      expected,
      partUnit,
    });
    return { result, allocated };
  };

  it("asks once for each thing, for those of parts after those of all functions", () => {
    expect(run([unit(part("b"), constant("k")), unit(part("b"), part("c"), constant("k"))])).toEqual({
      result: { constants: ["k"], parts: ["b", "c", "a"] },
      allocated: ["part:b", "constant:k", "part:c", "part:a"],
    });
    expect(run([unit(part("a"))]).result).toEqual({ constants: ["k"], parts: ["a", "b", "c"] });
    expect(run([]).result).toEqual({ constants: [], parts: [] });
  });

  it("doubts where a name would be another", () => {
    const doubt = (name: string) => ({ doubt: `${name} would not be what it is called` });
    const c = part("c");
    expect(run([unit(c)], expectedOf([c, { name: "part:c", stem: "c" }])).result).toEqual({
      constants: [],
      parts: ["c"],
    });
    expect(run([unit(c)], expectedOf([c, { name: "part:c2" }])).result).toEqual(doubt("part:c"));
    expect(run([unit(c)], expectedOf([c, { name: "part:c", stem: "other" }])).result).toEqual(doubt("part:c"));
    expect(run([unit(c)], expectedOf()).result).toEqual(doubt("part:c"));
    // An item that only a part requests.
    expect(run([unit(part("a"))], expectedOf([part("a"), { name: "part:a" }])).result).toEqual(doubt("part:b"));
  });

  it("doubts where a part is not known", () => {
    const unknown = part("unknown");
    expect(run([unit(unknown)], expectedOf([unknown, { name: "part:unknown" }])).result).toEqual({
      doubt: "a shared function is not known",
    });
  });
});
