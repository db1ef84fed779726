import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { petsGraphql, petsOpenapi, petsOpenrpc } from "../support/pets-documents.ts";
import { createPetsProject, filesWithErrors, type PetsProject } from "../support/pets-project.ts";

// Each test runs several processes, beside those of other tests.
vi.setConfig({ testTimeout: 120_000 });

let project: PetsProject;

/** Projects whose handlers are written, by the name of their document. */
const prepared = new Map<string, PetsProject>();

afterEach(() => project.remove());

afterAll(() => {
  for (const each of prepared.values()) each.remove();
});

/** A handler as people write it: words around it, a helper of its own, a layout of its own. */
const getPetHandler = `// Kept by hand; getPet has its own rules.
import { ServiceError } from "@nodewright/runtime";
import type { PetsHandler } from "pets/server";
import type { Context } from "../context.ts";

/* A helper that no generator knows. */
function nameOf(petId: string, { names }: Context): string | undefined { return names.get(petId) }

/** One pet, by its id. */
export const getPet: PetsHandler<"getPet", Context> = ({ petId }, context) => {
  const name = nameOf(petId, context);   // never the tag
  if (name === undefined) throw new ServiceError("not_found", \`There is no pet \${petId}\`);
  /* end of getPet */ return { id: petId, name };
};
// The last word.
`;

const listPetsHandler = `import type { PetsHandler } from "pets/server";
import type { Context } from "../context.ts";

export const listPets: PetsHandler<"listPets", Context> = (_input, { names }) =>
  [...names].map(([id, name]) => ({ id, name }));
`;

/** Starts the generated server with the handlers of the project, asks it, and prints the answers. */
const asking = `import { createPetsRoutes } from "pets/server";
import fastify from "fastify";
import { handlers } from "./handlers/index.ts";

const names = new Map([["7", "Rex"]]);
const app = fastify();
await app.register(createPetsRoutes({ handlers, context: () => ({ names }) }));
const answers = [];
for (const url of ["/pets", "/pets/7", "/pets/8", "/owners"]) {
  const { statusCode, body } = await app.inject(url);
  answers.push([url, statusCode, statusCode === 200 ? JSON.parse(body) : null]);
}
console.log(JSON.stringify(answers));
await app.close();
`;

const owners = `  /owners:
    get:
      operationId: listOwners
      responses:
        "200":
          description: The owners.
          content: { application/json: { schema: { type: array, items: { type: string } } } }
`;

function openapiProject(): PetsProject {
  return writtenProject("openapi.yaml", petsOpenapi, {
    "src/handlers/list-pets.ts": listPetsHandler,
    "src/ask.ts": asking,
  });
}

function writtenProject(source: string, text: string, files: Readonly<Record<string, string>> = {}): PetsProject {
  const first = prepared.get(source) ?? createPetsProject(source, text);
  if (!prepared.has(source)) {
    prepared.set(source, first);
    first.generate();
    for (const [path, content] of Object.entries({ "src/handlers/get-pet.ts": getPetHandler, ...files }))
      first.write(path, content);
    first.generate();
    expect(first.typecheck()).toEqual([]);
  }
  project = first.copy();
  return project;
}

describe("a new operation", () => {
  it("gets a typed stub that compiles and returns 501 until it is written", () => {
    openapiProject();
    project.edit("openapi.yaml", "paths:\n", `paths:\n${owners}`);
    expect(project.generate()).toContain("stub    src/handlers/list-owners.ts");
    expect(project.read("src/handlers/list-owners.ts")).toContain('PetsHandler<"listOwners", Context>');
    expect(project.typecheck()).toEqual([]);
    expect(project.run("src/ask.ts")).toEqual([
      ["/pets", 200, [{ id: "7", name: "Rex" }]],
      ["/pets/7", 200, { id: "7", name: "Rex" }],
      ["/pets/8", 404, null],
      ["/owners", 501, null],
    ]);
    project.edit(
      "src/handlers/list-owners.ts",
      'throw new ServiceError("not_implemented", "GET /owners is not implemented");',
      'return ["Ann"];',
    );
    expect(project.run("src/ask.ts")).toContainEqual(["/owners", 200, ["Ann"]]);
  });

  it.each([
    [
      "an OpenRPC method",
      "openrpc.yaml",
      petsOpenrpc,
      "methods:\n",
      "methods:\n  - name: list_owners\n    params: []\n    result: { name: owners, schema: { type: array, items: { type: string } } }\n",
    ],
    ["a GraphQL field", "schema.graphql", petsGraphql, "type Query {\n", "type Query {\n  listOwners: [String!]!\n"],
  ])("may be %s", (_what, source, text, before, after) => {
    writtenProject(source, text);
    project.edit(source, before, after);
    expect(project.generate()).toContain("stub    src/handlers/list-owners.ts");
    expect(project.typecheck()).toEqual([]);
  });
});

describe("a changed operation", () => {
  it.each([
    [
      "a parameter has another type",
      "required: true, schema: { type: string } }",
      "required: true, schema: { type: integer } }",
      ["src/handlers/get-pet.ts"],
    ],
    [
      "the answer has another required member",
      "required: [id, name]",
      "required: [id, name, born]",
      ["src/handlers/get-pet.ts", "src/handlers/list-pets.ts"],
    ],
    [
      "a parameter is gone",
      "- { name: petId, in: path, required: true, schema: { type: string } }",
      "- { name: id, in: path, required: true, schema: { type: string } }",
      ["src/handlers/get-pet.ts"],
    ],
  ])("is a compile error in exactly its handler when %s", (_what, before, after, files) => {
    openapiProject();
    project.edit("openapi.yaml", before, after);
    if (after.includes("name: id,")) project.edit("openapi.yaml", "/pets/{petId}", "/pets/{id}");
    project.generate();
    expect(filesWithErrors(project.typecheck())).toEqual(files);
    expect(project.read("src/handlers/get-pet.ts")).toBe(getPetHandler);
  });

  it("may be an OpenRPC method", () => {
    writtenProject("openrpc.yaml", petsOpenrpc);
    project.edit(
      "openrpc.yaml",
      "{ name: petId, required: true, schema: { type: string } }",
      "{ name: petId, required: true, schema: { type: integer } }",
    );
    project.generate();
    expect(filesWithErrors(project.typecheck())).toEqual(["src/handlers/get-pet.ts"]);
  });

  it("may be a GraphQL field", () => {
    writtenProject("schema.graphql", petsGraphql);
    project.edit("schema.graphql", "getPet(petId: ID!): Pet", "getPet(petId: Int!): Pet");
    project.generate();
    expect(filesWithErrors(project.typecheck())).toEqual(["src/handlers/get-pet.ts"]);
  });
});

describe("a removed operation", () => {
  it("leaves its handler where it is and names it; everything still compiles", () => {
    openapiProject();
    const end = petsOpenapi.slice(petsOpenapi.indexOf("components:"));
    project.write("openapi.yaml", petsOpenapi.slice(0, petsOpenapi.indexOf("  /pets/{petId}:")) + end);
    expect(project.generate()).toContain("kept    src/handlers/get-pet.ts: its operation is gone from openapi.yaml");
    expect(project.read("src/handlers/get-pet.ts")).toBe(getPetHandler);
    expect(project.typecheck()).toEqual([]);
    expect(project.run("src/ask.ts")).toContainEqual(["/pets/7", 404, null]);
    expect(project.read("src/handlers/index.ts")).not.toContain("getPet");
    expect(project.generate("--force").join("\n")).toContain("kept    src/handlers/get-pet.ts");
    expect(project.typecheck()).toEqual([]);
  });

  it.each([
    ["an OpenRPC method", "openrpc.yaml", petsOpenrpc, / {2}- name: get_pet\n(?: {4}.*\n)+/],
    ["a GraphQL field", "schema.graphql", petsGraphql, / {2}getPet.*\n/],
  ])("may be %s", (_what, source, text, removed) => {
    writtenProject(source, text);
    project.write(source, text.replace(removed, ""));
    expect(project.generate().join("\n")).toContain("kept    src/handlers/get-pet.ts");
    expect(project.read("src/handlers/get-pet.ts")).toBe(getPetHandler);
    expect(project.typecheck()).toEqual([]);
  });
});

describe("what people lose with other generators", () => {
  it("is kept: comments in and around a handler, and code that no generator knows, survive every change", () => {
    openapiProject();
    project.edit("openapi.yaml", "paths:\n", `paths:\n${owners}`);
    project.generate();
    project.edit("openapi.yaml", "maximum: 100", "maximum: 50");
    project.generate("--force");
    expect(project.read("src/handlers/get-pet.ts")).toBe(getPetHandler);
    expect(project.read("src/handlers/list-pets.ts")).toBe(listPetsHandler);
  });

  it("is kept: files of theirs in the generated folder, which are named, and next to it", () => {
    openapiProject();
    project.write("src/gen/mine.ts", "export const mine = 1;\n");
    project.write("src/gen.ts", "export const beside = 1;\n");
    project.write("src/handlers/helpers/format.ts", "export const format = 1;\n");
    project.edit("openapi.yaml", "paths:\n", `paths:\n${owners}`);
    expect(project.generate()).toContain("kept    src/gen/mine.ts: nodewright did not write it");
    project.generate("--force");
    expect(project.read("src/gen/mine.ts")).toBe("export const mine = 1;\n");
    expect(project.read("src/gen.ts")).toBe("export const beside = 1;\n");
    expect(project.read("src/handlers/helpers/format.ts")).toBe("export const format = 1;\n");
  });

  it("is not kept from them: a new feature reaches the code that is there", () => {
    openapiProject();
    project.edit("openapi.yaml", "paths:\n", `paths:\n${owners}`);
    project.generate();
    expect(project.list("src/handlers")).toEqual([
      "create-pet.ts",
      "get-pet.ts",
      "index.ts",
      "list-owners.ts",
      "list-pets.ts",
    ]);
    const index = project.read("src/handlers/index.ts");
    for (const name of ["listOwners", "getPet", "listPets", "createPet"]) expect(index).toContain(`  ${name},`);
    expect(project.read("src/handlers/get-pet.ts")).toBe(getPetHandler);
  });

  it("is not reported for helpers: a file next to the handlers that never was one is ignored", () => {
    openapiProject();
    project.write("src/handlers/pet-names.ts", "export const names = 1;\n");
    expect(project.generate().join("\n")).not.toContain("pet-names");
  });
});
