import type { Parameter, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { admitsNull, decodingOf } from "./decoding.ts";
import { operationFacts } from "./operation-facts.ts";
import { extensions, integer, model, operation, source, text } from "../testing/shop-model.ts";

function parameter(name: string, type: TypeNode, changes: Partial<Parameter> = {}): Parameter {
  return {
    name,
    property: name,
    location: "path",
    required: true,
    type,
    style: "simple",
    explode: false,
    source,
    ...changes,
  };
}

describe("the decoding of a parameter", () => {
  const union = (...members: readonly TypeNode[]): TypeNode => ({ kind: "union", mode: "any-of", members, source });
  const nothing: TypeNode = { kind: "null", source };
  const list = (element: TypeNode): TypeNode => ({ kind: "list", prefix: [], element, source });
  const declared = model({
    declarations: [
      { name: "Height", originalName: "Height", role: "value", type: integer, implements: [], source },
      {
        name: "Tree",
        originalName: "Tree",
        role: "value",
        type: union(text, { kind: "reference", target: "Tree", source }),
        implements: [],
        source,
      },
    ],
  });

  it.each([
    ["a text", text, "string"],
    ["an integer behind a reference", { kind: "reference", target: "Height", source }, "integer"],
    ["a type that leads back to itself", { kind: "reference", target: "Tree", source }, "string"],
    ["a number or null", union({ ...integer, integer: false }, nothing), "number"],
    ["an integer or a number", union(integer, { ...integer, integer: false }), "number"],
    ["an integer or a long one", union(integer, { ...integer, representation: "bigint" }), "bigint"],
    ["a number or a text", union(integer, text), "scalar"],
    ["some texts", { kind: "enumeration", values: ["a", "b"], source }, "string"],
    ["some numbers", { kind: "enumeration", values: [1, 2, null], source }, "number"],
    ["a list of numbers", list(integer), { list: "integer" }],
    ["a long integer", { ...integer, representation: "bigint" }, "bigint"],
    [
      "an object",
      {
        kind: "record",
        members: [{ name: "a", type: integer, required: true, access: "read-write", arguments: [], source }],
        additional: { kind: "any", source },
        patterns: [],
        source,
      },
      { record: { a: "integer" } },
    ],
  ] as const)("of %s", (_name, type, decoding) => {
    expect(decodingOf(type as TypeNode, declared)).toEqual(decoding);
  });

  it("knows where null is a value", () => {
    expect(admitsNull(union(integer, nothing), declared)).toBe(true);
    expect(admitsNull({ kind: "any", source }, declared)).toBe(true);
    expect(admitsNull(integer, declared)).toBe(false);
  });
});

describe("the facts of an operation", () => {
  it("say no more than is not usual", () => {
    const height = parameter("height", integer, { default: 5, invalidMessage: "Invalid number" });
    const facts = operationFacts(operation("a", { parameters: [height] }), model());
    expect(facts["parameters"]).toEqual([
      {
        name: "height",
        property: "height",
        location: "path",
        required: true,
        decoding: "integer",
        default: 5,
        invalidMessage: "Invalid number",
      },
    ]);
    const tags = parameter("tags", text, { location: "query", style: "form", explode: false });
    expect(operationFacts(operation("a", { parameters: [tags] }), model())["parameters"]).toMatchObject([
      { explode: false },
    ]);
  });

  it.each([
    [{ kind: "http", method: "POST", path: "/" }, false],
    [{ kind: "http", method: "DELETE", path: "/" }, true],
    [{ kind: "rpc", method: "getblock", parameterStructure: "either" }, true],
    [{ kind: "rpc", method: "eth_getBalance", parameterStructure: "either" }, true],
    [{ kind: "rpc", method: "eth_chainId", parameterStructure: "either" }, true],
    [{ kind: "rpc", method: "sendrawtransaction", parameterStructure: "either" }, false],
    [{ kind: "rpc", method: "eth_sendRawTransaction", parameterStructure: "either" }, false],
    [{ kind: "rpc", method: "stop", parameterStructure: "either" }, false],
  ] as const)("know whether %j may be repeated", (binding, idempotent) => {
    expect(operationFacts(operation("a", { binding }), model())["idempotent"]).toBe(idempotent);
  });

  it("believe the mark of a method before its name", () => {
    const binding = { kind: "rpc", method: "getandforget", parameterStructure: "either" } as const;
    expect(
      operationFacts(operation("a", { binding, extensions: { ...extensions, safe: false } }), model())["idempotent"],
    ).toBe(false);
  });

  it("lead from page to page, from the second as from the first", () => {
    const inputs = { after: "$response.body#/24/id" };
    const first = operation("first", { links: [{ name: "next", operation: "after", inputs, source }] });
    const after = operation("after");
    const api = model({ operations: [first, after] });
    for (const one of [first, after]) expect(operationFacts(one, api)["next"]).toEqual({ operation: "after", inputs });
  });
});
