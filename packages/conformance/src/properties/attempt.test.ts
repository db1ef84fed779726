import { expect, it } from "vitest";
import { type Finding, finding } from "../contract/finding.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { Attempt, NoValue } from "./attempt.ts";
import type { Input, Operation } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";
import { memoryPlay } from "./testing/memory-operations.ts";

const optional = (name: string): Parameter => ({ name, property: name, required: false, type: { kind: "string" } });

/** Returns the findings of one call of an operation, which refuses some inputs. */
async function findingsOf(
  isRefused: (input: Input) => boolean,
  input: Input,
  known: Operation["known"] = [],
): Promise<readonly string[]> {
  const refusal: Finding = finding(propertyRules.validInputHeuristic, "the call is refused");
  const operation: Operation = {
    name: "listParcels",
    parameters: ["after", "limit", "latitude", "longitude"].map(optional),
    result: { kind: "list", element: { kind: "string" } },
    types: {},
    known,
    longest: 0,
    isCounted: false,
    steadiness: () => undefined,
    expect: () => Promise.resolve([]),
    call: (_play, inputs, { mayBeRefused }) =>
      Promise.resolve(
        inputs.map((one) => {
          if (!isRefused(one)) return { findings: [], results: [{ value: [] }] };
          return { findings: mayBeRefused === true ? [] : [refusal], isRefused: true };
        }),
      ),
  };
  const attempt = new Attempt(operation, memoryPlay, [], { allowsEarlier: true });
  await attempt.resultOf(input, 0).catch((reason: unknown) => {
    if (!(reason instanceof NoValue)) throw reason;
  });
  return [...attempt.findings].map(({ message }) => message);
}

it("blames no refusal of optional parameters that are accepted one by one", async () => {
  const isPair = ({ after, limit }: Input): boolean => after !== undefined && limit !== undefined;
  expect(await findingsOf(isPair, { after: "a", limit: "9" })).toEqual([]);
});

it("blames the refusal of an optional parameter alone, which a refused combination hides", async () => {
  expect(await findingsOf(({ after }) => after !== undefined, { after: "a", limit: "9" })).toEqual([
    "the call is refused",
  ]);
});

it("blames no refusal of a parameter that other calls had next to another one", async () => {
  const needsBoth = ({ latitude, longitude }: Input): boolean => (latitude === undefined) !== (longitude === undefined);
  const known = [{ input: { latitude: "1", longitude: "2" }, value: [] }];
  expect(await findingsOf(needsBoth, { latitude: "1", limit: "9" }, known)).toEqual([]);
});
