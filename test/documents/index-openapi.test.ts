import { readFileSync } from "node:fs";
import SwaggerParser from "@apidevtools/swagger-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: Schema;
}

interface Example {
  readonly $ref?: string;
  readonly value?: unknown;
}

interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly "x-invalid-message"?: string;
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Header {
  readonly $ref?: string;
  readonly description?: string;
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly "x-served-by"?: string;
  readonly "x-safe"?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}

interface OpenApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What only a node can answer with success, and a search that is off unless it is asked for. */
const withoutSuccess = new Set([
  "getAddressesByPrefix",
  "broadcastTransaction",
  "broadcastTransactionByQuery",
  "broadcastPackage",
  "testTransactions",
  "getBlockTemplate",
]);

const document = parse(
  readFileSync(new URL("../../specs/index/openapi.yaml", import.meta.url), "utf8"),
) as OpenApiDocument;
const schemas = document.components["schemas"] as Readonly<Record<string, Schema>>;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ origin: `${method.toUpperCase()} ${path}`, method, operation })),
);

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, strictTuples: false });
ajv.addVocabulary(["components", "x-volatile"]);
ajv.addSchema({ $id: "document", components: { schemas } });

function resolve<Item extends { readonly $ref?: string }>(item: Item): Item {
  if (item.$ref === undefined) return item;
  const [, kind, name] = /^#\/components\/(\w+)\/(\w+)$/.exec(item.$ref) ?? [];
  const target = document.components[kind ?? ""]?.[name ?? ""];
  if (target === undefined) throw new Error(`${item.$ref} leads nowhere`);
  return target as Item;
}

/** The reasons why `value` does not match; none when it does. */
function problemsOf(schema: Schema, value: unknown): readonly string[] {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = ajv.compile(JSON.parse(text) as object);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

/** Pointers of schemas that say nothing to a person; what a reference leads to speaks for it. */
function undescribed(schema: Schema, pointer: string): readonly string[] {
  const own = schema.description === undefined && resolve(schema).description === undefined ? [pointer] : [];
  return [
    ...own,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => undescribed(member, `${pointer}/${name}`)),
    ...(typeof schema.items === "object" ? undescribed(schema.items, `${pointer}/items`) : []),
    ...(schema.prefixItems ?? []).flatMap((item, index) => undescribed(item, `${pointer}/${index}`)),
    ...(schema.additionalProperties ? undescribed(schema.additionalProperties, `${pointer}/*`) : []),
  ];
}

/** Examples of one status's answers, by name. */
function answersOf(operation: Operation, isWanted: (status: string) => boolean): ReadonlyMap<string, unknown> {
  const answers = new Map<string, unknown>();
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!isWanted(status)) continue;
    for (const content of Object.values(resolve(response).content ?? {})) {
      for (const [name, example] of Object.entries(content.examples ?? {})) answers.set(name, resolve(example).value);
    }
  }
  return answers;
}

function inputsOf(operation: Operation): readonly { readonly place: string; readonly input: Parameter | Content }[] {
  return [
    ...(operation.parameters ?? []).map((parameter) => ({ place: resolve(parameter).name, input: resolve(parameter) })),
    ...Object.values(operation.requestBody?.content ?? {}).map((input) => ({ place: "body", input })),
  ];
}

describe("the index REST document", () => {
  it("is a valid OpenAPI 3.1 document", async () => {
    const copy = structuredClone(document) as unknown as Parameters<typeof SwaggerParser.validate>[0];
    await expect(SwaggerParser.validate(copy, { resolve: { external: false } })).resolves.toBeDefined();
  });

  it("gives every operation a name of its own", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  it("describes every schema and every member of it", () => {
    expect(Object.entries(schemas).flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
  });

  it("marks what must not be sent to a production node", () => {
    const unsafe = operations.filter(({ operation }) => operation["x-safe"] === false);
    expect(unsafe.map(({ origin }) => origin)).toEqual([
      "POST /tx",
      "GET /broadcast",
      "POST /txs/package",
      "POST /txs/test",
    ]);
  });
});

describe.each(operations)("$origin", ({ operation }) => {
  it("is described for a person", () => {
    expect(operation.summary).toMatch(/^[A-Z0-9].*\.$/);
    expect(operation.description).toMatch(/^[A-Z].*\.\n?$/s);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...(operation.tags ?? ["?"])]));
    expect(operation["x-served-by"]).toMatch(/^(index|node)$/);
    for (const parameter of (operation.parameters ?? []).map(resolve)) {
      expect(parameter.description, parameter.name).toMatch(/\.\n?$/);
      expect(undescribed(parameter.schema, parameter.name)).toEqual([]);
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(resolve(response).description, status).toMatch(/\.\n?$/);
      for (const header of Object.values(resolve(response).headers ?? {}))
        expect(resolve(header).description).toMatch(/\.\n?$/);
    }
  });

  it("says how long its response may be kept", () => {
    expect(Object.keys(operation.responses["200"]?.headers ?? {})).toContain("Cache-Control");
  });

  it("answers a missing key and every other failure", () => {
    expect(operation.responses["401"]).toEqual({ $ref: "#/components/responses/Unauthorized" });
    expect(operation.responses["default"]).toEqual({ $ref: "#/components/responses/Failure" });
  });

  it("has a case that succeeds, where an index alone can answer", () => {
    const successes = answersOf(operation, (status) => status === "200").size;
    if (withoutSuccess.has(operation.operationId)) expect(successes).toBe(0);
    else expect(successes).toBeGreaterThan(0);
  });

  it("has a case for every failure that it documents", () => {
    // 502 is what a node behind the index says.
    const apart = new Set(["200", "401", "502", "default"]);
    for (const status of Object.keys(operation.responses)) {
      if (apart.has(status)) continue;
      expect(answersOf(operation, (candidate) => candidate === status).size, status).toBeGreaterThan(0);
    }
  });

  it("has examples that match their schemas", () => {
    for (const response of Object.values(operation.responses).map(resolve)) {
      for (const { schema, examples } of Object.values(response.content ?? {})) {
        for (const [name, example] of Object.entries(examples ?? {}))
          expect(problemsOf(schema, resolve(example).value), name).toEqual([]);
      }
    }
  });

  it("has a response for every example of an input, and an input for every example of a response", () => {
    const answers = [...answersOf(operation, () => true).keys()];
    for (const { place, input } of inputsOf(operation)) {
      const isRequired = place === "body" || (input as Parameter).required;
      const names = Object.keys(input.examples ?? {});
      expect(answers, place).toEqual(expect.arrayContaining(names));
      if (isRequired) expect(names.toSorted(), place).toEqual(answers.toSorted());
    }
  });

  it("succeeds on inputs that match and refuses with its fixed text those that do not", () => {
    const successes = answersOf(operation, (status) => status === "200");
    const failures = answersOf(operation, (status) => status !== "200");
    for (const { place, input } of inputsOf(operation)) {
      for (const [name, example] of Object.entries(input.examples ?? {})) {
        const problems = problemsOf(input.schema, resolve(example).value);
        if (successes.has(name)) expect(problems, `${name}: ${place}`).toEqual([]);
        if (problems.length > 0)
          expect(failures.get(name), `${name}: ${place}`).toBe((input as Parameter)["x-invalid-message"]);
      }
    }
  });
});
