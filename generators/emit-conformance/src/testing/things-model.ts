import type { ApiModel, Example, Operation, Parameter, RecordMember, TypeNode } from "@nodewright/model";

type Source = TypeNode["source"];

/** Returns a location in the document. */
export function at(line: number, column: number, pointer = "", file = "specs/things.yaml"): Source {
  return { file, line, column, start: 0, end: 0, pointer };
}

const source: Source = at(1, 1);

export const hash: TypeNode = { kind: "string", pattern: "^[0-9a-f]{4}$", source: at(40, 7) };
export const count: TypeNode = {
  kind: "number",
  integer: true,
  representation: "number",
  minimum: 1,
  maximum: 5,
  source,
};

export function parameter(name: string, type: TypeNode, more: Partial<Parameter> = {}): Parameter {
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

export function field(name: string, type: TypeNode, more: Partial<RecordMember> = {}): RecordMember {
  return { name, type, required: true, access: "read-write", arguments: [], source, ...more };
}

export function record(...members: readonly RecordMember[]): Extract<TypeNode, { kind: "record" }> {
  return { kind: "record", members, additional: { kind: "any", source }, patterns: [], source };
}

export const example: Example = {
  name: "first",
  input: { hash: "00ff" },
  outcome: { kind: "success", status: 200, value: { ok: true } },
  isLive: false,
  source: at(30, 9),
};

export const thing: TypeNode = record(field("ok", { kind: "boolean", source: at(51, 13) }, { source: at(50, 9) }));

export const operation: Operation = {
  name: "getThing",
  origin: "GET /thing/{hash}",
  binding: { kind: "http", method: "GET", path: "/thing/{hash}" },
  tags: ["things"],
  parameters: [
    parameter("hash", hash, {
      location: "path",
      style: "simple",
      explode: false,
      invalidMessage: "Invalid hash",
      source: at(12, 9, "/paths/~1thing~1{hash}/get/parameters/0"),
    }),
    parameter("count", count, { required: false, default: 2 }),
  ],
  successes: [
    {
      status: 200,
      content: {
        mediaType: "application/json",
        form: "json",
        type: { kind: "reference", target: "Thing", source },
      },
      headers: [
        {
          name: "Cache-Control",
          property: "cacheControl",
          required: true,
          type: { kind: "enumeration", values: ["no-store"], source },
        },
      ],
      description: "",
      source: at(20, 11),
    },
  ],
  failures: [
    { name: "NotFound", status: 404, message: "There is none.", contents: [], headers: [], source: at(25, 11) },
  ],
  examples: [example],
  links: [{ name: "next", operation: "getThing", inputs: { hash: "$response.body#/next" }, source: at(33, 5) }],
  extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
  source: at(10, 5, "/paths/~1thing~1{hash}/get"),
  documentation: {},
};

export const model: ApiModel = {
  name: "some-things",
  protocol: "http",
  title: "Things",
  version: "1",
  document: "specs/things.yaml",
  declarations: [
    {
      name: "Thing",
      originalName: "Thing",
      role: "value",
      type: thing,
      implements: [],
      source: at(45, 5, "/components/schemas/Thing"),
    },
  ],
  operations: [operation],
  documents: [],
  security: [{ name: "key", kind: "api-key", location: "header", parameter: "X-Key" }],
};
