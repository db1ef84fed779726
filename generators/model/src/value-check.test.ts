import { createDiagnosticSink, type Diagnostic } from "@nodewright/source";
import { describe, expect, test } from "vitest";
import { defaultExtensions } from "./extensions.ts";
import type { ApiModel, Example, Operation } from "./read-model.ts";
import type { JsonValue, Parameter, TypeNode } from "./read-model.ts";
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
    isLive: false,
    source,
  };
}

/** Returns the diagnostics about an operation that returns a hash at a height. */
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
    extensions: defaultExtensions,
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
      'example/does-not-match-schema: The example "first" of GET /hash/{height} gives -1 as "height", which does not match its schema: it must be at least 0.',
      'example/does-not-match-schema: The example "first" of GET /hash/{height} gives "00fg" as its response, which does not match its schema: it must match the pattern ^[0-9a-f]{4}$.',
    ]);
  });

  test("are named at their own place when a schema, a parameter or a body shows something else", () => {
    const place = (line: number) => ({ ...source, line, start: line });
    const documentation = { examples: ["00ff", "x"], exampleSources: [place(2), place(3)] };
    const type: TypeNode = { kind: "record", members: [], additional: height, patterns: [], source };
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
      "3: The example does not match its schema: it must match the pattern ^[0-9a-f]{4}$.",
      "6: The example does not match its schema: it must be an integer.",
      "4: The example does not match its schema: /a~1b must be an integer.",
    ]);
  });

  test("may be anything in a request that fails", () => {
    const outcome = { kind: "failure", status: 400 } as const;
    expect(problemsOf({ examples: [{ ...example("x", null), outcome }] })).toEqual([]);
  });

  test("are errors when they are defaults that are applied, warnings when they are only shown", () => {
    const inside: TypeNode = { kind: "list", prefix: [], element: { ...height, default: "low" }, source };
    expect(problemsOf({ parameters: [{ ...parameter, default: 1.5 }] }, inside)).toEqual([
      'value/unfit-default: The default "low" does not match its schema: it must be an integer.',
      "value/wrong-default: The default 1.5 does not match its schema: it must be an integer.",
    ]);
  });

  const at = (line: number) => ({ ...source, line, start: line });
  const record: TypeNode = { kind: "record", members: [], additional: height, patterns: [], source };
  const failing = (input: Example["input"], line = 1): Example => ({
    name: "refused",
    input,
    outcome: { kind: "failure", status: 400 } as Example["outcome"],
    isLive: false,
    source: at(line),
  });

  test("of a parameter may be wrong where the document shows them to be refused", () => {
    const shown = { ...parameter, examples: [{ value: -1, source: at(5) }] };
    const wrong = "5: The example does not match its schema: it must be at least 0.";
    expect(linesOf({ parameters: [shown] })).toEqual([wrong]);
    expect(linesOf({ parameters: [shown], examples: [failing({ height: -1 })] })).toEqual([]);
    expect(linesOf({ parameters: [shown], examples: [failing({ height: -2 })] })).toEqual([wrong]);
    expect(linesOf({ parameters: [shown], examples: [{ ...example(-1, "00ff"), source: at(6) }] })).toEqual([wrong]);
  });

  test("of a body may be wrong where the document shows them to be refused", () => {
    const low: JsonValue = { a: -1 };
    const body = (form: "json" | "form" | "multipart" | "text" | "binary") => ({
      required: true,
      contents: [{ mediaType: "application/json", form, type: record, examples: [{ value: low, source: at(4) }] }],
      source,
    });
    const wrong = "4: The example does not match its schema: /a must be at least 0.";
    for (const form of ["json", "form", "multipart"] as const) {
      expect(linesOf({ body: body(form), examples: [failing({})] })).toEqual([wrong]);
      expect(linesOf({ body: body(form), examples: [failing({ body: low })] })).toEqual([]);
      expect(linesOf({ body: body(form), examples: [failing({ body: { a: -2 } })] })).toEqual([wrong]);
    }
    for (const form of ["text", "binary"] as const) expect(linesOf({ body: body(form) })).toEqual([]);
  });

  test("are checked in the bodies and headers of failures and successes alike", () => {
    const shown = (line: number): TypeNode => ({ ...height, default: -1, defaultSource: at(line) });
    const header = (line: number): Parameter => ({ ...parameter, location: "header", type: shown(line) });
    const content = (line: number) => ({ mediaType: "application/json", form: "json", type: shown(line) }) as const;
    const successes = [{ status: 200, content: content(1), headers: [header(3)], description: "", source }];
    const failures = [{ contents: [content(2)], headers: [header(4)], description: "", source }];
    const lines = linesOf({ successes, failures } as never);
    expect(lines.toSorted()).toEqual(
      [1, 2, 3, 4].map((line) => `${line}: The default -1 does not match its schema: it must be at least 0.`),
    );
  });

  test("without a place of their own stand where their type or parameter does", () => {
    const type: TypeNode = { ...height, default: -1, documentation: { examples: [-2] }, source: at(7) };
    expect(linesOf({ parameters: [] }, type)).toEqual([
      "7: The default -1 does not match its schema: it must be at least 0.",
      "7: The example does not match its schema: it must be at least 0.",
    ]);
    const applied = (rest: Partial<Parameter>) => linesOf({ parameters: [{ ...parameter, default: -1, ...rest }] });
    const message = "The default -1 does not match its schema: it must be at least 0.";
    expect(applied({ source: at(8) })).toEqual([`8: ${message}`]);
    expect(applied({ source: at(8), type: { ...height, defaultSource: at(9) } })).toEqual([`9: ${message}`]);
  });

  test("are reported once, at their own place, although a case takes them from there", () => {
    const own = { ...parameter, examples: [{ value: -1, source: at(5) }] };
    const answered = { ...example(-1, "00ff"), source: at(6) };
    expect(linesOf({ parameters: [own], examples: [answered] })).toHaveLength(1);
    const other = { ...parameter, examples: [{ value: 3, source: at(5) }] };
    expect(linesOf({ parameters: [other], examples: [answered] })).toHaveLength(1);
    const byType = { ...parameter, type: { ...height, documentation: { examples: [-1] } } };
    expect(linesOf({ parameters: [byType], examples: [answered] })).toHaveLength(1);
    const byDefault = { ...parameter, type: { ...height, default: -1 } };
    expect(linesOf({ parameters: [byDefault], examples: [answered] })).toHaveLength(1);
    const byReference: Parameter = { ...parameter, type: { kind: "reference", target: "Hash", source } };
    expect(
      linesOf(
        { parameters: [byReference], examples: [{ ...answered, outcome: { kind: "success", status: 200, value: 1 } }] },
        byType.type,
      ),
    ).toEqual(["1: The example does not match its schema: it must be at least 0."]);
    expect(linesOf({ examples: [answered, answered] })).toHaveLength(1);
    expect(linesOf({ examples: [answered, { ...answered, source: at(7) }] })).toHaveLength(2);
    expect(
      linesOf({
        parameters: [
          { ...parameter, default: -1 },
          { ...parameter, default: -1 },
        ],
      }),
    ).toHaveLength(1);
  });

  test("of a case may be spelled as texts where they are in a URL or header, not in an argument", () => {
    const inputs = (location: Parameter["location"], input: JsonValue) =>
      problemsOf({ parameters: [{ ...parameter, location }], examples: [example(input, "00ff")] });
    for (const location of ["path", "query", "header", "cookie"] as const) {
      expect(inputs(location, "7")).toEqual([]);
      expect(inputs(location, "-7")).toHaveLength(1);
    }
    expect(inputs("argument", 7)).toEqual([]);
    expect(inputs("argument", "7")).toHaveLength(1);
  });

  test("of a case are checked against the response of its status, unless that is bytes", () => {
    const content = { mediaType: "application/json", form: "json", type: height } as const;
    const success = { status: 200, content, headers: [], description: "", source };
    const given = (successes: readonly unknown[]) =>
      problemsOf({ successes, examples: [example(1, "x")] } as never).map((line) =>
        line.slice(line.indexOf(" which ")),
      );
    expect(given([success])).toEqual([" which does not match its schema: it must be an integer."]);
    expect(given([{ ...success, status: 201 }])).toEqual([]);
    expect(given([{ ...success, status: 201, content: { ...content, type: hash } }, success])).toHaveLength(1);
    expect(given([{ ...success, content: { ...content, form: "binary" } }])).toEqual([]);
    expect(given([{ ...success, content: { ...content, form: "text" } }])).toHaveLength(1);
    expect(given([{ ...success, content: undefined }])).toEqual([]);
    const missing: Example = { ...example(1, 1), input: {} };
    expect(problemsOf({ successes: [success], examples: [missing] } as never)).toEqual([]);
  });

  test("of a GraphQL operation are checked by its own reader", () => {
    const binding = { kind: "graphql" } as Operation["binding"];
    expect(problemsOf({ binding, examples: [example(-1, "x")] })).toEqual([]);
  });

  test("are shown to 60 characters, with a problem of up to 120", () => {
    const text = (length: number): JsonValue => "x".repeat(length);
    const parameters = (initial: JsonValue) => [{ ...parameter, default: initial }];
    expect(problemsOf({ parameters: parameters(text(58)) })[0]).toContain(`The default "${text(58)}" does not`);
    expect(problemsOf({ parameters: parameters(text(59)) })[0]).toContain(`The default "${text(59)}… does not`);
    const problemOf = (length: number) => {
      const one: TypeNode = { kind: "string", pattern: text(length) as string, source, default: "" };
      return problemsOf({}, one)[0]?.split("schema: ")[1];
    };
    const before = "must match the pattern ".length;
    expect(problemOf(120 - before)).toBe(`it must match the pattern ${text(120 - before)}.`);
    expect(problemOf(121 - before)).toBe(`it must match the pattern ${text(120 - before)}….`);
  });

  test("of what is sent to callers are checked as well", () => {
    const model = {
      declarations: [],
      operations: [],
      incoming: [
        {
          name: "onBlock",
          parameters: [{ ...parameter, default: -1 }],
          successes: [],
          failures: [],
          examples: [],
          binding: { kind: "http" },
        },
      ],
    };
    const sink = createDiagnosticSink();
    checkValues(model as never, sink);
    expect(sink.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["value/wrong-default", "error"]]);
  });
});
