import { describe, expect, it } from "vitest";
import type { CasePlay } from "../contract/planned-case.ts";
import type { Parameter } from "../inference/list-roles.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import { createRandom } from "@nodewright/api-values";
import { planDeclaredErrors } from "./declared-error.ts";
import type { FailedCall } from "./failed-call.ts";
import { type LookupOperation, planNotFound } from "./not-found.ts";
import type { Input } from "./operation.ts";
import { memoryPlay } from "./testing/memory-operations.ts";

const parameter = (name: string, type: SuiteType): Parameter => ({ name, property: name, required: true, type });
const returned = (value: unknown): FailedCall => ({ findings: [], result: { value } });
const failed = (code: number, kind: "refused" | "other" | "unclear"): FailedCall => ({
  findings: [],
  failure: { code, kind, text: `status ${code}` },
});

describe("an identifier that nothing has", () => {
  const petId = parameter("petId", { kind: "number", integer: true });

  async function rules(outcome: FailedCall, changes: Partial<LookupOperation> = {}): Promise<readonly string[]> {
    const [only] = planNotFound({
      types: {},
      identifiers: [petId],
      base: { petId: 7 },
      random: createRandom("aa"),
      known: () => [7, 8],
      declared: () => ({ text: "status 404", codes: [404], isOwn: true }),
      call: () => Promise.resolve(outcome),
      ...changes,
    });
    return ((await only?.play(memoryPlay)) ?? []).map(({ rule }) => rule.id);
  }

  it("leads to the documented failure, or to one that says nothing of it", async () => {
    expect(await rules(failed(404, "other"))).toEqual([]);
    expect(await rules(failed(500, "unclear"))).toEqual([]);
  });

  it.each([
    ["an object", returned({ petId: 7 })],
    ["an empty list", returned([])],
    ["an empty page", returned({ pets: [], total: 0 })],
    ["a refusal", failed(400, "refused")],
    ["a failure of no description", failed(418, "other")],
  ])("does not lead to %s", async (_name, outcome) => {
    expect(await rules(outcome)).toEqual(["P036"]);
  });

  it("leads to nothing where no failure is documented, and to an object by a guess alone", async () => {
    const open = { declared: () => undefined };
    expect(await rules(returned([]), open)).toEqual([]);
    expect(await rules(failed(400, "refused"), open)).toEqual([]);
    expect(await rules(returned({ isIncomplete: false, pets: [] }), open)).toEqual([]);
    expect(await rules(returned({ petId: 7 }), open)).toEqual(["P037"]);
  });

  it("leads to null only where the result may be null", async () => {
    const pet: SuiteType = { kind: "record", members: [{ name: "petId", type: petId.type, required: true }] };
    expect(await rules(returned(null))).toEqual([]);
    expect(
      await rules(returned(null), { result: { kind: "union", mode: "any-of", members: [pet, { kind: "null" }] } }),
    ).toEqual([]);
    expect(await rules(returned(null), { result: pet })).toEqual(["P036"]);
  });

  it("is not what a search is for", async () => {
    expect(await rules(returned({ petId: 7 }), { identifiers: [parameter("query", { kind: "string" })] })).toEqual([]);
  });

  it("leads to no internal error", async () => {
    const internal: FailedCall = {
      findings: [],
      failure: { code: 0, kind: "other", isInternal: true, text: "TypeError" },
    };
    expect(await rules(internal)).toEqual(["P036"]);
    expect(await rules(internal, { declared: () => undefined })).toEqual(["P037"]);
  });

  it("may exist where it is drawn from few", async () => {
    const short = parameter("petId", { kind: "string", pattern: "^[a-z][0-9]{2}$" });
    const of = { identifiers: [short], base: { petId: "a11" } };
    const call = (_play: CasePlay, { petId }: Input) => Promise.resolve(returned({ name: `Rex of ${String(petId)}` }));
    expect(await rules(returned({}), { ...of, call })).toEqual([]);
    expect(await rules(returned({ petId: "a11" }), of)).toEqual(["P036"]);
  });

  it("does not exist where others that are drawn have the same result", async () => {
    const short = parameter("petId", { kind: "string", pattern: "^[a-z][0-9]{2}$" });
    const of = { identifiers: [short], base: { petId: "a11" } };
    expect(await rules(returned({ name: "Rex" }), of)).toEqual(["P037"]);
  });

  it("is surely none where the operation that looks it up does not find it", async () => {
    const of = { identifiers: [parameter("petId", { kind: "string" })], base: { petId: "Rex" } };
    expect(await rules(returned([1]), of)).toEqual(["P037"]);
    expect(await rules(returned([1]), { ...of, isAbsent: () => Promise.resolve(true) })).toEqual(["P036"]);
  });
});

describe("a declared failure", () => {
  const date: SuiteType = { kind: "string", format: "date" };

  async function messages(words: string, response: (input: Input) => FailedCall): Promise<readonly string[]> {
    const cases = planDeclaredErrors({
      parameters: [parameter("soldFrom", date), parameter("soldTo", date), parameter("cursor", { kind: "string" })],
      types: {},
      failures: [{ code: 422, text: "status 422", words: [words] }],
      base: {},
      good: [{ soldFrom: "2024-05-01", soldTo: "2024-06-01" }],
      call: (_play, input) => Promise.resolve(response(input)),
    });
    const found = await Promise.all([...cases].map((one) => one.play(memoryPlay)));
    return found.flat().map(({ message }) => message);
  }

  it("is triggered by a range that ends before it starts, of values that are known", async () => {
    const accepted = await messages("Invalid date range", ({ soldFrom, soldTo }) => returned([soldFrom, soldTo]));
    expect(accepted).toEqual([
      "a range whose soldFrom is after its soldTo is accepted, though status 422 is documented for it",
    ]);
    expect(await messages("Invalid date range", () => failed(422, "other"))).toEqual([]);
    expect(await messages("Invalid date range", () => failed(400, "refused"))).toEqual([]);
    expect(await messages("Invalid date range", () => failed(409, "other"))).toHaveLength(1);
  });

  it("is triggered by a text without the form of a cursor", async () => {
    expect(await messages("Malformed cursor", () => returned([]))).toEqual([
      "a text that is no cursor is accepted, though status 422 is documented for it",
    ]);
  });

  it.each([
    "Range ends before it starts",
    "`soldFrom` is after `soldTo`",
    "Unknown cursor",
    "Page token is none of ours",
  ])("is triggered where its words tell how: %s", async (words) => {
    expect(await messages(words, () => returned([]))).toHaveLength(1);
    expect(await messages(words, () => failed(422, "other"))).toEqual([]);
  });

  it("is left alone where its words do not tell how", async () => {
    expect(await messages("The range is too long", () => returned([]))).toEqual([]);
    expect(await messages("Not found", () => returned([]))).toEqual([]);
  });
});
