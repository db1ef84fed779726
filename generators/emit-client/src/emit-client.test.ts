import type { ApiModel, Operation, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { emitClient } from "./emit-client.ts";

const source = { file: "api.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const text: TypeNode = { kind: "string", source };

function operation(name: string, changes: Partial<Operation> = {}): Operation {
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
    marks: { disabledByDefault: false, nodeControl: false, units: 1 },
    source,
    documentation: { summary: "Does something.", deprecated: true },
    ...changes,
  };
}

const required = {
  name: "id",
  property: "id",
  location: "path",
  required: true,
  type: text,
  style: "simple",
  explode: false,
  source,
} as const;

function client(changes: Partial<ApiModel>): string {
  const model: ApiModel = {
    name: "toy-shop",
    protocol: "http",
    title: "Toy shop",
    version: "1",
    document: "specs/shop.yaml",
    declarations: [],
    operations: [],
    documents: [],
    security: [],
    ...changes,
  };
  const [file] = emitClient.emit({ model, packageName: "@x/toy-shop-api" }).files;
  return file?.text ?? "";
}

describe("a generated client", () => {
  it("has a documented method for each operation, its input optional where nothing in it is required", () => {
    const emitted = client({ operations: [operation("list"), operation("getItem", { parameters: [required] })] });
    expect(emitted).toContain(`  /**
   * Does something.
   *
   * @deprecated
   * @generated from GET /list
   */
  readonly list: (input?: ListInput, options?: CallOptions) => Promise<ListOutput>;`);
    expect(emitted).toContain(
      "readonly getItem: (input: GetItemInput, options?: CallOptions) => Promise<GetItemOutput>;",
    );
    expect(emitted).toContain("list: (input, callOptions) => client.call(operations.list, input, callOptions),");
  });

  it("takes its key as the document says, in query and header", () => {
    const scheme = { name: "key", kind: "api-key", location: "query", parameter: "token" } as const;
    expect(client({ security: [scheme], operations: [operation("list")] })).toContain(
      'createHttpClient(options, { query: "token", header: "X-API-Key" })',
    );
  });

  it("has pages where the document links the next one", () => {
    const paged = operation("list", { links: [{ name: "next", operation: "list", inputs: {}, source }] });
    const emitted = client({ operations: [paged, operation("other")] });
    expect(emitted).toContain("=> AsyncIterable<ListOutput>;");
    expect(emitted).toContain(
      "list: (input, callOptions) => client.pages({ ...operations }, operations.list, input, callOptions),",
    );
    expect(emitted).not.toContain("AsyncIterable<OtherOutput>");
  });

  it("keeps its own members apart from operations of the same name", () => {
    const binding = { kind: "rpc", method: "batch", parameterStructure: "either" } as const;
    const emitted = client({ protocol: "rpc", operations: [operation("batch", { binding })] });
    expect(emitted).toContain("batch2: (input, callOptions) => client.call(operations.batch, input, callOptions),");
    expect(emitted).toContain("batch: client.batch(operations),");
    expect(emitted).toContain("readonly batch: BatchCall<ToyShopOperations>;");
  });

  it("has a method for each operation document of a GraphQL schema, and is valid without any", () => {
    const document = {
      name: "latestBlock",
      root: "query",
      text: "query LatestBlock { block { number } }",
      variables: [],
      result: text,
      rootFields: ["block"],
      examples: [],
      source,
      documentation: {},
    } as const;
    const emitted = client({ protocol: "graphql", documents: [document] });
    expect(emitted).toContain(
      "latestBlock: (input, callOptions) => client.call(documents.latestBlock, input, callOptions),",
    );
    expect(client({ protocol: "graphql" })).toContain("export type ToyShopClient = Readonly<Record<never, never>>;");
  });
});
