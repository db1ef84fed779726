import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommandLineProject } from "../support/command-line-project.ts";

let project: ReturnType<typeof createCommandLineProject>;

beforeEach(() => {
  project = createCommandLineProject();
});

afterEach(() => project.remove());

const pets = `openapi: 3.1.0
info: { title: Pets, version: "1" }
servers: [{ url: / }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      description: |
        The first line of a description.

        Another one, with an ä and an ı.
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: A pet.
          content: { application/json: { schema: { $ref: "schemas.yaml#/Pet" } } }
`;

const schemas = `Pet:
  type: object
  description: |
    A pet
    of somebody.
  required: [name]
  properties: { name: { type: string }, Ärger: { type: integer }, İstanbul: { type: boolean }, zebra: { type: number } }
`;

const graphql = `"""
A schema
over lines.
"""
type Query { b: Int a(first: Int = 3): [String!]! }
`;

const operations = {
  "z.graphql": "query Zed { a }\n",
  "a.graphql": "query Alpha { b }\n",
  "B.graphql": "query Beta { a(first: 1) }\n",
};

const petsDocument = {
  source: "specs/pets.yaml",
  package: "pets",
  handlers: { directory: "handlers", context: "../c.ts#C" },
};
const graphDocument = { package: "graph", source: "specs/schema.graphql", operationDocuments: "specs/operations" };

function writeInputs(below: string, lineBreak: string, names: readonly string[]): void {
  const write = (path: string, text: string): void =>
    project.write(join(below, path), text.replaceAll("\n", lineBreak));
  write("specs/pets.yaml", pets);
  write("specs/schemas.yaml", schemas);
  write("specs/schema.graphql", graphql);
  for (const name of names) write(`specs/operations/${name}`, operations[name as keyof typeof operations]);
}

function configure(below: string, documents: readonly object[]): void {
  project.write(join(below, "nodewright.config.ts"), `export default ${JSON.stringify({ documents })};\n`);
}

function generate(below: string, environment: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const result = project.nodewrightWith({ directory: join(project.directory, below), environment }, "gen");
  expect(result.stderr).toBe("");
  expect(result.status).toBe(0);
  return new Map([...project.tree(below)].filter(([path]) => !/^specs|config\.ts$/.test(path)));
}

describe("generated files", () => {
  it("are the same in any directory, locale and time zone, for any order of files and of documents", {
    timeout: 60_000,
  }, () => {
    const names = Object.keys(operations);
    writeInputs("here", "\n", names);
    configure("here", [petsDocument, graphDocument]);
    const first = generate("here", { TZ: "UTC", LC_ALL: "C" });
    expect(first.size).toBeGreaterThan(12);

    writeInputs("some/where else/ü", "\n", names.toReversed());
    const reversed = Object.fromEntries(Object.entries(petsDocument).toReversed());
    configure("some/where else/ü", [graphDocument, reversed]);
    const second = generate("some/where else/ü", {
      TZ: "Pacific/Kiritimati",
      LC_ALL: "tr_TR.UTF-8",
      LANG: "tr_TR.UTF-8",
    });
    expect([...second]).toEqual([...first]);
  });

  it("are the same when documents have the line ends of Windows, and so is the record of what was read", {
    timeout: 60_000,
  }, () => {
    writeInputs("unix", "\n", Object.keys(operations));
    configure("unix", [petsDocument, graphDocument]);
    const first = generate("unix");
    writeInputs("windows", "\r\n", Object.keys(operations));
    configure("windows", [petsDocument, graphDocument]);
    expect([...generate("windows")]).toEqual([...first]);
  });

  it("are fresh in a checkout that changed their line ends", { timeout: 60_000 }, () => {
    writeInputs("unix", "\n", Object.keys(operations));
    configure("unix", [petsDocument]);
    const written = generate("unix");
    mkdirSync(join(project.directory, "windows"));
    cpSync(join(project.directory, "unix"), join(project.directory, "windows"), { recursive: true });
    for (const [path, text] of written) project.write(join("windows", path), text.replaceAll("\n", "\r\n"));
    writeInputs("windows", "\r\n", []);
    const directory = join(project.directory, "windows");
    expect(project.nodewrightWith({ directory }, "gen").stdout).toContain("1 document, nothing to do.");
    expect(project.nodewrightWith({ directory }, "check").status).toBe(0);
  });
});
