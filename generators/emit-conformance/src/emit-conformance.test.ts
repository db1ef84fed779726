import type { ApiModel, Example, Operation, Parameter, TypeNode } from "@nodewright/model";
import { describe, expect, test } from "vitest";
import { operationCases, unprovokedFailures } from "./cases.ts";
import { emitConformance } from "./emit-conformance.ts";

const source = { file: "x.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const hash: TypeNode = { kind: "string", pattern: "^[0-9a-f]{4}$", source };
const count: TypeNode = { kind: "number", integer: true, representation: "number", minimum: 1, maximum: 5, source };

function parameter(name: string, type: TypeNode, more: Partial<Parameter> = {}): Parameter {
  return {
    name,
    property: name,
    location: "query",
    required: true,
    type,
    style: "form",
    explode: true,
    source,
    ...more,
  };
}

const example: Example = {
  name: "first",
  input: { hash: "00ff" },
  outcome: { kind: "success", status: 200, value: { ok: true } },
  live: false,
  source,
};

const operation: Operation = {
  name: "getThing",
  origin: "GET /thing/{hash}",
  binding: { kind: "http", method: "GET", path: "/thing/{hash}" },
  tags: [],
  parameters: [
    parameter("hash", hash, { location: "path", style: "simple", invalidMessage: "Invalid hash" }),
    parameter("count", count, { required: false, default: 2 }),
  ],
  successes: [
    {
      status: 200,
      content: { mediaType: "application/json", form: "json", type: { kind: "any", source } },
      headers: [
        {
          name: "Cache-Control",
          property: "cacheControl",
          required: true,
          type: { kind: "enumeration", values: ["no-store"], source },
        },
      ],
      description: "",
      source,
    },
  ],
  failures: [
    { name: "BadRequest", status: 400, message: "", contents: [], headers: [], source },
    { name: "NotFound", status: 404, message: "", contents: [], headers: [], source },
    { name: "Unauthorized", status: 401, message: "", contents: [], headers: [], source },
  ],
  examples: [example],
  links: [],
  marks: { disabledByDefault: false, nodeControl: false, units: 1 },
  source,
  documentation: {},
};

const model: ApiModel = {
  name: "some-things",
  protocol: "http",
  title: "Things",
  version: "1",
  document: "specs/things.yaml",
  declarations: [],
  operations: [operation],
  documents: [],
  security: [{ name: "key", kind: "api-key", location: "header", parameter: "X-Key" }],
};

describe("the cases of an operation", () => {
  const cases = operationCases(operation, model);
  const find = (name: string): unknown => cases.find((one) => one.name === name);

  test("hold its example by value", () => {
    expect(find("first")).toEqual({
      name: "first",
      group: "example",
      input: { hash: "00ff" },
      expect: { kind: "value", status: 200, value: { ok: true } },
    });
  });

  test("hold by the document alone what need not be there", () => {
    const open: Operation = { ...operation, examples: [{ ...example, live: true, mayFail: true }] };
    expect(operationCases(open, model)[0]).toMatchObject({ name: "first", expect: { kind: "documented" } });
  });

  test("ask for the document's text where an input is wrong", () => {
    for (const name of ["hash-word", "hash-cut", "hash-lengthened", "hash-upper-case", "hash-not-hex", "hash-long"]) {
      expect(find(name)).toMatchObject({ group: "parameter", expect: { kind: "refusal", message: "Invalid hash" } });
    }
    expect(find("hash-missing")).toBeUndefined();
  });

  test("stand at the bounds and just beyond", () => {
    expect(find("count-minimum")).toMatchObject({
      input: { hash: "00ff", count: "1" },
      expect: { kind: "documented" },
    });
    expect(find("count-maximum")).toMatchObject({ input: { count: "5" }, expect: { kind: "documented" } });
    expect(find("count-zero")).toMatchObject({ input: { count: "0" }, expect: { kind: "refusal" } });
    expect(find("count-beyond-maximum")).toMatchObject({ input: { count: "6" }, expect: { kind: "refusal" } });
    expect(find("count-fraction")).toMatchObject({ expect: { kind: "refusal" } });
  });

  test("spell a default out and expect no difference", () => {
    expect(find("count-default")).toMatchObject({ input: { count: 2 }, expect: { kind: "same-as", example: "first" } });
  });

  test("have names of their own", () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  test("are its examples alone when it changes something", () => {
    const posting: Operation = { ...operation, binding: { kind: "http", method: "POST", path: "/thing" } };
    expect(operationCases(posting, model).map(({ name }) => name)).toEqual(["first"]);
    const marked: Operation = { ...operation, marks: { ...operation.marks, safe: false } };
    expect(operationCases(marked, model)).toHaveLength(1);
  });

  test("leave out what only a key or an unlucky chain provokes", () => {
    expect(unprovokedFailures(operation, cases)).toEqual(["NotFound"]);
    expect(unprovokedFailures(operation, cases.slice(0, 1))).toEqual(["BadRequest", "NotFound"]);
  });
});

describe("the cases of a JSON-RPC method", () => {
  const method: Operation = {
    ...operation,
    binding: { kind: "rpc", method: "getthing", parameterStructure: "either" },
    parameters: [
      parameter("hash", hash, { location: "argument" }),
      parameter("count", count, { location: "argument", required: false, default: 2 }),
    ],
    failures: [{ name: "Wrong", rpcCode: -3, message: "", contents: [], headers: [], source }],
  };
  const cases = operationCases(method, { ...model, protocol: "rpc" });
  const find = (name: string): unknown => cases.find((one) => one.name === name);

  test("send parameters by position, by name, too few, too many and unknown ones", () => {
    expect(find("by-name")).toMatchObject({ params: { hash: "00ff" }, expect: { kind: "same-as", example: "first" } });
    expect(find("hash-missing")).toMatchObject({ params: [], expect: { kind: "refusal" } });
    expect(find("too-many")).toMatchObject({ params: ["00ff", null, 1], expect: { kind: "refusal" } });
    expect(find("unknown-name")).toMatchObject({ params: { hash: "00ff", "no-such-parameter": 1 } });
  });

  test("know that null stands for an argument left out, where that may be", () => {
    expect(find("hash-null")).toMatchObject({ expect: { kind: "refusal" } });
    expect(find("count-null")).toMatchObject({ expect: { kind: "documented" } });
    expect(find("count-word")).toMatchObject({ expect: { kind: "refusal" } });
  });
});

test("the emitted file holds the suite of the API, each operation with where it comes from", () => {
  const [file] = emitConformance.emit({ model, packageName: "@x/some-things-api" }).files;
  expect(file?.path).toBe("conformance.ts");
  expect(file?.text).toMatch(/^\/\/ @generated by nodewright from specs\/things\.yaml\. Do not edit\.\n/);
  expect(file?.text).toContain("export const someThingsSuite: ConformanceSuite = {");
  expect(file?.text).toContain("/** @generated from GET /thing/{hash} */\nconst getThingCases: HttpOperationSuite = {");
  expect(file?.text).toContain("  operation: operations.getThing,");
  expect(file?.text).toContain('name: "cache-control",');
  expect(file?.text).toContain('parameter: "X-Key",');
});
