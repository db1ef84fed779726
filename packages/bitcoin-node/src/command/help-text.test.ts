import { describe, expect, it } from "vitest";
import { createCommandReference, type OpenRpcDocument } from "../description/command-reference.ts";
import { renderCommandHelp } from "./help-text.ts";

type Method = OpenRpcDocument["methods"][number];

function helpOf(method: Omit<Method, "name">, schemas: Readonly<Record<string, unknown>> = {}): string {
  const reference = createCommandReference({
    openrpc: "1.3.2",
    info: { title: "Test", version: "1.0.0" },
    methods: [{ name: "ask", ...method }],
    components: { schemas },
  });
  return renderCommandHelp(reference.commands.get("ask") ?? expect.unreachable());
}

function resultLines(schema: Method["params"][number]["schema"], schemas: Readonly<Record<string, unknown>> = {}) {
  const help = helpOf({ params: [], result: { name: "answer", schema } }, schemas);
  return (/^Result:\n([\s\S]*?)\n\nExample:/m.exec(help)?.[1] ?? "").split("\n");
}

describe("a description that is read", () => {
  const read = (method: Omit<Method, "name">) =>
    createCommandReference({
      openrpc: "1.3.2",
      info: { title: "Test", version: "1.0.0" },
      methods: [{ name: "ask", ...method }],
      components: { schemas: { "a/b~c": { type: "string", default: "d" }, nothing: null } },
    }).commands.get("ask");

  it("has what a person is told of a method, and nothing for what it does not say", () => {
    expect(
      read({
        summary: " Asks. ",
        params: [
          { name: "plain", schema: { type: "string" } },
          { name: "number", description: " A number. ", required: true, schema: { type: "integer", default: 0 } },
        ],
      }),
    ).toStrictEqual({
      name: "ask",
      description: "Asks.",
      parameters: [
        { name: "plain", description: "", types: ["string"], required: false, facts: "string", memberLines: [] },
        {
          name: "number",
          description: "A number.",
          types: ["integer"],
          required: true,
          facts: "integer",
          memberLines: [],
          default: 0,
        },
      ],
      result: undefined,
      errors: [],
      exampleParameters: [],
      isServedByNode: false,
    });
    expect(read({ params: [] })?.description).toBe("");
    expect(read({ description: "One.", summary: "Two.", params: [] })?.description).toBe("One.");
  });

  it("shows the values of its first example, null for those that have none", () => {
    const examples = [{ params: [{ value: 1 }, {}, { value: false }] }, { params: [] }];
    expect(read({ params: [], examples })?.exampleParameters).toStrictEqual([1, null, false]);
  });

  it("follows references by the rules of JSON Pointer", () => {
    const schema = { $ref: "#/components/schemas/a~1b~0c" };
    expect(read({ params: [{ name: "x", schema }] })?.parameters).toMatchObject([{ types: ["string"] }]);
  });

  it.each([
    "#/components/schemas/none",
    "#/components/none/of/them",
    "#/openrpc/length/x",
    "#/nothing",
    "#/components/schemas/nothing/x",
  ])("has no %s", ($ref) => {
    expect(() => read({ params: [{ name: "x", schema: { $ref } }] })).toThrow(`The description has no ${$ref}`);
  });
});

describe("the help of a command", () => {
  it("has its signature, what it does, its parameters, result, errors and a call to paste", () => {
    expect(
      helpOf(
        {
          description: "Asks.\n",
          params: [
            { name: "hash", description: "Of a\n  block.", required: true, schema: { type: "string" } },
            { name: "level", schema: { $ref: "#/components/schemas/Level", default: 1 } },
          ],
          result: { name: "answer", description: "What is known.", schema: { type: "integer" } },
          errors: [
            { code: -5, message: "Block not found" },
            { code: -32601, message: "No node" },
          ],
          examples: [{ params: [{ value: "it's" }, { value: { a: 1 } }] }],
          "x-served-by": "node",
        },
        { Level: { oneOf: [{ type: "integer" }, { type: "boolean" }] } },
      ),
    ).toBe(`ask "hash" ( level=1 )

Asks.

Forwarded to the upstream node; without one the call is refused.

Parameters:
1. hash  (string, required)  Of a block.
2. level  (integer or boolean, optional, default 1)

Result:
answer  (integer)  What is known.

Errors:
-5  Block not found
-32601  No node

Example:
curl -s -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":"1","method":"ask","params":["it'\\''s",{"a":1}]}' '<ENDPOINT>/?apikey=<API_KEY>'`);
  });

  it("tells who answers, and of a refusal without a node only where there is one", () => {
    const refusal = "without one the call is refused";
    const help = helpOf({ params: [], errors: [{ code: -1, message: "Wrong" }], "x-served-by": "node" });
    expect(help).toContain("Forwarded to the upstream node, where there is one.");
    expect(help).not.toContain(refusal);
    const none = [{ code: -32601, message: "No node" }];
    expect(helpOf({ params: [], errors: none, "x-served-by": "node" })).toContain(refusal);
    expect(helpOf({ params: [], errors: none, "x-served-by": "index" })).not.toContain("upstream node");
  });

  it("shows no call where the document has none that would be answered", () => {
    const params = [{ name: "hash", required: true, schema: { type: "string" } }];
    expect(helpOf({ description: "Asks.", params })).not.toContain("Example:");
    expect(helpOf({ description: "Asks.", params: [] })).toContain('"params":[]');
  });

  it("tells each member of a result, those that may be missing as such", () => {
    const schemas = {
      Hash: { type: "string", description: "Any hash." },
      Entry: {
        type: "object",
        required: ["hash", "list"],
        properties: {
          hash: { $ref: "#/components/schemas/Hash" },
          own: { $ref: "#/components/schemas/Hash", description: "Its own." },
          kind: { enum: ["a", "b"] },
          zero: { const: 0 },
          list: { type: "array", items: { type: "object", required: ["n"], properties: { n: { type: "integer" } } } },
        },
      },
    };
    expect(
      resultLines({ type: "object", additionalProperties: { $ref: "#/components/schemas/Entry" } }, schemas),
    ).toEqual([
      "answer  (object)",
      "  <name>  (object)",
      "    hash  (string)  Any hash.",
      "    own  (string, optional)  Its own.",
      '    kind  ("a" or "b", optional)',
      "    zero  (0, optional)",
      "    list  (array of object)",
      "      n  (integer)",
    ]);
  });

  it("tells the alternatives of a result apart where several have members", () => {
    const object = (name: string, description?: string) => ({
      type: "object",
      required: [name],
      properties: { [name]: { type: "string" } },
      ...(description === undefined ? {} : { description }),
    });
    expect(resultLines({ oneOf: [{ type: "null" }, object("a")] })).toEqual([
      "answer  (null or object)",
      "  a  (string)",
    ]);
    expect(resultLines({ oneOf: [{ type: "string" }, object("a", "The first."), object("b")] })).toEqual([
      "answer  (string or object)",
      "  Either: The first.",
      "    a  (string)",
      "  Either: object",
      "    b  (string)",
    ]);
  });

  it("ends where a value holds its own kind", () => {
    const schemas = {
      Tree: {
        type: "object",
        properties: { children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
      },
    };
    expect(resultLines({ $ref: "#/components/schemas/Tree" }, schemas)).toEqual([
      "answer  (object)",
      "  children  (array of object, optional)",
    ]);
  });
});
