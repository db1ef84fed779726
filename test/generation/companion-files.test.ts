import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommandLineProject } from "../support/command-line-project.ts";

let project: ReturnType<typeof createCommandLineProject>;

beforeEach(() => {
  project = createCommandLineProject();
  project.write("schema.graphql", "scalar Long\ntype Query { blocks(from: Long!, to: Long!): [Long!]! }\n");
  project.write(
    "operations/blocks.graphql",
    "query Blocks($from: Long!, $to: Long!) { blocks(from: $from, to: $to) }\n",
  );
  project.configure({ source: "schema.graphql", package: "api", operationDocuments: "operations" });
  expect(project.nodewright("gen").status).toBe(0);
});

afterEach(() => project.remove());

describe("a file next to an operation document", () => {
  it.each([
    ["operations/blocks.pages.yaml", "- { from: from, to: to, items: blocks }\n", "client.ts", "RangePagesCall"],
    [
      "operations/blocks.examples.yaml",
      "- { name: first, variables: { from: 0, to: 0 }, data: { blocks: [0] } }\n",
      "conformance.ts",
      'name: "first"',
    ],
  ])("%s, that is new, changed or gone, is noticed", (path, text, file, piece) => {
    const generated = () => project.read(`api/src/gen/${file}`);
    expect(generated()).not.toContain(piece);
    project.write(path, text);
    expect(project.nodewright("check").status).toBe(1);
    expect(project.nodewright("gen").stdout).toContain(`changed api/src/gen/${file}`);
    expect(generated()).toContain(piece);
    expect(project.nodewright("gen").stdout).toContain("nothing to do");
    project.write(path, "[]\n");
    expect(project.nodewright("gen").stdout).toContain(`changed api/src/gen/${file}`);
    expect(generated()).not.toContain(piece);
    rmSync(join(project.directory, path));
    expect(project.nodewright("gen").status).toBe(0);
    expect(project.nodewright("check").status).toBe(0);
  });
});
