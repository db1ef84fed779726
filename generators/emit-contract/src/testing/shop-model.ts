import type { ApiModel, Operation, TypeNode } from "@nodewright/model";

/** Place of everything in the model. */
export const source = { file: "api.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
export const text: TypeNode = { kind: "string", source };
export const integer: Extract<TypeNode, { kind: "number" }> = {
  kind: "number",
  integer: true,
  representation: "number",
  source,
};
/** Extensions of an operation whose document has none. */
export const extensions = { disabledByDefault: false, nodeControl: false, units: 1 };

/** Returns an HTTP operation that returns a text. */
export function operation(name: string, changes: Partial<Operation> = {}): Operation {
  return {
    name,
    origin: `GET /${name}`,
    binding: { kind: "http", method: "GET", path: `/${name}` },
    tags: [],
    parameters: [],
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
    extensions,
    source,
    documentation: {},
    ...changes,
  };
}

/** Returns the model of a shop without operations. */
export function model(changes: Partial<ApiModel> = {}): ApiModel {
  return {
    name: "shop",
    protocol: "http",
    title: "Shop",
    version: "1",
    document: "specs/shop.yaml",
    declarations: [],
    operations: [],
    documents: [],
    security: [],
    ...changes,
  };
}
