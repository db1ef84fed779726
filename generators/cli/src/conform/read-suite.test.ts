import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPhases } from "../jobs/phases.ts";
import { readSuite, type SuiteReading } from "./read-suite.ts";

const directory = mkdtempSync(join(tmpdir(), "nodewright-suite-"));
const before = process.cwd();

beforeAll(() => process.chdir(directory));
afterAll(() => {
  process.chdir(before);
  rmSync(directory, { recursive: true });
});

function read(
  files: Readonly<Record<string, string>>,
  spec: string,
  ...operations: readonly string[]
): Promise<SuiteReading> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return readSuite({ spec, operations }, createPhases());
}

it("refuses in one sentence a file that describes no API", async () => {
  const files = { "page.html": "<html>\n<body>: x\n - y: : z\n</html>\n", "rows.csv": "name,age\nAda,1\n" };
  for (const spec of Object.keys(files))
    await expect(read(files, spec)).rejects.toThrow(
      `${spec} is not an API document: it has neither "openapi" nor "openrpc" at its top.`,
    );
  const broken = await read({ "broken.json": '{"openapi": "3.1.0", "paths": {' }, "broken.json");
  expect(broken.diagnostics.map(({ code }) => code)).toEqual(["source/json-syntax"]);
});

const info = 'info: { title: Pets, version: "1" }';

function petDocument(operation: string, more = ""): string {
  return `openapi: 3.1.0\n${info}\n${more}paths:\n  /pets:\n    get:\n      operationId: listPets\n${operation}`;
}

const answer = '      responses: { "200": { description: Pets. } }\n';

describe("a document of OpenAPI", () => {
  it("takes no operations of GraphQL", async () => {
    const files = { "pets.yaml": petDocument(answer), "pets.graphql": "{ pets }" };
    await expect(read(files, "pets.yaml", "pets.graphql")).rejects.toThrow(
      "--operations is only for GraphQL, and pets.yaml is not a GraphQL schema: leave it out.",
    );
  });

  it("is read into its suite, with the places of its lines", async () => {
    const { suite, diagnostics, notices } = await read({ "pets.yaml": petDocument(answer) }, "pets.yaml");
    expect(diagnostics).toEqual([]);
    expect(notices).toEqual([]);
    expect(suite).toMatchObject({
      protocol: "http",
      name: "pets",
      title: "Pets",
      source: "pets.yaml",
      operations: [{ name: "listPets", place: "6:7" }],
    });
  });

  it("is found wherever it lies", async () => {
    const { suite } = await read(
      { "deep/down/pets.yaml": petDocument(answer) },
      join(directory, "deep/down/pets.yaml"),
    );
    expect(suite?.source).toBe("deep/down/pets.yaml");
  });

  it.each(["", "required: false, "])("takes a path parameter for required: { %s… }", async (required) => {
    const parameter = `      parameters: [{ name: id, in: path, ${required}schema: { type: integer } }]\n`;
    const text = petDocument(parameter + answer).replace("/pets:", "/pets/{id}:");
    const { suite, diagnostics } = await read({ "pets.yaml": text }, "pets.yaml");
    expect(suite).toMatchObject({ operations: [{ parameters: [{ name: "id", required: true }] }] });
    expect(diagnostics).toMatchObject([{ code: "openapi/optional-path-parameter", severity: "warning" }]);
  });

  it("loses what contradicts itself, and says so", async () => {
    const parameter = "{ name: size, in: query, schema: { type: integer, default: large }, example: 1.5 }";
    const { suite, diagnostics, notices } = await read(
      { "pets.yaml": petDocument(`      parameters: [${parameter}]\n${answer}`) },
      "pets.yaml",
    );
    expect(diagnostics.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
    expect(notices).toEqual([
      expect.stringMatching(/^pets\.yaml:7:\d+: The default "large" does not match its schema/),
      expect.stringMatching(/^pets\.yaml:7:\d+: The example does not match its schema: it must be an integer\.$/),
    ]);
    const [operation] = suite?.protocol === "http" ? suite.operations : [];
    expect(operation?.parameters[0]).not.toHaveProperty("examples");
    expect(operation?.parameters[0]).not.toHaveProperty("default");
    expect(operation?.parameters[0]?.type).not.toHaveProperty("default");
  });

  it("is not refused for a member that somebody calls nearly as a mark of ours", async () => {
    const marked = petDocument(`      x-relation: { of: owners }\n      x-relations: { owners: many }\n${answer}`);
    const { suite, diagnostics } = await read({ "pets.yaml": marked }, "pets.yaml");
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning mark/unknown",
      "warning mark/wrong-value",
    ]);
    expect(suite).toMatchObject({ operations: [{ relations: [] }] });
  });

  it("has no suite where it is not right", async () => {
    const { suite, diagnostics, texts } = await read({ "pets.yaml": petDocument("      responses: 7\n") }, "pets.yaml");
    expect(suite).toBeUndefined();
    expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
    expect(texts.get("pets.yaml")?.line(1)).toBe("openapi: 3.1.0");
  });
});

describe("a document of GraphQL", () => {
  const schema = { "api/schema.graphql": "type Query { head: Int }\n" };

  it("needs no operations", async () => {
    const { suite } = await read(schema, "api/schema.graphql");
    expect(suite).toMatchObject({ protocol: "graphql", schema: "type Query { head: Int }\n", documents: [] });
  });

  it("takes operations from files and from directories, with what is next to them", async () => {
    const files = {
      ...schema,
      "api/operations/head.graphql": "query Head { head }",
      "api/operations/head.examples.yaml": "- { name: newest, data: { head: 7 }, live: true }\n",
      "more.gql": "query More { more: head }",
    };
    const { suite, diagnostics } = await read(files, "api/schema.graphql", "api/operations", "more.gql");
    expect(diagnostics).toEqual([]);
    expect(suite).toMatchObject({
      documents: [
        { name: "head", examples: [{ name: "newest", isLive: true }], place: "api/operations/head.graphql:1:1" },
        { name: "more", examples: [] },
      ],
    });
  });
});

describe("what is no document", () => {
  it.each([
    ["https://host/openapi.yaml", "Documents are read from files, not from a network"],
    ["nowhere.yaml", "There is no file nowhere.yaml."],
    [".", ". is a directory, and --spec takes one document."],
  ])("as %s is told as a mistake of the command", async (spec, message) => {
    await expect(read({}, spec)).rejects.toThrow(message);
  });

  it("nor operations, is reported as one", async () => {
    mkdirSync(join(directory, "empty"), { recursive: true });
    const files = { "schema.graphql": "type Query { head: Int }" };
    await expect(read(files, "schema.graphql", "nowhere")).rejects.toThrow("There is no file or directory nowhere");
    await expect(read(files, "schema.graphql", "empty")).rejects.toThrow("empty holds no operations");
  });
});
