import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { petsGraphql } from "../support/pets-documents.ts";
import { createPetsProject, type PetsProject } from "../support/pets-project.ts";
import { root } from "../support/workspace.ts";

// Each test runs several processes, beside those of other tests.
vi.setConfig({ testTimeout: 120_000 });

let project: PetsProject;

beforeEach(() => {
  project = createPetsProject("schema.graphql", petsGraphql, { package: "pets-api" });
});

afterEach(() => project.remove());

interface PackageFile {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const runtime = JSON.parse(readFileSync(join(root, "packages/runtime/package.json"), "utf8")) as PackageFile;

describe("the package.json of a generated package", () => {
  it("is written where there is none, with everything that generated files run on", () => {
    const lines = project.generate();
    expect(lines).toContain("new     pets-api/package.json");
    expect(lines.at(-1)).toBe(
      "Handlers import pets-api, which is not installed where they stand: npm install ./pets-api",
    );
    expect(JSON.parse(project.read("pets-api/package.json"))).toEqual({
      name: "pets-api",
      version: "0.0.0",
      private: true,
      type: "module",
      exports: { "./*": "./src/gen/*.ts" },
      dependencies: {
        "@nodewright/runtime": `^${runtime.version}`,
        ...runtime.peerDependencies,
      },
      // Only who plays the suite needs its runner.
      peerDependencies: { "@nodewright/conformance": `^${runtime.version}` },
      peerDependenciesMeta: { "@nodewright/conformance": { optional: true } },
      devDependencies: { "@nodewright/conformance": `^${runtime.version}` },
    });
  });

  it("is people's from then on: changed, it stays; deleted, it is not written again", () => {
    project.generate();
    project.write("pets-api/package.json", '{ "name": "mine" }\n');
    project.generate("--force");
    expect(project.read("pets-api/package.json")).toBe('{ "name": "mine" }\n');
    project.delete("pets-api/package.json");
    project.generate("--force");
    expect(project.has("pets-api/package.json")).toBe(false);
  });

  it("is told what it lacks when it was there before", () => {
    project.write("pets-api/package.json", '{ "name": "pets-api", "dependencies": { "graphql": "16" } }\n');
    project.write("package.json", '{ "name": "app", "type": "commonjs" }\n');
    const { advice } = JSON.parse(project.nodewright("gen", "--json").stdout) as { readonly advice: readonly string[] };
    expect(advice).toEqual([
      expect.stringMatching(
        /^pets-api\/package\.json lacks what generated files import: "dependencies": \{ "@nodewright\/conformance": /,
      ),
      'pets-api/package.json does not say where handlers find the server: "exports": {"./*":"./src/gen/*.ts"}.',
      "Handlers import pets-api, which is not installed where they stand: npm install ./pets-api",
      expect.stringMatching(/^Handlers are ECMAScript modules: npm pkg set type=module, for /),
    ]);
    expect(advice[0]).not.toContain('"graphql":');
  });
});
