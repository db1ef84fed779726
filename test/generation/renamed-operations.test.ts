import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { petsGraphql, petsOpenapi, petsOpenrpc } from "../support/pets-documents.ts";
import { createPetsProject, type PetsProject } from "../support/pets-project.ts";

// Each test runs several processes, beside those of other tests.
vi.setConfig({ testTimeout: 120_000 });

let project: PetsProject;

/** Projects whose handlers are written, by the name of their document. */
const prepared = new Map<string, PetsProject>();

afterEach(() => project.remove());

afterAll(() => {
  for (const each of prepared.values()) each.remove();
});

const handler = (name: string): string => `// ${name} of ours
import type { PetsHandler } from "pets/server";
import type { Context } from "../context.ts";

const   helper = ( id: string ) => ({ id, name:id })

/** What ${name} does. */
export const ${name}: PetsHandler<"${name}", Context> = ({ petId }) => {
  /* in  ${name} */ return helper( petId ); // as it was
};
`;

/** As \`handler\`, once it has followed its operation: its comments say what they said. */
function followed(before: string, after: string): string {
  return handler(before)
    .replace(`export const ${before}`, `export const ${after}`)
    .replace(`PetsHandler<"${before}"`, `PetsHandler<"${after}"`);
}

function writtenProject(source: string, text: string): PetsProject {
  const first = prepared.get(source) ?? preparedProject(source, text);
  prepared.set(source, first);
  project = first.copy();
  return project;
}

function preparedProject(source: string, text: string): PetsProject {
  const first = createPetsProject(source, text);
  first.generate();
  first.write("src/handlers/get-pet.ts", handler("getPet"));
  first.write(
    "src/handlers/get-pet.test.ts",
    'import { getPet } from "./get-pet.ts";\nimport { handlers } from "./index.ts";\n\nexport const isSame = handlers.getPet === getPet;\n',
  );
  first.generate();
  expect(first.typecheck()).toEqual([]);
  return first;
}

const proposal =
  "getPet looks renamed to fetchPet: run nodewright gen --apply-renames, or nodewright gen --no-renames for a stub of its own.";

describe.each([
  ["OpenAPI", "openapi.yaml", petsOpenapi, "operationId: getPet", "operationId: fetchPet"],
  ["OpenRPC", "openrpc.yaml", petsOpenrpc, "name: get_pet", "name: fetch_pet"],
  ["GraphQL", "schema.graphql", petsGraphql, "getPet(", "fetchPet("],
])("a renamed operation of %s", (_language, source, text, before, after) => {
  it("is proposed without a stub, and its handler follows when asked to, untouched but for the name", () => {
    writtenProject(source, text);
    project.edit(source, before, after);
    expect(project.generate()).toContain(proposal);
    expect(project.has("src/handlers/fetch-pet.ts")).toBe(false);
    expect(project.read("src/handlers/get-pet.ts")).toBe(handler("getPet"));
    expect(project.generate()).toEqual(["1 document, nothing to do.", proposal]);
    expect(project.nodewright("check").stderr).toContain(proposal);

    const lines = project.generate("--apply-renames");
    expect(lines).toContain("moved   src/handlers/get-pet.ts to fetch-pet.ts");
    expect(lines).toContain("moved   src/handlers/get-pet.test.ts to fetch-pet.test.ts");
    expect(project.read("src/handlers/fetch-pet.ts")).toBe(followed("getPet", "fetchPet"));
    expect(project.read("src/handlers/fetch-pet.test.ts")).toBe(
      'import { fetchPet } from "./fetch-pet.ts";\nimport { handlers } from "./index.ts";\n\nexport const isSame = handlers.fetchPet === fetchPet;\n',
    );
    expect(project.list("src/handlers").filter((name) => name.startsWith("get-pet"))).toEqual([]);
    expect(project.read("src/handlers/index.ts")).toContain("  fetchPet,");
    expect(project.typecheck()).toEqual([]);
    expect(project.generate()).toEqual(["1 document, nothing to do."]);
  });
});

describe("a renamed operation", () => {
  it("follows in the first run that sees it", () => {
    writtenProject("openapi.yaml", petsOpenapi);
    project.edit("openapi.yaml", "operationId: getPet", "operationId: showAnimal");
    project.generate("--apply-renames");
    expect(project.read("src/handlers/show-animal.ts")).toBe(followed("getPet", "showAnimal"));
    expect(project.typecheck()).toEqual([]);
  });

  it("is one whose path changed too, when it takes and answers the same and is called alike", () => {
    writtenProject("openapi.yaml", petsOpenapi);
    project.edit("openapi.yaml", "operationId: getPet", "operationId: getPetById");
    project.edit("openapi.yaml", "/pets/{petId}", "/pet/{petId}");
    expect(project.generate().join("\n")).toContain("getPet looks renamed to getPetById");
  });

  it("gets a stub of its own when the person goes on without the handler that was", () => {
    writtenProject("openapi.yaml", petsOpenapi);
    project.edit("openapi.yaml", "operationId: getPet", "operationId: fetchPet");
    project.generate();
    const lines = project.generate("--no-renames");
    expect(lines).toContain("stub    src/handlers/fetch-pet.ts");
    expect(lines).toContain("kept    src/handlers/get-pet.ts: its operation is gone from openapi.yaml");
    expect(project.typecheck()).toEqual([]);
    expect(project.generate().join("\n")).not.toContain("looks renamed");
  });

  it("gets a stub of its own once the old handler is deleted", () => {
    writtenProject("openapi.yaml", petsOpenapi);
    project.edit("openapi.yaml", "operationId: getPet", "operationId: fetchPet");
    project.generate();
    project.delete("src/handlers/get-pet.ts");
    expect(project.generate()).toContain("stub    src/handlers/fetch-pet.ts");
  });

  it("needs nothing but a look when its handler was moved by hand", () => {
    writtenProject("openapi.yaml", petsOpenapi);
    project.edit("openapi.yaml", "operationId: getPet", "operationId: fetchPet");
    project.generate();
    project.delete("src/handlers/get-pet.ts");
    project.delete("src/handlers/get-pet.test.ts");
    project.write("src/handlers/fetch-pet.ts", handler("fetchPet"));
    expect(project.generate().join("\n")).not.toContain("looks renamed");
    expect(project.read("src/handlers/fetch-pet.ts")).toBe(handler("fetchPet"));
    expect(project.typecheck()).toEqual([]);
    expect(project.generate("--apply-renames").join("\n")).toContain("No handler was moved: ");
  });

  it("is left alone, with a word, when its new file is somebody's already", () => {
    writtenProject("openapi.yaml", petsOpenapi);
    project.edit("openapi.yaml", "operationId: getPet", "operationId: fetchPet");
    project.write("src/handlers/fetch-pet.test.ts", "export const mine = 1;\n");
    const before = project.read("src/gen/manifest.json");
    const { status, stderr } = project.nodewright("gen", "--apply-renames");
    expect(status).toBe(1);
    expect(stderr).toContain("src/handlers/fetch-pet.test.ts exists already");
    expect(project.read("src/handlers/get-pet.ts")).toBe(handler("getPet"));
    expect(project.read("src/handlers/fetch-pet.test.ts")).toBe("export const mine = 1;\n");
    expect(project.read("src/gen/manifest.json")).toBe(before);
  });
});

describe("operations among which only a person can choose", () => {
  const two = (name: string): string =>
    petsOpenrpc.replace(/ {2}- name: get_pet\n(?: {4}.*\n)+/, (method) =>
      ["fetch", name].map((verb) => method.replace("get_pet", `${verb}_pet`)).join(""),
    );

  it("are listed, not applied, until one is named", () => {
    writtenProject("openrpc.yaml", petsOpenrpc);
    project.write("openrpc.yaml", two("read"));
    const sentence =
      "getPet looks renamed to fetchPet or readPet: run nodewright gen --apply-renames getPet=fetchPet, or nodewright gen --no-renames for a stub of its own.";
    expect(project.generate("--apply-renames")).toContain(sentence);
    expect(project.read("src/handlers/get-pet.ts")).toBe(handler("getPet"));

    const lines = project.generate("--apply-renames", "getPet=readPet");
    expect(lines).toContain("moved   src/handlers/get-pet.ts to read-pet.ts");
    expect(lines).toContain("stub    src/handlers/fetch-pet.ts");
    expect(project.read("src/handlers/read-pet.ts")).toBe(followed("getPet", "readPet"));
    expect(project.typecheck()).toEqual([]);
  });

  it.each([
    ["getPet=listPets", "no handler of listPets, which is new"],
    ["getDog=fetchPet", "a handler of getDog, which no document has any more"],
    ["getPet", '--apply-renames takes old=new, not "getPet"'],
  ])("are refused as %s", (choice, sentence) => {
    writtenProject("openrpc.yaml", petsOpenrpc);
    project.write("openrpc.yaml", two("read"));
    const { status, stderr } = project.nodewright("gen", "--apply-renames", choice);
    expect(status).toBe(choice.includes("=") ? 1 : 2);
    expect(stderr).toContain(sentence);
    expect(project.read("src/handlers/get-pet.ts")).toBe(handler("getPet"));
  });
});
