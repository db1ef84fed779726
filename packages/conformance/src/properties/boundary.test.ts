import { describe, expect, it } from "vitest";
import { onlyRequired } from "./boundary.ts";
import type { InputOperation } from "./input-operation.ts";
import type { Input } from "./operation.ts";
import { optional } from "./testing/check-operation.ts";

/** Returns an operation with one optional parameter, with which a call was accepted. */
function operation(changes: Partial<InputOperation>): InputOperation {
  return {
    name: "search",
    parameters: [optional("ids", { kind: "string" })],
    result: undefined,
    types: {},
    longest: 50,
    isCounted: false,
    known: [{ input: { ids: "a" }, value: [] }],
    base: {},
    failing: [],
    hasOwnAbsence: false,
    isBatched: false,
    isNaming: () => false,
    strictTypeOf: ({ type }) => type,
    invalidity: () => undefined,
    requestOf: (input: Input) => JSON.stringify(input),
    wasSent: () => false,
    steadiness: () => undefined,
    call: () => Promise.resolve([]),
    expect: () => Promise.resolve([]),
    ...changes,
  };
}

describe("a call with what is required alone", () => {
  it("has to be accepted", () => {
    expect(onlyRequired(operation({})).map(({ input }) => input)).toEqual([{}]);
  });

  it("need not be made again where it was accepted", () => {
    expect(onlyRequired(operation({ known: [{ input: {}, value: [] }] }))).toEqual([]);
  });

  it("may be refused where an example shows it", () => {
    expect(onlyRequired(operation({ failing: [{}] }))).toEqual([]);
  });
});
