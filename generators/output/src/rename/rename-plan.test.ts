import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planHandlerRenames, type RenamePlan } from "./rename-plan.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "nodewright-rename-"));
});

afterEach(() => rmSync(root, { recursive: true }));

const rename = {
  operation: { from: "getPet", to: "fetchPet" },
  symbol: { from: "getPet", to: "fetchPet" },
  file: { from: "get-pet", to: "fetch-pet" },
  contractNames: new Map([["GetPetInput", "FetchPetInput"]]),
};

const serverModule = `
export interface PetsSignatures { readonly getPet: { readonly input: string }; readonly listPets: { readonly input: string } }
export type PetsHandler<Name extends keyof PetsSignatures, Context> = (input: PetsSignatures[Name]["input"], context: Context) => string;
export type PetsHandlers<Context> = { readonly [Name in keyof PetsSignatures]?: PetsHandler<Name, Context> };
`;

/** Plans the rename in a package with these files; returns the new text of each changed file, by path. */
function planned(files: Readonly<Record<string, string>>): RenamePlan & { readonly texts: Record<string, string> } {
  const all = {
    "package.json": '{"name":"pets-api","exports":{"./server":"./src/gen/server.ts"}}',
    "tsconfig.json": '{"compilerOptions":{"module":"nodenext"}}',
    "src/gen/server.ts": serverModule,
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const plan = planHandlerRenames({
    directory: join(root, "src/handlers"),
    package: { directory: root, generated: join(root, "src/gen"), name: "pets-api" },
    owned: new Set([join(root, "src/handlers/index.ts")]),
    renames: [rename],
  });
  return {
    ...plan,
    texts: Object.fromEntries(plan.changes.map(({ after }) => [relative(root, after.path), after.text])),
  };
}

const head = 'import type { PetsHandler } from "pets-api/server";\n';

describe("a handler that follows its operation", () => {
  it("keeps every byte but the names: comments, odd formatting, helpers, line ends, a byte order mark", () => {
    const handler =
      `\uFEFF${head}import { type GetPetInput, type Pet } from "pets-api/types";\r\n` +
      "// getPet is ours, see get-pet.md\r\nconst   helper=(x:GetPetInput)=>{ return x }\r\n\r\n" +
      "/** Answers getPet. {@link getPet} */\r\nexport const getPet : PetsHandler< 'getPet', unknown >=\r\n" +
      '  ( input )=>{\t/* getPet */ if (input === "getPet") return getPet("x", 1)\r\n   return helper( input as never ) as never  ;\r\n};;\r\n';
    const expected = handler
      .replaceAll("GetPetInput", "FetchPetInput")
      .replace("export const getPet", "export const fetchPet")
      .replace("'getPet'", "'fetchPet'")
      .replace('return getPet("x"', 'return fetchPet("x"');
    expect(planned({ "src/handlers/get-pet.ts": handler }).texts).toEqual({ "src/handlers/fetch-pet.ts": expected });
  });

  it.each([
    ["a function", "export function getPet() {}", "export function fetchPet() {}"],
    ["a list of exports", "const getPet = 1;\nexport { getPet };", "const fetchPet = 1;\nexport { fetchPet };"],
    ["another name inside", "const own = 1;\nexport { own as getPet };", "const own = 1;\nexport { own as fetchPet };"],
  ])("is found as %s", (_what, before, after) => {
    expect(planned({ "src/handlers/get-pet.ts": before }).texts).toEqual({ "src/handlers/fetch-pet.ts": after });
  });

  it("takes along its tests and whatever names it in the project", () => {
    const { texts } = planned({
      "src/handlers/get-pet.ts": `${head}export const getPet: PetsHandler<"getPet", unknown> = () => "";\n`,
      "src/handlers/get-pet.test.ts":
        'import { getPet } from "./get-pet.ts";\nvi.mock("./get-pet.ts");\ndescribe("getPet", () => getPet("", 1));\n',
      "src/handlers/__snapshots__/get-pet.test.ts.snap": "exports[`getPet 1`] = `1`;\n",
      "src/handlers/get-pet-history.ts": 'export * from "./get-pet.js";\n',
      "src/handlers/index.ts": 'import { getPet } from "./get-pet.ts";\nexport const handlers = { getPet };\n',
      "src/server.ts":
        'import type { PetsHandlers } from "pets-api/server";\nimport { getPet } from "./handlers/get-pet-history.ts";\n' +
        'import { getPet as second } from "./handlers/get-pet.ts";\n' +
        "export const all: PetsHandlers<unknown> = { getPet };\nexport const more: PetsHandlers<unknown> = { getPet: second };\n" +
        'export const one = all.getPet;\nexport const mine = { getPet: 1 }.getPet;\ntype One = PetsHandlers<unknown>["getPet"];\n',
      "src/other.ts": 'export const text = "getPet";\n',
    });
    expect(texts).toEqual({
      "src/handlers/fetch-pet.ts": `${head}export const fetchPet: PetsHandler<"fetchPet", unknown> = () => "";\n`,
      "src/handlers/fetch-pet.test.ts":
        'import { fetchPet } from "./fetch-pet.ts";\nvi.mock("./fetch-pet.ts");\ndescribe("getPet", () => fetchPet("", 1));\n',
      "src/handlers/__snapshots__/fetch-pet.test.ts.snap": "exports[`getPet 1`] = `1`;\n",
      "src/handlers/get-pet-history.ts": 'export * from "./fetch-pet.js";\n',
      "src/server.ts":
        'import type { PetsHandlers } from "pets-api/server";\nimport { fetchPet } from "./handlers/get-pet-history.ts";\n' +
        'import { fetchPet as second } from "./handlers/fetch-pet.ts";\n' +
        "export const all: PetsHandlers<unknown> = { fetchPet };\nexport const more: PetsHandlers<unknown> = { fetchPet: second };\n" +
        'export const one = all.fetchPet;\nexport const mine = { getPet: 1 }.getPet;\ntype One = PetsHandlers<unknown>["fetchPet"];\n',
    });
  });
});

describe("nothing is renamed", () => {
  const handler = `${head}export const getPet: PetsHandler<"getPet", unknown> = () => "";\n`;

  it.each([
    [
      "over a file that exists",
      { "src/handlers/get-pet.ts": handler, "src/handlers/fetch-pet.ts": "" },
      "exists already",
    ],
    [
      "where the handler is not exported",
      { "src/handlers/get-pet.ts": "export const other = 1;\n" },
      'exports no "getPet"',
    ],
    [
      "into a name that is taken",
      { "src/handlers/get-pet.ts": `${handler}function fetchPet() {}\n` },
      'something else that is called "fetchPet"',
    ],
    [
      "into a name that is taken where the handler is used",
      {
        "src/handlers/get-pet.ts": handler,
        "src/use.ts": 'import { getPet } from "./handlers/get-pet.ts";\nconst fetchPet = getPet;\n',
      },
      'something else that is called "fetchPet"',
    ],
  ])("%s", (_where, files, sentence) => {
    const { changes, conflicts } = planned(files);
    expect(changes).toEqual([]);
    expect(conflicts.join("\n")).toContain(sentence);
  });
});
