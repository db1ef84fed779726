import type { ApiModel, Operation, TypeDeclaration, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { hasReplyEnvelope, needsCodec } from "./contract-facts.ts";
import { contractNames } from "./contract-names.ts";

const source = { file: "a.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const text: TypeNode = { kind: "string", source };

function declaration(name: string, type: TypeNode): TypeDeclaration {
  return { name, originalName: name, role: "value", type, implements: [], source };
}

function operation(name: string, facts: Partial<Operation> = {}): Operation {
  return {
    name,
    origin: name,
    binding: { kind: "rpc", method: name, parameterStructure: "either" },
    tags: [],
    parameters: [],
    successes: [{ status: 200, headers: [], description: "", source }],
    failures: [],
    examples: [],
    links: [],
    extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
    source,
    documentation: {},
    ...facts,
  };
}

function model(declarations: readonly TypeDeclaration[], operations: readonly Operation[] = []): ApiModel {
  return {
    name: "a",
    protocol: "rpc",
    title: "A",
    version: "1",
    document: "a.yaml",
    declarations,
    operations,
    documents: [],
    security: [],
  };
}

describe("the names of a contract", () => {
  it("stay clear of the declarations' and of each other", () => {
    const get = operation("getBlock");
    const names = contractNames(model([declaration("GetBlockOutput", text)], [get]));
    expect(names.of(get)).toEqual({
      input: "GetBlock2Input",
      inputItem: "GetBlock2InputItem",
      output: "GetBlock2Output",
      reply: "GetBlock2Reply",
      failure: "GetBlock2Failure",
    });
  });
});

describe("the facts of a contract", () => {
  it("tell which types need a codec, through any chain of references", () => {
    const amount: TypeNode = { kind: "number", integer: false, representation: "bitcoin-amount", source };
    const to = (target: string): TypeNode => ({ kind: "reference", target, source });
    const list = (element: TypeNode): TypeNode => ({ kind: "list", prefix: [], element, source });
    const api = model([
      declaration("A", list(to("B"))),
      declaration("B", { kind: "union", mode: "any-of", members: [to("A"), to("C")], source }),
      declaration("C", amount),
      declaration("D", list(to("D"))),
    ]);
    expect(["A", "B", "C", "D"].map((name) => needsCodec(to(name), api))).toEqual([true, true, true, false]);
  });

  it("tell which operations answer with an envelope", () => {
    const success = { status: 200, headers: [], description: "", source };
    const header = { name: "ETag", property: "etag", required: false, type: text };
    expect(hasReplyEnvelope(operation("a"))).toBe(false);
    expect(hasReplyEnvelope(operation("a", { successes: [{ ...success, headers: [header] }] }))).toBe(true);
    expect(hasReplyEnvelope(operation("a", { successes: [success, { ...success, status: 202 }] }))).toBe(true);
  });
});
