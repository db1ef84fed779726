import { describe, expect, it } from "vitest";
import { findSyntaxProblem, locateMember } from "./locate-member.ts";

function valueAt(text: string, ...path: readonly (string | number)[]): string {
  const { value } = locateMember(text, path);
  return text.slice(value.start, value.end);
}

describe("locateMember", () => {
  it.each([
    ['export default { documents: [{ source: "a" }] };', '"a"'],
    ['export default defineConfig({ documents: [{ source: "b" }] } satisfies Config);', '"b"'],
    ['const documents = [{ "source": "c" } as const];\nexport default defineConfig({ documents });', '"c"'],
    ['const common = { source: "d" };\nconst config = { documents: [{ ...common }] };\nexport default config;', '"d"'],
    ['export default { documents: [{ source: "e", ...{ source: "f" } }] };', '"f"'],
    ["const a = b;\nconst b = a;\nexport default { documents: [{ source: a }] };", "b"],
  ])("finds the value in %j", (text, expected) => {
    expect(valueAt(text, "documents", 0, "source")).toBe(expected);
  });

  it("gives the nearest value that the text shows", () => {
    expect(valueAt('export default { documents: [{ source: "a" }] };', "documents", 0, "package")).toBe(
      '{ source: "a" }',
    );
    expect(valueAt("export default { documents: [...others, {}] };", "documents", 1)).toBe("[...others, {}]");
    expect(valueAt("export const other = 1;", "documents")).toBe("export const other = 1;");
  });

  it("finds the key as well", () => {
    const text = 'export default { "a b": 1 };';
    const { key } = locateMember(text, ["a b"]);
    expect(text.slice(key.start, key.end)).toBe('"a b"');
  });
});

describe("findSyntaxProblem", () => {
  it("says where a module is no TypeScript", () => {
    expect(findSyntaxProblem("export default {\n  a: [1,\n};\n")).toMatchObject({
      start: 26,
      message: expect.any(String),
    });
    expect(findSyntaxProblem("export default {};\n")).toBeUndefined();
  });
});
