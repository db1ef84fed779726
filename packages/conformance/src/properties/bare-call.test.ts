import { describe, expect, it } from "vitest";

import { refusedBare } from "./bare-call.ts";
import type { InputOperation } from "./input-operation.ts";
import type { Input } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";
import { optional } from "./testing/check-operation.ts";
import { memoryPlay } from "./testing/memory-operations.ts";

const word = { kind: "string", examples: ["a"] } as const;
const limit = optional("limit", { kind: "number", integer: true, minimum: 1, maximum: 40 }, 10);

/** Returns the messages about a refused call of a search that accepts an input if `accepts` does. */
async function problemsOf(
  accepts: (input: Input) => boolean,
  known: readonly Input[] = [],
  names: readonly string[] = ["q", "city"],
): Promise<readonly string[]> {
  const operation: InputOperation = {
    name: "search",
    parameters: [...names.map((name) => optional(name, word)), limit],
    result: undefined,
    types: {},
    longest: 50,
    isCounted: false,
    known: known.map((input) => ({ input, value: [] })),
    base: {},
    failing: [],
    hasOwnAbsence: false,
    isBatched: false,
    isNaming: () => false,
    strictTypeOf: ({ type }) => type,
    invalidity: () => undefined,
    requestOf: (input) => JSON.stringify(input),
    wasSent: () => false,
    steadiness: () => undefined,
    call: () => Promise.resolve([]),
    expect: (_play, calls) =>
      Promise.resolve(calls.map(({ input }) => ({ kind: accepts(input) ? "accepted" : "refused", findings: [] }))),
  };
  const refused = [{ rule: propertyRules.validInput, message: "the call is refused" }];
  const found = await refusedBare(operation, memoryPlay, {}, refused);
  return found.map(({ rule, message }) => `${rule.id} ${message}`);
}

describe("a refused call without optional parameters", () => {
  it("is right where one of several is needed", async () => {
    const either = ({ q, city }: Input): boolean => q !== undefined || city !== undefined;
    await expect(problemsOf(either)).rejects.toThrow("The target needs one of several optional parameters");
  });

  it("may be wrong where only one of them is accepted alone", async () => {
    expect(await problemsOf(({ q }) => q !== undefined)).toEqual([
      "P013 the call is refused without q, which is optional",
    ]);
  });

  it("is a violation where no choice exists", async () => {
    expect(await problemsOf(({ q }) => q !== undefined, [], ["q"])).toEqual(["P012 the call is refused"]);
  });

  it("is wrong where a parameter with a default is needed", async () => {
    const needsLimit = (input: Input): boolean => input["limit"] !== undefined;
    expect(await problemsOf(needsLimit, [{ limit: 3 }])).toEqual(["P012 the call is refused"]);
  });
});
