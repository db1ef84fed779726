import { createDiagnosticSink, type Diagnostic } from "@nodewright/source";
import { describe, expect, test } from "vitest";
import { defaultMarks } from "./marks.ts";
import type { ApiModel, Example, Operation } from "./operation.ts";
import type { JsonValue, Parameter, TypeNode } from "./type-node.ts";
import { checkValues } from "./value-check.ts";

const source = { file: "x.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const height: TypeNode = { kind: "number", integer: true, representation: "number", minimum: 0, source };
const hash: TypeNode = { kind: "string", pattern: "^[0-9a-f]{4}$", source };

const parameter: Parameter = {
  name: "height",
  property: "height",
  location: "path",
  required: true,
  type: height,
  style: "simple",
  explode: false,
  source,
};

function example(input: JsonValue, value: JsonValue): Example {
  return {
    name: "first",
    input: { height: input },
    outcome: { kind: "success", status: 200, value },
    live: false,
    source,
  };
}

/** What is said of an operation that gives a hash at a height. */
function problemsOf(parts: Partial<Operation>, declared?: TypeNode): readonly string[] {
  return check(parts, declared).map(({ code, message }) => `${code}: ${message}`);
}

function linesOf(parts: Partial<Operation>, declared?: TypeNode): readonly string[] {
  return check(parts, declared).map(({ source: { line }, message }) => `${line}: ${message}`);
}

function check(parts: Partial<Operation>, declared: TypeNode = hash): readonly Diagnostic[] {
  const operation: Operation = {
    name: "getHash",
    origin: "GET /hash/{height}",
    binding: { kind: "http", method: "GET", path: "/hash/{height}" },
    tags: [],
    parameters: [parameter],
    successes: [
      {
        status: 200,
        content: { mediaType: "application/json", form: "json", type: { kind: "reference", target: "Hash", source } },
        headers: [],
        description: "",
        source,
      },
    ],
    failures: [],
    examples: [],
    links: [],
    marks: defaultMarks,
    source,
    documentation: {},
    ...parts,
  };
  const model: ApiModel = {
    name: "test",
    protocol: "http",
    title: "Test",
    version: "1",
    document: "x.yaml",
    declarations: [{ name: "Hash", originalName: "Hash", role: "value", type: declared, implements: [], source }],
    operations: [operation],
    documents: [],
    security: [],
  };
  const sink = createDiagnosticSink();
  checkValues(model, sink);
  return sink.diagnostics;
}

describe("values of a document", () => {
  test("pass when they are of their types, in a URL also as text", () => {
    const examples = [example(0, "00ff"), example("7", "00ff")];
    expect(problemsOf({ parameters: [{ ...parameter, default: 3 }], examples }, { ...hash, default: "ffff" })).toEqual(
      [],
    );
  });

  test("are named when an example gives or gets something else", () => {
    expect(problemsOf({ examples: [example(-1, "00ff"), example(1, "00fg")] })).toEqual([
      'example/does-not-match-schema: The example "first" of GET /hash/{height} gives -1 as "height", which does not match its schema: it must be >= 0.',
      'example/does-not-match-schema: The example "first" of GET /hash/{height} gives "00fg" as its answer, which does not match its schema: it must match pattern "^[0-9a-f]{4}$".',
    ]);
  });

  test("are named at their own place when a schema, a parameter or a body shows something else", () => {
    const place = (line: number) => ({ ...source, line, start: line });
    const documentation = { examples: ["00ff", "x"], exampleSources: [place(2), place(3)] };
    const type: TypeNode = { kind: "record", fields: [], additional: height, patterns: [], source };
    const content = { mediaType: "application/json", form: "json", type } as const;
    const body = {
      required: true,
      contents: [{ ...content, examples: [{ value: { "a/b": "low" }, source: place(4) }] }],
      source,
    };
    const shown = {
      ...parameter,
      examples: [
        { value: "12", source: place(5) },
        { value: [], source: place(6) },
      ],
    };
    expect(linesOf({ body, parameters: [shown] }, { ...hash, documentation })).toEqual([
      '3: The example does not match its schema: it must match pattern "^[0-9a-f]{4}$".',
      "6: The example does not match its schema: it must be integer.",
      "4: The example does not match its schema: /a~1b must be integer.",
    ]);
  });

  test("may be anything in a request that fails", () => {
    const outcome = { kind: "failure", status: 400 } as const;
    expect(problemsOf({ examples: [{ ...example("x", null), outcome }] })).toEqual([]);
  });

  test("are errors when they are defaults that are applied, warnings when they are only shown", () => {
    const inside: TypeNode = { kind: "list", prefix: [], element: { ...height, default: "low" }, source };
    expect(problemsOf({ parameters: [{ ...parameter, default: 1.5 }] }, inside)).toEqual([
      'value/unfit-default: The default "low" does not match its schema: it must be integer.',
      "value/wrong-default: The default 1.5 is not of the type that it stands for: it must be integer.",
    ]);
  });
});
