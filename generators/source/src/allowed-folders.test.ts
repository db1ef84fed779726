import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createDiagnosticSink } from "./diagnostic.ts";
import { createDocumentSet } from "./document-set.ts";

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

function project(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-folders-"));
  directories.push(directory);
  for (const [name, text] of Object.entries({ "secret.yaml": "password: hunter2\n", ...files })) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

/** Resolves a reference of `specs/api.yaml`; returns its target and the diagnostics. */
function follow(directory: string, reference: string, allowed: readonly string[] = [], file = "specs/api.yaml") {
  writeFileSync(join(directory, file), `start: { $ref: ${JSON.stringify(reference)} }\n`);
  const sink = createDiagnosticSink();
  const documents = createDocumentSet(directory, sink, allowed);
  const start = documents.read(file)?.root.member("start");
  return { value: start && documents.resolve(start)?.value, diagnostics: sink.diagnostics, documents };
}

describe("references of a document", () => {
  it("lead to files below its folder", () => {
    const directory = project({ "specs/parts/pet.yaml": "found: true\n" });
    const { value, diagnostics } = follow(directory, "parts/../parts/pet.yaml");
    expect([value, diagnostics]).toEqual([{ found: true }, []]);
  });

  it.each(["../secret.yaml", "..%2fsecret.yaml", "%2e%2e/secret.yaml", "parts/../../secret.yaml", "../missing.yaml"])(
    "do not lead out of it: %s",
    (reference) => {
      const { value, diagnostics, documents } = follow(project({ "specs/parts/pet.yaml": "" }), reference);
      const file = reference.endsWith("missing.yaml") ? "missing.yaml" : "secret.yaml";
      expect(value).toBeUndefined();
      expect(diagnostics).toMatchObject([
        {
          code: "source/outside-reference",
          message: `${file} is outside of the document's folder, at ${file}, and was not read.`,
          source: { file: "specs/api.yaml", line: 1 },
        },
      ]);
      expect([...documents.files.keys()]).toEqual(["specs/api.yaml"]);
    },
  );

  it.each([
    ["file:../secret.yaml", "source/remote-reference"],
    ["file:///etc/hostname", "source/remote-reference"],
    ["//host/secret.yaml", "source/remote-reference"],
    // On POSIX systems a backslash is an ordinary character of a name.
    ["..\\secret.yaml", "source/file-not-found"],
    ["/etc/hostname", "source/outside-reference"],
    ["%2fetc/hostname", "source/outside-reference"],
  ])("are no other address: %s", (reference, code) => {
    const { value, diagnostics } = follow(project({ "specs/pet.yaml": "" }), reference);
    expect([value, diagnostics.map((each) => each.code)]).toEqual([undefined, [code]]);
  });

  it("are read by an absolute path below it, and name the folder itself by a dot", () => {
    const directory = project({ "specs/pet.yaml": "found: true\n" });
    expect(follow(directory, join(directory, "specs/pet.yaml")).value).toEqual({ found: true });
    const [{ message = "" } = {}] = follow(directory, "../").diagnostics;
    expect(message).toBe("./ is outside of the document's folder, at ., and was not read.");
  });

  it("do not lead out of it through symbolic links to files or folders", () => {
    const directory = project({ "specs/pet.yaml": "", "private/key.yaml": "key: 1\n" });
    symlinkSync("../secret.yaml", join(directory, "specs/link.yaml"));
    symlinkSync("../private", join(directory, "specs/folder"));
    symlinkSync("../nothing.yaml", join(directory, "specs/dangling.yaml"));
    for (const reference of ["link.yaml", "folder/key.yaml", "folder/missing.yaml", "dangling.yaml"]) {
      const { value, diagnostics } = follow(directory, reference);
      expect([value, diagnostics.map(({ code }) => code)], reference).toEqual([
        undefined,
        ["source/outside-reference"],
      ]);
    }
    expect(follow(directory, "folder/key.yaml").diagnostics).toMatchObject([
      { hint: expect.stringContaining("--allow-ref private") as string },
    ]);
  });

  it("lead into allowed folders, of references in files there too", () => {
    const directory = project({
      "specs/pet.yaml": "",
      "common/a.yaml": "inner: { $ref: deep/b.yaml }\n",
      "common/deep/b.yaml": "$ref: ../c.yaml\n",
      "common/c.yaml": "found: true\n",
      "commonness/d.yaml": "found: true\n",
    });
    expect(follow(directory, "../common/a.yaml#/inner", ["common"]).value).toEqual({ found: true });
    expect(follow(directory, "../common/a.yaml#/inner", [join(directory, "common/")]).value).toEqual({ found: true });
    expect(follow(directory, "../commonness/d.yaml", ["common"]).value).toBeUndefined();
    expect(follow(directory, "../secret.yaml", ["common"]).value).toBeUndefined();
  });

  it("lead to files next to the document where its folder is a symbolic link", () => {
    const directory = project({ "real/pet.yaml": "found: true\n" });
    symlinkSync("real", join(directory, "specs"));
    expect(follow(directory, "pet.yaml").value).toEqual({ found: true });
    expect(follow(directory, "../secret.yaml").value).toBeUndefined();
  });

  it("start at the folder of the link where the document itself is one", () => {
    const directory = project({ "real/api.yaml": "", "specs/pet.yaml": "found: true\n", "real/other.yaml": "" });
    symlinkSync("../real/api.yaml", join(directory, "specs/api.yaml"));
    expect(follow(directory, "pet.yaml").value).toEqual({ found: true });
    expect(follow(directory, "../real/other.yaml").diagnostics).toMatchObject([{ code: "source/outside-reference" }]);
  });
});

it("files that are found in a folder do not lead out of it", () => {
  const directory = project({ "specs/schema.graphql": "type Query { a: Int }\n", "operations/a.graphql": "{ a }\n" });
  symlinkSync("../secret.yaml", join(directory, "operations/b.graphql"));
  symlinkSync("a.graphql", join(directory, "operations/c.graphql"));
  const sink = createDiagnosticSink();
  const documents = createDocumentSet(directory, sink);
  const texts = ["specs/schema.graphql", "operations/a.graphql", "operations/b.graphql", "operations/c.graphql"].map(
    (file) => documents.readText(file)?.text.slice(0, 4),
  );
  expect(texts).toEqual(["type", "{ a ", undefined, "{ a "]);
  expect(sink.diagnostics).toMatchObject([
    { code: "source/outside-reference", source: { file: "operations/b.graphql" } },
  ]);
});
