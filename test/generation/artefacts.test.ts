import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPetsProject } from "../support/pets-project.ts";
import { root } from "../support/workspace.ts";
import { copyWorkspace, type WorkspaceCopy } from "../support/workspace-copy.ts";

let copy: WorkspaceCopy;

beforeAll(() => {
  copy = copyWorkspace();
});

afterAll(() => copy.remove());

describe("artefacts of the configuration", () => {
  it.each([
    [["types"], ["manifest.json", "types.ts"]],
    [
      ["types", "validators"],
      ["manifest.json", "types.ts", "validators.ts", "codecs.ts"],
    ],
    [["client"], ["calls.ts", "client.ts", "operations.ts", "manifest.json", "types.ts", "validators.ts", "codecs.ts"]],
  ])("%j gives what they need and no more, and it compiles", { timeout: 60_000 }, (artefacts, files) => {
    const text = readFileSync(join(root, "specs/index/openapi.yaml"), "utf8");
    const project = createPetsProject("openapi.yaml", text, { artefacts, handlers: undefined });
    try {
      project.generate();
      expect(project.list("src/gen")).toEqual(files.toSorted());
      expect(project.typecheck()).toEqual([]);
    } finally {
      project.remove();
    }
  });

  it("are written again when a template has changed", { timeout: 60_000 }, () => {
    const document = { source: "specs/index/openapi.yaml", package: "packages/index-api", artefacts: ["validators"] };
    writeFileSync(
      join(copy.directory, "types.config.ts"),
      `export default { documents: [${JSON.stringify(document)}] };\n`,
    );
    copy.nodewright("gen", "--config", "types.config.ts");
    const template = join(copy.directory, "templates/validator-helpers.hbs");
    writeFileSync(
      template,
      readFileSync(template, "utf8").replace("Returns whether a value is a JSON object.", "An object."),
    );
    const { stdout } = copy.nodewright("gen", "--config", "types.config.ts");
    expect(stdout).toContain("changed packages/index-api/src/gen/validators.ts");
  });

  it("are refused by name when there is no such thing", () => {
    writeFileSync(
      join(copy.directory, "wrong.config.ts"),
      'export default { documents: [{ source: "a", package: "b", artefacts: ["docs"], colour: 1 }] };\n',
    );
    const { status, stderr } = copy.nodewright("gen", "--config", "wrong.config.ts");
    expect(status).toBe(1);
    expect(stderr).toContain('"docs" is not an artefact.');
    expect(stderr).toContain("There are types, validators, client, server, conformance.");
    expect(stderr).toContain('"colour" has no meaning here.');
  });
});
