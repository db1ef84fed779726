import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readTriedModel } from "../real-documents/read-tried-model.ts";
import { sampleValue } from "../real-documents/sample-value.ts";
import { realDocument } from "../support/documents.ts";
import { canInstall, type InstalledToolkit, installToolkit } from "../support/installed-toolkit.ts";
import { petsGraphql, petsOpenapi, petsOpenrpc } from "../support/pets-documents.ts";
import { variedValues } from "../support/varied-values.ts";
import { root } from "../support/workspace.ts";
import { namedTypes } from "./named-types.ts";

const isInstallable = canInstall();
let toolkit: InstalledToolkit;

beforeAll(() => {
  if (isInstallable)
    toolkit = installToolkit(
      "typescript@7.0.2",
      "@types/node@24",
      "fastify@5",
      "graphql@16",
      "graphql-jit@0.8",
      "zod@4",
    );
}, 600_000);

beforeEach(() => toolkit?.empty());

afterAll(() => toolkit?.remove());

const compilerOptions = {
  target: "es2024",
  lib: ["es2024", "esnext.iterator"],
  types: ["node"],
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Makes a folder of the installed toolkit a project with this configuration and these files. */
function project(documents: readonly object[], files: Readonly<Record<string, string>>): void {
  toolkit.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src", "*-api"] }));
  toolkit.write(
    "nodewright.config.ts",
    `import { defineConfig } from "nodewright";\nexport default defineConfig(${JSON.stringify({ documents })});\n`,
  );
  for (const [path, text] of Object.entries(files)) toolkit.write(path, text);
}

const asking = `import fastify from "fastify";
import { createPetsRoutes } from "pets-api/server";
import { handlers } from "./handlers/index.ts";

const app = fastify();
await app.register(createPetsRoutes({ handlers, context: () => ({ names: new Map([["7", "Rex"]]) }) }));
const answers = [];
for (const url of ["/pets/7", "/pets"]) answers.push((await app.inject(url)).statusCode);
console.log(JSON.stringify(answers));
`;

const getPet = `import type { PetsHandler } from "pets-api/server";
import type { Context } from "../context.ts";

export const getPet: PetsHandler<"getPet", Context> = ({ petId }, { names }) => ({ id: petId, name: names.get(petId) ?? "" });
`;

describe.skipIf(!isInstallable)("the installed toolkit", () => {
  it("generates from a document of each language in an empty folder, and what it gives compiles and runs", {
    timeout: 300_000,
  }, () => {
    const handlers = (directory: string): object => ({ directory, context: "../context.ts#Context" });
    project(
      [
        { source: "pets.yaml", package: "pets-api", handlers: handlers("src/handlers") },
        { source: "calls.yaml", package: "calls-api", handlers: handlers("src/methods") },
        { source: "graph.graphql", package: "graph-api", handlers: handlers("src/resolvers") },
      ],
      {
        "pets.yaml": petsOpenapi,
        "calls.yaml": petsOpenrpc,
        "graph.graphql": petsGraphql,
        "src/context.ts": "export interface Context {\n  readonly names: ReadonlyMap<string, string>;\n}\n",
      },
    );
    const said = toolkit.run("npx", "nodewright", "gen");
    expect(said).toContain("new     pets-api/package.json");
    expect(said).toContain("npm install ./pets-api");
    toolkit.run("npm", "install", "--no-audit", "--no-fund", "./pets-api", "./calls-api", "./graph-api");
    toolkit.write("src/handlers/get-pet.ts", getPet);
    toolkit.write("src/ask.ts", asking);
    expect(toolkit.run("npx", "nodewright", "gen")).toContain("3 documents, nothing to do.");
    expect(toolkit.run("npx", "nodewright", "check")).toContain("all generated files are fresh");
    expect(toolkit.run("npx", "tsc", "--project", ".")).toBe("");
    expect(JSON.parse(toolkit.run("node", "src/ask.ts"))).toEqual([200, 501]);
  });

  it("writes a package.json once: it is left alone, and not written again when it was deleted", {
    timeout: 60_000,
  }, () => {
    project([{ source: "pets.yaml", package: "once-api", artefacts: ["types"] }], { "pets.yaml": petsOpenapi });
    toolkit.run("npx", "nodewright", "gen");
    const text = `${JSON.stringify({ name: "once-api", private: true })}\n`;
    toolkit.write("once-api/package.json", text);
    toolkit.run("npx", "nodewright", "gen", "--force");
    expect(toolkit.read("once-api/package.json")).toBe(text);
    toolkit.run("rm", "once-api/package.json");
    toolkit.run("npx", "nodewright", "gen", "--force");
    expect(toolkit.has("once-api/package.json")).toBe(false);
  });
});

/** Feeds every validator and the schema of the same type the same values; prints how many and where they differ. */
const comparing = `import { readFileSync } from "node:fs";

const [validators, schemas] = [await import(process.argv[2] + "/validators.ts"), await import(process.argv[2] + "/zod.ts")];
const samples = JSON.parse(readFileSync("samples.json", "utf8"));
const result = { types: 0, accepted: 0, refused: 0, differences: [] };
for (const [name, values] of Object.entries(samples)) {
  const [isValid, schema] = [validators["is" + name], schemas[name + "Schema"]];
  if (isValid === undefined || schema === undefined) throw new Error(name + " has no validator or no schema");
  result.types += 1;
  for (const value of values) {
    const verdict = isValid(value);
    result[verdict ? "accepted" : "refused"] += 1;
    if (verdict !== schema.safeParse(value).success) result.differences.push([name, verdict, value]);
  }
}
console.log(JSON.stringify(result));
`;

describe.skipIf(!isInstallable)("the zod emitter of the examples", () => {
  const example = join(root, "examples/zod-emitter");

  it.each([
    ["its petstore", join(example, "petstore.yaml")],
    ["the index interface", join(root, "specs/index/openapi.yaml")],
    ["Bitcoin's JSON-RPC interface", join(root, "specs/bitcoin/openrpc.yaml")],
  ])(
    "gives schemas of %s that compile, and accept and refuse what our validators do",
    { timeout: 120_000 },
    async (_what, document) => {
      toolkit.copy(join(example, "emitters"), "emitters");
      toolkit.copy(document, "document.yaml");
      toolkit.copy(join(example, "nodewright.config.ts"), "nodewright.config.ts");
      toolkit.write(
        "nodewright.config.ts",
        toolkit
          .read("nodewright.config.ts")
          .replace("petstore.yaml", "document.yaml")
          .replace("petstore-api", "zod-api"),
      );
      toolkit.write(
        "tsconfig.json",
        JSON.stringify({ compilerOptions, include: ["zod-api", "emitters", "nodewright.config.ts"] }),
      );
      toolkit.run("npx", "nodewright", "gen");
      expect(toolkit.run("npx", "tsc", "--project", ".")).toBe("");

      const model = await readTriedModel(document, readFileSync(document, "utf8"));
      const samples = [...namedTypes(model)].map(([name, type]) => [name, variedValues(sampleValue(type, model))]);
      toolkit.write("samples.json", JSON.stringify(Object.fromEntries(samples)));
      toolkit.write("compare.ts", comparing);
      const result = JSON.parse(toolkit.run("node", "compare.ts", join(toolkit.directory, "zod-api/src/gen"))) as {
        readonly types: number;
        readonly accepted: number;
        readonly refused: number;
        readonly differences: readonly unknown[];
      };
      expect(result.differences.slice(0, 5)).toEqual([]);
      expect(result.types).toBe(samples.length);
      expect(result.accepted).toBeGreaterThan(result.types);
      expect(result.refused).toBeGreaterThan(result.types);
    },
  );
});

describe.skipIf(!isInstallable)("the zod emitter of the examples, on GraphQL", () => {
  it("gives schemas of inputs, scalars and results, which compile", { timeout: 120_000 }, () => {
    toolkit.copy(join(root, "examples/zod-emitter/emitters"), "emitters");
    toolkit.copy(join(root, "specs/ethereum"), "ethereum");
    toolkit.write(
      "nodewright.config.ts",
      `import { defineConfig } from "nodewright";
import { zodEmitter } from "./emitters/zod-emitter.ts";
const document = { source: "ethereum/schema.graphql", operationDocuments: "ethereum/operations", package: "zod-api" };
export default defineConfig({ documents: [{ ...document, emitters: [zodEmitter] }] });
`,
    );
    toolkit.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["zod-api"] }));
    toolkit.run("npx", "nodewright", "gen");
    expect(toolkit.run("npx", "tsc", "--project", ".")).toBe("");
    const schemas = toolkit.read("zod-api/src/gen/zod.ts");
    for (const name of ["LongSchema", "FilterCriteriaSchema", "BlockInputSchema"])
      expect(schemas).toContain(`export const ${name}`);
  });
});

describe.skipIf(!isInstallable)("Stripe's document", () => {
  it("becomes a running, typechecked server with one handler, which no edit of the document touches", {
    timeout: 600_000,
  }, async (context) => {
    const document = await realDocument("stripe.json");
    if ("missing" in document) {
      console.warn(document.missing);
      return context.skip();
    }
    const said = toolkit.run("node", join(root, "examples/stripe-server/demonstrate.ts"), ".", document.path);
    expect(said).toContain("# The handler is what it was, and everything runs.");
  });
});
