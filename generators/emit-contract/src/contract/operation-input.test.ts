import type { Content, Operation, Parameter, RecordMember, RequestBody, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { operationInput, parameterRecord, sequenceNode } from "./operation-input.ts";
import { node, numberNode, operation, record, reference, source, text } from "../testing/type-nodes.ts";

const at = (line: number) => ({ ...source, line, pointer: `/${line}` });

function parameter(name: string, facts: Partial<Parameter> = {}): Parameter {
  return {
    name,
    property: name,
    location: "query",
    required: true,
    type: text,
    style: "form",
    explode: true,
    source: at(3),
    ...facts,
  };
}

function content(mediaType: string, type: TypeNode = text, form: Content["form"] = "json"): Content {
  return { mediaType, form, type };
}

function body(...contents: readonly Content[]): RequestBody {
  return { required: true, contents, source: at(5) };
}

/** Returns the input of an operation in short form: each field as `name: type`, with `?` if it is optional. */
function shown(type: TypeNode): unknown {
  switch (type.kind) {
    case "record":
      return Object.fromEntries(
        type.members.map((field) => [`${field.name}${field.required ? "" : "?"}`, shown(field.type)]),
      );
    case "intersection":
      return type.members.map(shown);
    case "conditional":
      return { if: shown(type.condition), so: shown(type.consequence), else: shown(type.alternative) };
    case "enumeration":
      return type.values;
    case "reference":
      return type.target;
    default:
      return type.kind;
  }
}

const inputOf = (facts: Partial<Operation>) => shown(operationInput(operation("put", facts)));

describe("what an operation takes", () => {
  it("is an open record of its parameters by property", () => {
    const documentation = { summary: "The height." };
    const height = parameter("height", { property: "atHeight", type: numberNode(), default: 7, documentation });
    const { members: fields, ...rest } = parameterRecord([height, parameter("hash", { required: false })], at(1));
    expect(rest).toEqual({ kind: "record", additional: { kind: "any", source: at(1) }, patterns: [], source: at(1) });
    const common = { access: "read-write", arguments: [], source: at(3) };
    expect(fields).toEqual([
      { ...common, name: "atHeight", type: { ...numberNode(), default: 7 }, required: true, documentation },
      { ...common, name: "hash", type: text, required: false },
    ]);
    expect(operationInput(operation("get", { parameters: [height], source: at(1) }))).toEqual(
      parameterRecord([height], at(1)),
    );
    expect(inputOf({})).toEqual({});
  });

  it("has a body where there is one, that may be left out where it is optional", () => {
    const parameters = [parameter("id")];
    expect(inputOf({ parameters, body: body(content("application/json", numberNode())) })).toEqual({
      id: "string",
      body: "number",
    });
    expect(inputOf({ body: { ...body(content("application/json")), required: false } })).toEqual({ "body?": "string" });
    expect(inputOf({ body: body() })).toEqual({});
    const plain = operationInput(operation("put", { body: body(content("application/json")) }));
    expect(plain.kind === "record" ? plain.members[0] : undefined).not.toHaveProperty("documentation");
    const documented = { ...body(content("application/json")), documentation: { summary: "A text." } };
    const input = operationInput(operation("put", { body: documented }));
    expect(input.kind === "record" ? input.members : []).toEqual([
      {
        name: "body",
        type: text,
        required: true,
        access: "read-write",
        arguments: [],
        source: at(5),
        documentation: { summary: "A text." },
      },
    ] satisfies readonly RecordMember[]);
  });

  it("names the media type of a body of one type, which may be left out", () => {
    const same = [content("application/json"), content("text/plain", text, "text")];
    expect(inputOf({ body: body(...same) })).toEqual({
      "contentType?": ["application/json", "text/plain"],
      body: "string",
    });
    expect(inputOf({ body: body(...same.toReversed()) })).toEqual({
      "contentType?": ["application/json", "text/plain"],
      body: "string",
    });
    expect(inputOf({ body: body(content("image/*", node({ kind: "bytes" }), "binary")) })).toEqual({
      "contentType?": "string",
      body: "bytes",
    });
  });

  it("has the body that goes with the media type, of several types; the preferred one first", () => {
    const contents = [
      content("text/plain", { ...text, source: at(7) }, "text"),
      content("application/json", reference("Pet")),
      content("application/problem+json", reference("Pet")),
      content("application/xml", { ...numberNode(), source: at(8) }, "text"),
    ];
    expect(inputOf({ parameters: [parameter("id")], body: body(...contents) })).toEqual([
      { id: "string" },
      {
        if: { "contentType?": ["application/json", "application/problem+json"] },
        so: { "contentType?": ["application/json", "application/problem+json"], body: "Pet" },
        else: {
          if: { contentType: ["text/plain"] },
          so: { contentType: ["text/plain"], body: "string" },
          else: { contentType: ["application/xml"], body: "number" },
        },
      },
    ]);
  });

  it("distinguishes types by where they stand, and ranges from media types", () => {
    const bytes = node({ kind: "bytes" });
    const apart = [
      content("a/b", { ...bytes, source: at(1) }, "binary"),
      content("a/c", { ...bytes, source: at(2) }, "binary"),
    ];
    expect(inputOf({ body: body(...apart) })).toEqual([
      {},
      {
        if: { "contentType?": ["a/b"] },
        so: { "contentType?": ["a/b"], body: "bytes" },
        else: { contentType: ["a/c"], body: "bytes" },
      },
    ]);
    const otherFile = { ...bytes, source: { ...source, file: "other.yaml" } };
    expect(inputOf({ body: body(content("a/b", bytes, "binary"), content("a/c", otherFile, "binary")) })).toHaveLength(
      2,
    );
    expect(inputOf({ body: body(content("a/b", bytes, "binary"), content("a/*", bytes, "binary")) })).toEqual([
      {},
      {
        if: { "contentType?": ["a/b"] },
        so: { "contentType?": ["a/b"], body: "bytes" },
        else: { contentType: "string", body: "bytes" },
      },
    ]);
  });

  it("distinguishes ranges of several types, and keeps those of one together", () => {
    const ranges = [
      content("image/*", reference("Picture"), "binary"),
      content("audio/*", reference("Sound"), "binary"),
      content("video/*", reference("Picture"), "binary"),
    ];
    expect(inputOf({ body: body(...ranges) })).toEqual([
      {},
      {
        if: { "contentType?": "string" },
        so: { "contentType?": "string", body: "Picture" },
        else: { contentType: "string", body: "Sound" },
      },
    ]);
  });

  it("leaves the items of a sequence out: any value stands for it, always the same node", () => {
    for (const form of ["event-stream", "json-lines"] as const) {
      const lines = content("application/jsonl", record([]), form);
      expect(inputOf({ body: body(lines) })).toEqual({ body: "any" });
      expect(sequenceNode(lines)).toBe(sequenceNode(lines));
      const both = body(lines, content("application/json", record([])));
      expect(inputOf({ body: both })).toEqual([
        {},
        {
          if: { "contentType?": ["application/json"] },
          so: { "contentType?": ["application/json"], body: {} },
          else: { contentType: ["application/jsonl"], body: "any" },
        },
      ]);
    }
  });

  it("may name the media type of a response that is negotiated", () => {
    const success = (status: number, mediaType: string) => ({
      status,
      content: content(mediaType),
      headers: [],
      description: "",
      source,
    });
    const successes = [success(200, "application/json"), success(200, "text/plain")] as const;
    expect(inputOf({ parameters: [parameter("id")], successes })).toEqual({
      id: "string",
      "accept?": ["application/json", "text/plain"],
    });
    expect(inputOf({ successes, body: body(content("application/json")) })).toEqual({
      "accept?": ["application/json", "text/plain"],
      body: "string",
    });
    expect(inputOf({ successes: [success(200, "application/json"), success(201, "text/plain")] })).toEqual({});
    const input = operationInput(operation("get", { successes, body: body(content("a/*")), source: at(9) }));
    expect(input.kind === "record" ? input.members.map(({ documentation }) => documentation) : []).toEqual([
      { summary: "Media type of the response." },
      { summary: "Media type of the body." },
      undefined,
    ]);
  });
});
