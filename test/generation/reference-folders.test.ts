import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommandLineProject } from "../support/command-line-project.ts";

let project: ReturnType<typeof createCommandLineProject>;

const referring = (reference: string): string => `openapi: 3.1.0
info: { title: Pets, version: "1" }
servers: [{ url: / }]
paths:
  /pet:
    get:
      operationId: getPet
      responses:
        "200": { description: A pet., content: { application/json: { schema: { $ref: "${reference}" } } } }
`;

beforeEach(() => {
  project = createCommandLineProject();
  for (const folder of ["specs", "common"]) mkdirSync(join(project.directory, folder));
  project.write("secret.yaml", "password hunter2\n");
  project.write("common/pet.yaml", "type: object\nproperties: { name: { type: string } }\n");
  project.write("specs/hostile.yaml", referring("../secret.yaml"));
  project.write("specs/pets.yaml", referring("../common/pet.yaml"));
});

afterEach(() => project.remove());

describe("a reference out of the document's folder", () => {
  it.each([
    ["gen", "specs/hostile.yaml", "--output", "a"],
    ["check", "specs/hostile.yaml", "--output", "a"],
    ["conform", "http://127.0.0.1:1", "--spec", "specs/hostile.yaml"],
  ])("is refused by %s, and nothing of the file is shown", (...words) => {
    const { status, stdout, stderr } = project.nodewright(...words);
    expect(status).not.toBe(0);
    expect(stderr).toContain("secret.yaml is outside of the document's folder");
    expect(stdout + stderr).not.toContain("hunter2");
  });

  it("names the way out, which works", () => {
    const refused = project.nodewright("gen", "specs/pets.yaml", "--output", "a");
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("--allow-ref common")]);
    const words = ["specs/pets.yaml", "--output", "a", "--allow-ref", "common"];
    expect(project.nodewright("gen", ...words)).toMatchObject({ status: 0, stderr: "" });
    expect(project.read("a/src/gen/types.ts")).toContain("name?: string");
    expect(project.nodewright("check", ...words).status).toBe(0);
  });

  it("is allowed for conform with --allow-ref", () => {
    const words = ["conform", "http://127.0.0.1:1", "--spec", "specs/pets.yaml", "--plan"];
    expect(project.nodewright(...words).stderr).toContain("outside of the document's folder");
    expect(project.nodewright(...words, "--allow-ref", "common").stderr).not.toContain("outside of the document's");
  });

  it("is allowed by the configuration, folder by folder", () => {
    const configure = (folders: string): void =>
      project.write(
        "nodewright.config.ts",
        `export default { documents: [{ source: "specs/pets.yaml", package: "a", referenceFolders: ${folders} }] };\n`,
      );
    configure('["common"]');
    expect(project.nodewright("gen")).toMatchObject({ status: 0, stderr: "" });
    configure('["other"]');
    expect(project.nodewright("gen", "--force").stderr).toContain("outside of the document's folder");
    configure('"common"');
    expect(project.nodewright("gen").status).toBe(1);
  });
});
