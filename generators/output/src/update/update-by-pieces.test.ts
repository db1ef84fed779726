import type { ApiModel, ArtefactUpdate, PiecedFile } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { objectLiteral, operationTable } from "../code/literals.ts";
import { namedType } from "../code/type-code.ts";
import { importType } from "../print/import-symbol.ts";
import { createSourceFile } from "../print/source-file.ts";
import { updateByPieces } from "./update-by-pieces.ts";

type Calls = Readonly<Record<string, string>>;

/** Returns a file with text about some operations in three places; those that are spelled with a `!` add an import. */
function fileOf(calls: Calls, { title = "Calls", hasUnmarked = false } = {}): PiecedFile {
  const file = createSourceFile({ path: "calls.ts", document: "a.json", declares: ["calls", "Table"] });
  for (const [operation, text] of Object.entries(calls)) {
    const used = text.endsWith("!") ? [file.use(importType("lib", "Loud"))] : [];
    const type = { code: `"${text}"${used.map((name) => ` | ${name}`).join("")}`, form: "keyword" } as const;
    file.add({ kind: "type", name: `T_${operation}`, comment: { prose: [], tags: [] }, type }, operation);
  }
  const comment = { prose: [title], tags: [] };
  const properties = Object.keys(calls).map((operation) => ({
    operation,
    name: operation,
    type: namedType("string"),
  }));
  file.add({ kind: "interface", name: "Table", comment, properties });
  const members = Object.entries(calls).map(([operation, text]) => ({
    operation,
    name: operation,
    value: objectLiteral([["text", `"${text}"`]]),
  }));
  file.add({
    kind: "constant",
    name: "calls",
    isExported: true,
    comment,
    type: "Table",
    value: operationTable(members),
  });
  const unmarked = hasUnmarked ? Object.values(calls).join(" ") : "";
  if (unmarked !== "") file.add({ kind: "text", text: `export const all = "${unmarked}";` });
  return file.print();
}

const models = { before: {} as ApiModel, after: {} as ApiModel };

function updated(whole: PiecedFile, before: PiecedFile, after: PiecedFile): ArtefactUpdate {
  const change = { ...models, packageName: "a", files: new Map([[whole.path, whole]]) };
  return updateByPieces(change, (model) => [model === models.before ? before : after]);
}

describe("files of which some operations change", () => {
  const all = { first: "one", second: "two", third: "three" };

  it("are what they are when they are written whole, and know their pieces", () => {
    const update = updated(fileOf(all), fileOf({ second: "two" }), fileOf({ second: "quite another" }));
    expect(update).toEqual({ files: [fileOf({ ...all, second: "quite another" })] });
  });

  it("may need what the file imports already, and nothing else", () => {
    const after = fileOf({ second: "more!" });
    const loud = { ...all, third: "three!" };
    expect(updated(fileOf(loud), fileOf({ second: "two" }), after)).toEqual({
      files: [fileOf({ ...loud, second: "more!" })],
    });
    expect(updated(fileOf(all), fileOf({ second: "two" }), after)).toHaveProperty("doubt");
    expect(
      updated(fileOf({ ...all, second: "two!" }), fileOf({ second: "two!" }), fileOf({ second: "2" })),
    ).toHaveProperty("doubt");
  });

  it.each([
    ["an operation comes out otherwise than it stands there", fileOf({ second: "too" }), fileOf({ second: "new" })],
    ["an operation is not there", fileOf({ fourth: "two" }), fileOf({ fourth: "new" })],
    ["what stands around changes", fileOf({ second: "two" }), fileOf({ second: "two" }, { title: "Other" })],
    [
      "something that is no piece changes",
      fileOf({ second: "two" }, { hasUnmarked: true }),
      fileOf({ second: "new" }, { hasUnmarked: true }),
    ],
    ["another operation is there", fileOf({ second: "two" }), fileOf({ third: "three" })],
  ])("are in doubt where %s", (_what, before, after) => {
    expect(updated(fileOf(all), before, after)).toHaveProperty("doubt");
  });
});
