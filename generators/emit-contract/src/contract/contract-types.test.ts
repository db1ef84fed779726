import type { Content, GraphqlDocument, Operation, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import {
  contractsOfOperations,
  declarationNode,
  declaredTypes,
  inputItemOf,
  outputOf,
  typesOfDocument,
  validatedTypes,
} from "./contract-types.ts";
import {
  declaration,
  field,
  model,
  node,
  nullNode,
  numberNode,
  operation,
  record,
  reference,
  source,
  text,
  union,
} from "../testing/type-nodes.ts";

const content = (type: TypeNode, form: Content["form"] = "json"): Content => ({
  mediaType: "application/json",
  form,
  type,
});
const success = (type: TypeNode, status = 200) => ({
  status,
  content: content(type),
  headers: [],
  description: "",
  source,
});

describe("the types that validators are made for", () => {
  const get = operation("get", { successes: [success(text)] });
  const put = operation("put", {
    body: { required: true, contents: [content(reference("Pet"), "json-lines")], source },
  });

  it("are the declarations, what operations take, and what they answer", () => {
    const api = model([declaration("Pet", text)], { operations: [put, get] });
    const names = ["PutInput", "PutInputItem", "GetInput", "GetOutput"];
    expect(contractsOfOperations(api).map(({ name }) => name)).toEqual(names);
    expect(validatedTypes(api).map(({ name }) => name)).toEqual(["Pet", ...names]);
    const incoming = { ...api, operations: [get], incoming: [{ ...put, trigger: { kind: "webhook" } } as never] };
    expect(validatedTypes(incoming).map(({ name }) => name)).toEqual([
      "Pet",
      "GetInput",
      "PutInput",
      "PutInputItem",
      "GetOutput",
    ]);
  });

  it("say where they come from", () => {
    const pet = declaration("Pet", text, {
      source: { ...source, pointer: "/components/schemas/pet" },
      originalName: "pet",
    });
    const api = model([pet], { operations: [put, get] });
    const commentsOf = (types: ReturnType<typeof validatedTypes>) =>
      types.map(({ comment: { prose, tags } }) => [...prose, ...tags].join(" "));
    expect(commentsOf(validatedTypes(api))).toEqual([
      "@generated from #/components/schemas/pet",
      "Input of put. @generated from GET /put",
      "One item of the request body of put. @generated from GET /put",
      "Input of get. @generated from GET /get",
      "Response of get. @generated from GET /get",
    ]);
    expect(commentsOf(declaredTypes({ ...api, protocol: "graphql" }))).toEqual(["@generated from pet"]);
  });

  it("have one type for several responses or items, each node once", () => {
    const outputs = (...types: readonly [TypeNode, ...TypeNode[]]) => {
      const successes = types.map((type, index) => success(type, 200 + index)) as never;
      const answering = operation("get", { successes });
      return outputOf(model([], { operations: [answering] }), answering)?.type;
    };
    const count = numberNode();
    expect(outputs(text)).toBe(text);
    expect(outputs(text, text)).toBe(text);
    expect(outputs(text, count)).toEqual(union(text, count));
    expect(outputOf(model([], { operations: [get] }), operation("get"))).toBeUndefined();
    const items = (...types: readonly TypeNode[]) => {
      const contents = types.map((type) => content(type, "event-stream"));
      const taking = operation("put", { body: { required: true, contents, source } });
      return inputItemOf(model([], { operations: [taking] }), taking)?.type;
    };
    expect(items(text)).toBe(text);
    expect(items(text, count)).toEqual(union(text, count));
    expect(items()).toBeUndefined();
    expect(inputItemOf(model([]), operation("put"))).toBeUndefined();
  });
});

describe("the types of GraphQL", () => {
  const object = (name: string, role: "object" | "interface" = "object") => declaration(name, record([]), { role });
  const query: Operation = operation("block", { successes: [success(reference("Block"))] });
  const document: GraphqlDocument = {
    name: "getBlock",
    root: "query",
    text: "",
    variables: [
      {
        name: "number",
        property: "number",
        location: "argument",
        required: true,
        type: text,
        style: "simple",
        explode: false,
        source,
      },
    ],
    result: record([field("block", nullNode)]),
    rootFields: ["block"],
    examples: [],
    source: { ...source, file: "operations/get-block.graphql" },
    documentation: {},
  };

  it("are without those that are resolved field by field", () => {
    const declarations = [
      object("Block"),
      object("Node", "interface"),
      declaration("Either", union(reference("Block"), reference("Node"))),
      declaration("One", reference("Either")),
      declaration("Long", text, { role: "scalar" }),
      declaration("Filter", record([field("a", reference("Long"))]), { role: "input" }),
      declaration("Choice", node({ kind: "enumeration", values: ["A"] })),
      declaration("Longs", union(reference("Long"), nullNode)),
    ];
    const api = model(declarations, { protocol: "graphql", operations: [query], documents: [document] });
    expect(validatedTypes(api).map(({ name }) => name)).toEqual([
      "Long",
      "Filter",
      "Choice",
      "Longs",
      "BlockInput",
      "GetBlockQueryVariables",
      "GetBlockQuery",
    ]);
    const http = model([declaration("Block", record([])), declaration("One", reference("Block"))]);
    expect(validatedTypes(http).map(({ name }) => name)).toEqual(["Block", "One"]);
  });

  it("are the variables and the data of each document", () => {
    const [variables, data] = typesOfDocument(model([], { protocol: "graphql", documents: [document] }), document);
    expect(variables?.type).toMatchObject({
      kind: "record",
      members: [{ name: "number", type: text, required: true }],
    });
    expect(variables?.comment).toEqual({
      prose: ["Variables of getBlock."],
      tags: ["@generated from operations/get-block.graphql"],
    });
    expect([data?.type, data?.comment.tags]).toEqual([
      document.result,
      ["@generated from operations/get-block.graphql"],
    ]);
  });
});

it("a declaration that is not there is named", () => {
  const api = model([declaration("Pet", text)]);
  expect(declarationNode("Pet", api)).toBe(text);
  expect(() => declarationNode("Dog", api)).toThrow('The model declares no "Dog"');
});
