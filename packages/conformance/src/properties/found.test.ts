import { describe, expect, it } from "vitest";
import type { LiveValues } from "../live/live-values.ts";
import type { SuiteParameter } from "../suite/suite.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import { createRandom } from "@nodewright/api-values";
import { probableInputs, type SoughtOperation } from "./found.ts";

function required(name: string, type: SuiteType, examples?: readonly unknown[]): SuiteParameter {
  const shown = examples === undefined ? {} : { examples };
  return { name, property: name, location: "query", required: true, type, ...shown };
}

function sought(parameters: readonly SuiteParameter[], live: Partial<LiveValues> = {}): SoughtOperation {
  return {
    name: "listTrips",
    parameters,
    types: {},
    operations: [{ name: "listStations" }],
    live: {
      see: () => undefined,
      inputsOf: () => [],
      valuesOf: () => [],
      goodInputsOf: () => [],
      resultsOf: () => [],
      ...live,
    },
    random: createRandom("aa"),
  };
}

const text: SuiteType = { kind: "string" };
const code: SuiteType = { kind: "string", pattern: "^[A-Z]{3}$" };

describe("inputs that are likely", () => {
  it("have what the description shows", () => {
    expect(probableInputs(sought([required("from", code, ["BER"])]), 1)).toEqual([{ from: "BER" }]);
    expect(probableInputs(sought([required("kind", { kind: "enumeration", values: ["fast"] })]), 1)).toEqual([
      { kind: "fast" },
    ]);
  });

  it("have different values that responses have for parameters of one kind", () => {
    const operation = sought([required("from", code), required("to", code)], { valuesOf: () => ["BER", "HAM"] });
    const [first] = probableInputs(operation, 1);
    expect(first).toEqual({ from: "BER", to: "HAM" });
  });

  it("have the middle and the end of a range in later rounds", () => {
    const day: SuiteType = { kind: "number", integer: true, minimum: 0, maximum: 30 };
    expect(probableInputs(sought([required("day", day)]), 3)).toEqual([{ day: 1 }, { day: 15 }, { day: 30 }]);
  });

  it("have words of responses for what is searched", () => {
    const value = [{ name: "Berlin Central" }];
    const operation = sought([required("q", text)], {
      resultsOf: (name) => [{ operation: name, input: {}, type: text, value }],
    });
    expect(probableInputs(operation, 1)).toEqual([{ q: "Berlin" }]);
  });
});
