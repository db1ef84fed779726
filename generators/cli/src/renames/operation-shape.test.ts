import type { ApiModel, Operation, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { operationShapes, partsOfShape } from "./operation-shape.ts";

const source = { file: "x.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const text: TypeNode = { kind: "string", source };

function operation(changes: Partial<Operation> = {}): Operation {
  return {
    name: "getPet",
    origin: "GET /pets/{petId}",
    binding: { kind: "http", method: "GET", path: "/pets/{petId}" },
    tags: [],
    parameters: [parameter("petId", text)],
    successes: [
      {
        status: 200,
        content: { mediaType: "application/json", form: "json", type: text },
        headers: [],
        description: "",
        source,
      },
    ],
    failures: [],
    examples: [],
    links: [],
    extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
    source,
    documentation: {},
    ...changes,
  };
}

function parameter(name: string, type: TypeNode): Operation["parameters"][number] {
  return { name, property: name, location: "path", required: true, type, style: "simple", explode: false, source };
}

function shapeOf(changes: Partial<Operation> = {}): string {
  const model: Pick<ApiModel, "operations"> = { operations: [operation(changes)] };
  return operationShapes(model)["getPet"] ?? "";
}

describe("the shape of an operation", () => {
  it("is how it is reached, and ten digits of what it takes and answers", () => {
    expect(shapeOf()).toMatch(/^GET \/pets\/\{\} [0-9a-f]{10}$/);
    expect(partsOfShape(shapeOf()).binding).toBe("GET /pets/{}");
    expect(shapeOf({ binding: { kind: "graphql", root: "query", field: "pet" } })).toMatch(/^query pet /);
    expect(shapeOf({ binding: { kind: "rpc", method: "a b", parameterStructure: "either" } })).toMatch(/^rpc a b /);
  });

  it.each<[string, Partial<Operation>]>([
    ["what people read of it", { documentation: { summary: "Other words." }, tags: ["pets"] }],
    [
      "where it stands",
      { source: { ...source, line: 9 }, parameters: [parameter("petId", { ...text, source: { ...source, line: 9 } })] },
    ],
    [
      "what the holes of its path are called",
      { binding: { kind: "http", method: "GET", path: "/pets/{id}" }, parameters: [parameter("id", text)] },
    ],
    ["how it fails", { failures: [{ name: "NotFound", status: 404, message: "", contents: [], headers: [], source }] }],
  ])("does not depend on %s", (_what, changes) => {
    expect(shapeOf(changes)).toBe(shapeOf());
  });

  it("does not depend on where a default stands, and depends on the default", () => {
    const shapeAt = (value: string, line: number): string =>
      shapeOf({ parameters: [parameter("petId", { ...text, default: value, defaultSource: { ...source, line } })] });
    expect(shapeAt("a", 9)).toBe(shapeAt("a", 1));
    expect(shapeAt("b", 1)).not.toBe(shapeAt("a", 1));
  });

  it.each<[string, Partial<Operation>]>([
    [
      "the type of an input",
      {
        parameters: [
          parameter("petId", { kind: "number", integer: true, representation: "bigint", maximum: 2n ** 64n, source }),
        ],
      },
    ],
    ["the number of inputs", { parameters: [] }],
    ["the status of its response", { successes: [{ status: 201, headers: [], description: "", source }] }],
    ["its method", { binding: { kind: "http", method: "DELETE", path: "/pets/{petId}" } }],
  ])("depends on %s", (_what, changes) => {
    expect(partsOfShape(shapeOf(changes)).structure).not.toBe(partsOfShape(shapeOf()).structure);
  });
});
