import type { ApiModel, JsonValue, TypeNode } from "@nodewright/model";
import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emitTypes } from "../types/emit-types.ts";
import { mindfulModels, models } from "../testing/arbitrary-model.ts";
import { writeGeneratedFiles } from "../testing/generated-files.ts";
import { referenceCheck } from "../testing/reference-check.ts";
import {
  anything,
  declaration,
  field,
  list,
  model,
  node,
  nothing,
  numberNode,
  record,
  schemaOf,
  schemaOfModel,
  union,
} from "../testing/type-nodes.ts";
import { mutateValue, sampleValue, seededRandom } from "../testing/value-sampler.ts";
import { emitValidators } from "./emit-validators.ts";

interface Violation {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

interface Validator {
  readonly is: (value: unknown) => boolean;
  readonly violationsOf: (value: unknown, pointer?: string) => readonly Violation[];
}

const seed = 20_260_801;
/** Timeout in milliseconds for hundreds of emitted validators on a busy machine. */
const timeout = 120_000;
describe("validators of any model", () => {
  it(
    "give the verdict of ajv on matching, mutated and random values, and name a place for each violation",
    async () => {
      const sampled = fc.sample(models, { seed, numRuns: 25 });
      let valid = 0;
      let invalid = 0;
      for (const [index, model] of sampled.entries()) {
        const validators = await validatorsOf(model);
        const ajv = new Ajv2020({ strict: false, ownProperties: true, allErrors: false });
        ajv.addSchema(asJson(schemaOfModel(model)));
        for (const { name, type } of model.declarations) {
          const oracle = ajv.compile({ $ref: `model#/$defs/${name}` });
          const random = seededRandom(seed + index);
          for (let round = 0; round < 40; round += 1) {
            const sample = sampleValue(type, model, random);
            const value = asJson(round % 2 === 0 ? sample : mutateValue(sample, random));
            const expected = verdictOf(oracle, value);
            if (expected === undefined) continue;
            const validator = validators(name);
            const context = `${name} of model ${index}: ${JSON.stringify(value)}`;
            expect(validator.is(value), context).toBe(expected);
            const violations = validator.violationsOf(value, "/at");
            expect(violations.length === 0, context).toBe(expected);
            for (const { pointer } of violations) expect(isPlaceIn(pointer, value), `${context} ${pointer}`).toBe(true);
            if (expected) valid += 1;
            else invalid += 1;
          }
        }
      }
      expect(valid).toBeGreaterThan(1000);
      expect(invalid).toBeGreaterThan(1000);
    },
    timeout,
  );

  it(
    "give the verdict of the specification where what is left over counts",
    async () => {
      const sampled = fc.sample(mindfulModels, { seed: seed + 2, numRuns: 30 });
      const ajv = new Ajv2020({ strict: false });
      const compiled = new Map<TypeNode, (value: unknown) => boolean>();
      const isLeafOf = (value: JsonValue, leaf: TypeNode): boolean => {
        if (leaf.kind === "enumeration") return leaf.values.some((one) => isDeepStrictEqual(asJson(one), value));
        const known = compiled.get(leaf) ?? ajv.compile(asJson(schemaOf(leaf)));
        compiled.set(leaf, known);
        return known(value);
      };
      const verdicts = { true: 0, false: 0 };
      for (const [index, model] of sampled.entries()) {
        const validators = await validatorsOf(model);
        for (const { name, type } of model.declarations) {
          const random = seededRandom(seed + index);
          for (let round = 0; round < 40; round += 1) {
            const sample = sampleValue(type, model, random);
            const value = asJson(round % 2 === 0 ? sample : mutateValue(sample, random));
            const expected = referenceCheck(value, type, model, isLeafOf);
            const context = `${name} of model ${index}: ${JSON.stringify(value)}`;
            expect(validators(name).is(value), context).toBe(expected);
            const violations = validators(name).violationsOf(value, "/at");
            expect(violations.length === 0, context).toBe(expected);
            for (const { pointer } of violations) expect(isPlaceIn(pointer, value), `${context} ${pointer}`).toBe(true);
            verdicts[`${expected}`] += 1;
          }
        }
      }
      expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(1000);
    },
    timeout,
  );

  it("keep the names of their helpers clear of those of the types", () => {
    const names = ["Record", "Record2", "List", "ShorterThan", "LongerThan", "MultipleOf"];
    const bounded = [field("name", node({ kind: "string", minLength: 1, maxLength: 9 }))];
    const counted = [...bounded, field("counts", list(numberNode({ multipleOf: 2 })))];
    const api = model(names.map((name) => declaration(name, record(counted))));
    const files = writeGeneratedFiles([emitTypes(api), emitValidators(api)]);
    expect(files.styleComplaints()).toBe("");
    expect(files.typeErrors()).toBe("");
  });

  const contains = (minimum: number): TypeNode =>
    list(anything, { contains: { type: node({ kind: "string" }), minimum } });

  /** Types with the same constraints as others, and with the same code. */
  const sameCode: readonly (readonly [string, TypeNode, TypeNode])[] = [
    ["a text of no length at least", node({ kind: "string", minLength: 0 }), node({ kind: "string" })],
    ["a format that nobody asserts", node({ kind: "string", format: "email" }), node({ kind: "string" })],
    [
      "a format that nobody knows",
      node({ kind: "string", format: "x-own", assertsFormat: true }),
      node({ kind: "string" }),
    ],
    ["no elements at least", list(anything, { minItems: 0 }), list(anything)],
    ["elements that may be equal", list(anything, { uniqueItems: false }), list(anything)],
    ["no elements of a type at least", contains(0), list(anything)],
    ["members of any type", record([], { patterns: [{ pattern: "^a", type: anything }] }), record([])],
    ["an optional member of any type", record([field("a", anything, false)]), record([])],
  ];

  it.each<readonly [string, TypeNode, TypeNode]>([
    ...sameCode,
    ["first elements of any type", list(anything, { prefix: [anything, anything] }), list(anything)],
    ["names of any text", record([], { names: anything }), record([])],
    ["one of no values", node({ kind: "enumeration", values: [] }), nothing],
    [
      "nothing where a member is there",
      record([], { dependencies: [{ property: "a", type: anything, keyword: "dependentSchemas" }] }),
      record([]),
    ],
    [
      "nothing of what is left over",
      node({ kind: "unevaluated", base: record([]), members: anything, elements: anything }),
      record([]),
    ],
    [
      "a condition without consequences",
      node({
        kind: "intersection",
        members: [node({ kind: "conditional", condition: record([]), consequence: anything, alternative: anything })],
      }),
      anything,
    ],
    [
      "the negation of nothing",
      node({ kind: "intersection", members: [node({ kind: "not", type: nothing })] }),
      anything,
    ],
    ["any of several types, one of which is any", union(record([]), anything), anything],
  ])("demand no more for %s than without", async (_what, type, plain) => {
    const validator = (await validatorsOf(model([declaration("Thing", type)])))("Thing");
    const other = (await validatorsOf(model([declaration("Thing", plain)])))("Thing");
    for (const value of [null, true, 0, 1.5, "", "a", [], [1], ["a", "a"], {}, { a: 1 }, { a: null, ab: [] }]) {
      expect([value, validator.is(value)]).toEqual([value, other.is(value)]);
      expect([value, validator.violationsOf(value)]).toEqual([value, other.violationsOf(value)]);
    }
  });

  it.each(sameCode)("have no code for %s", (_what, type, plain) => {
    const textOf = (each: TypeNode): string => emitValidators(model([declaration("Thing", each)])).text;
    expect(textOf(type)).toBe(textOf(plain));
  });

  it(
    "are formatted, linted and typed like code written by hand",
    () => {
      const sampled = [
        ...fc.sample(models, { seed: seed + 1, numRuns: 20 }),
        ...fc.sample(mindfulModels, { seed: seed + 1, numRuns: 30 }),
      ];
      const files = writeGeneratedFiles(
        sampled.flatMap((model, index) => [
          { path: `types-${index}.ts`, text: emitTypes(model).text },
          {
            path: `validators-${index}.ts`,
            text: emitValidators(model).text.replace("./types.ts", `./types-${index}.ts`),
          },
        ]),
      );
      expect(files.styleComplaints()).toBe("");
      expect(files.typeErrors()).toBe("");
    },
    timeout,
  );
});

async function validatorsOf(model: ApiModel): Promise<(name: string) => Validator> {
  const files = writeGeneratedFiles([emitValidators(model)]);
  const module = await files.load("validators.ts");
  return (name) => ({
    is: module[`is${name}`] as Validator["is"],
    violationsOf: module[`violationsOf${name}`] as Validator["violationsOf"],
  });
}

/** Returns the verdict of ajv; undefined where ajv fails: deep comparison calls a member `toString` of the value. */
function verdictOf(oracle: (value: unknown) => unknown, value: JsonValue): boolean | undefined {
  try {
    return oracle(value) === true;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Returns a value after a round trip through JSON. */
function asJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Returns whether a JSON Pointer (RFC 6901) that begins with `/at` resolves in the value. */
function isPlaceIn(pointer: string, value: JsonValue): boolean {
  const [root, at, ...tokens] = pointer.split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  let place: unknown = value;
  for (const token of tokens) {
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, token)) return false;
    place = (place as Record<string, unknown>)[token];
  }
  return root === "" && at === "at";
}
