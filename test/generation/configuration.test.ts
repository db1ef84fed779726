import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommandLineProject, smallOpenapi } from "../support/command-line-project.ts";

let project: ReturnType<typeof createCommandLineProject>;

beforeEach(() => {
  project = createCommandLineProject();
  project.write("small.yaml", smallOpenapi());
});

afterEach(() => project.remove());

/** What a run says of a configuration: place and message of each mistake, in order. */
function mistakes(text: string): readonly string[] {
  project.write("nodewright.config.ts", text);
  const { status, stdout } = project.nodewright("gen", "--json");
  expect(status).toBe(1);
  const { diagnostics, written } = JSON.parse(stdout) as {
    readonly diagnostics: readonly {
      readonly code: string;
      readonly message: string;
      readonly source: { readonly file: string; readonly line: number; readonly column: number };
    }[];
    readonly written: boolean;
  };
  expect(written).toBe(false);
  expect([...project.tree().keys()]).toEqual(["nodewright.config.ts", "small.yaml"]);
  return diagnostics.map(
    ({ code, message, source }) => `${source.file}:${source.line}:${source.column} ${code}: ${message}`,
  );
}

describe("a configuration", () => {
  it("is told every mistake in one run, each with its line and column", () => {
    const text = `import { defineConfig } from "nodewright";

const shared = { artefacts: ["types", "sever"] };
export default defineConfig({
  documents: [
    { source: "", package: 3, ...shared },
    {
      source: "small.yaml",
      packge: "a",
      scalars: { Long: { pattern: "(" } },
      operations: { getX: { name: "get x", skp: true } },
      formats: "asserted",
      skipUnsupported: "yes",
      output: "../outside",
      handlers: { directory: "handlers", context: "Context" },
      emitters: [{ emitter: { name: "mine" } }, 5],
    },
    "small.yaml",
  ],
  colour: "red",
});
`;
    expect(mistakes(text)).toEqual([
      'nodewright.config.ts:3:39 configuration/unknown-artefact: "sever" is not an artefact (did you mean "server"?).',
      'nodewright.config.ts:6:15 configuration/wrong-member: "documents[0].source" has to be a path, not an empty text.',
      'nodewright.config.ts:6:28 configuration/wrong-member: "documents[0].package" has to be a path, not 3.',
      'nodewright.config.ts:7:5 configuration/missing-member: documents[1] has no "package".',
      'nodewright.config.ts:9:7 configuration/unknown-member: "packge" has no meaning here (did you mean "package"?).',
      'nodewright.config.ts:10:35 configuration/wrong-member: "documents[1].scalars.Long.pattern" has to be a regular expression, as text, not "(".',
      'nodewright.config.ts:11:35 configuration/wrong-member: "documents[1].operations.getX.name" has to be a name that code can have, not "get x".',
      'nodewright.config.ts:11:44 configuration/unknown-member: "skp" has no meaning here (did you mean "skip"?).',
      'nodewright.config.ts:12:16 configuration/wrong-member: "documents[1].formats" has to be "annotate", "assert" or a list of formats, not "asserted".',
      'nodewright.config.ts:13:24 configuration/wrong-member: "documents[1].skipUnsupported" has to be true or false, not "yes".',
      'nodewright.config.ts:14:15 configuration/wrong-member: "documents[1].output" has to be a path inside of the package, not "../outside".',
      'nodewright.config.ts:15:51 configuration/wrong-member: "documents[1].handlers.context" has to be "module#TypeName", not "Context".',
      "nodewright.config.ts:16:29 configuration/wrong-emitter: An emitter has a function emit.",
      'nodewright.config.ts:16:49 configuration/wrong-member: "documents[1].emitters[1]" has to be an emitter, or an object with emitter and options, not 5.',
      'nodewright.config.ts:18:5 configuration/wrong-member: "documents[2]" has to be an object with source and package, not "small.yaml".',
      'nodewright.config.ts:20:3 configuration/unknown-member: "colour" has no meaning here.',
    ]);
  });

  it.each([
    [
      "no TypeScript",
      "export default {\n  documents: [,\n};\n",
      /:3:1 configuration\/syntax: This is not valid TypeScript: /,
    ],
    [
      "code that throws",
      "const nothing = undefined;\nexport default {\n  documents: nothing.list,\n};\n",
      /:3:22 configuration\/failed: The configuration could not be run: Cannot read properties of undefined/,
    ],
    [
      "an import of what is not there",
      'import { a } from "./elsewhere.ts";\nexport default a;\n',
      /:1:22 configuration\/failed: The configuration could not be run: Cannot find module/,
    ],
    ["no default export", "export const config = {};\n", /:1:1 configuration\/no-configuration: /],
    [
      "a list that is none",
      "export default { documents: 3 };\n",
      /:1:29 configuration\/wrong-member: "documents" has to be a list/,
    ],
    [
      "a list of nothing",
      "export default { documents: [] };\n",
      /:1:29 configuration\/wrong-member: "documents" has to be a list of at least one document, not an empty list/,
    ],
  ])("is told where it is wrong when it is %s", (_what, text, expected) => {
    const [mistake, ...others] = mistakes(text);
    expect(mistake).toMatch(expected);
    expect(others).toEqual([]);
  });

  it("shows the line, and never a stack", () => {
    project.write(
      "nodewright.config.ts",
      'export default {\n  documents: [{ source: "small.yaml", pakage: "a" }],\n};\n',
    );
    const { stderr } = project.nodewright("gen");
    expect(stderr).toBe(`error configuration/missing-member: documents[0] has no "package".
  nodewright.config.ts:2:15
   1 | export default {
   2 |   documents: [{ source: "small.yaml", pakage: "a" }],
     |               ^
  It has to be the directory of the generated package.

error configuration/unknown-member: "pakage" has no meaning here (did you mean "package"?).
  nodewright.config.ts:2:39
   1 | export default {
   2 |   documents: [{ source: "small.yaml", pakage: "a" }],
     |                                       ^
  There are source, referenceFolders, package, output, name, artefacts, operationDocuments, operations, declarations, formats, skipUnsupported, scalars, handlers, emitters.

2 errors, 0 warnings.

Nothing was written.
`);
  });

  it("refuses documents that would write into one directory, or over what they are made from", () => {
    const handlers = { directory: "handlers", context: "../c.ts#C" };
    project.configure(
      { source: "small.yaml", package: "a", handlers },
      { source: "small.yaml", package: "./a/", handlers: { ...handlers, directory: "handlers/" } },
      { source: "small.yaml", package: "a", output: "src/gen/deep" },
      { source: "b/src/gen/small.yaml", package: "b", handlers: { ...handlers, directory: "b/src/gen/handlers" } },
      { source: "small.yaml", package: "a", output: "src/other" },
    );
    const { status, stderr } = project.nodewright("gen");
    expect(status).toBe(1);
    expect(stderr.split("\n").filter((line) => line.startsWith("error"))).toEqual([
      'error configuration/shared-directory: "./a/" is written by documents[0] too.',
      'error configuration/shared-directory: "handlers/" is written by documents[0] too.',
      'error configuration/shared-directory: "a" is written by documents[0] too.',
      'error configuration/input-in-output: "b/src/gen/small.yaml" lies in "b/src/gen", where everything belongs to the generator.',
      'error configuration/input-in-output: "b/src/gen/handlers" lies in "b/src/gen", where everything belongs to the generator.',
    ]);
    expect(existsSync(join(project.directory, "a"))).toBe(false);
  });

  it("names choices about operations and schemas that the document does not have, with the nearest", () => {
    const text = `export default {
  documents: [{
    source: "small.yaml",
    package: "a",
    operations: { getx: { skip: true }, "GET /x": {}, getX: {} },
    declarations: { Pett: "Pet" },
  }],
};
`;
    expect(mistakes(text).filter((mistake) => mistake.includes("configuration/"))).toEqual([
      'nodewright.config.ts:5:19 configuration/unknown-operation: small.yaml has no operation "getx" (did you mean "getX"?).',
      'nodewright.config.ts:6:21 configuration/unknown-declaration: small.yaml has no schema "Pett".',
    ]);
  });

  it("runs as an ECMAScript module in a package of CommonJS modules, where nodewright is not installed", () => {
    project.write("package.json", '{ "type": "commonjs" }');
    project.write(
      "nodewright.config.ts",
      `import { defineConfig, type NodewrightConfig } from "nodewright";
import { packageName } from "./names.ts";
export default defineConfig({ documents: [{ source: "small.yaml", package: packageName }] } satisfies NodewrightConfig);
`,
    );
    project.write("names.ts", 'export const packageName: string = "a";\n');
    const { status, stderr } = project.nodewright("gen");
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(project.read("a/src/gen/types.ts")).toContain("GetXOutput");
  });

  it("may choose another directory in the package, and another name for the API", () => {
    project.configure({
      source: "./small.yaml",
      package: "a",
      output: "lib/pets",
      name: "pet-shop",
      artefacts: ["client"],
    });
    expect(project.nodewright("gen").status).toBe(0);
    expect(project.read("a/lib/pets/client.ts")).toContain("createPetShopClient");
    expect(project.read("a/lib/pets/client.ts")).toContain("@generated by nodewright from small.yaml.");
    expect(project.nodewright("check").status).toBe(0);
  });
});

describe("an emitter of the configuration", () => {
  const emitter = (path: string, version = "1"): string => `const mine = {
  apiVersion: 2,
  name: "mine",
  version: "${version}",
  emit: ({ model }) => ({ files: [{ path: ${JSON.stringify(path)}, text: "// " + model.title + "\\n" }] }),
};
export default {
  documents: [{ source: "small.yaml", package: "a", artefacts: ["types"], emitters: [mine] }],
};
`;

  it("writes next to the toolkit, and again when its code changes", () => {
    project.write("nodewright.config.ts", emitter("deep/mine.md"));
    expect(project.nodewright("gen").status).toBe(0);
    expect(project.read("a/src/gen/deep/mine.md")).toBe("// Small\n");
    expect(project.nodewright("gen").stdout).toContain("nothing to do");
    project.write("nodewright.config.ts", emitter("deep/mine.md").replace('"// "', '"# "'));
    expect(project.nodewright("gen").stdout).toContain("changed a/src/gen/deep/mine.md");
    project.write("nodewright.config.ts", emitter("yours.md"));
    expect(project.nodewright("gen").stdout).toContain("removed a/src/gen/deep/mine.md");
    expect(existsSync(join(project.directory, "a/src/gen/deep"))).toBe(false);
  });

  it("that fails, or is made for another version of the interface, is named without a stack", () => {
    project.write("nodewright.config.ts", emitter("a.md").replace("model.title", "model.nothing.title"));
    const failed = project.nodewright("gen");
    expect(failed.stderr).toBe("The emitter mine failed: Cannot read properties of undefined (reading 'title')\n");
    expect(failed.status).toBe(1);
    expect(project.nodewright("gen", "--verbose").stderr).toContain("    at ");
    expect(mistakes(emitter("a.md").replace("apiVersion: 2", "apiVersion: 9"))).toEqual([
      expect.stringContaining("is made for version 9 of the interface; this nodewright calls version 2."),
    ]);
  });
});
