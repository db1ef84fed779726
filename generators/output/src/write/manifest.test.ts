import { describe, expect, it } from "vitest";
import { type Manifest, parseManifest, serializeManifest } from "./manifest.ts";

function manifestOf(operations: readonly string[], present: readonly string[]): Manifest {
  return {
    document: "a.yaml",
    inputs: {},
    generator: "1",
    configuration: "2",
    files: { "types.ts": "3" },
    operations,
    handlers: { owned: {}, present },
  };
}

describe("a manifest", () => {
  it("has its lists on one line where they fit, as the formatter lays them out", () => {
    expect(serializeManifest(manifestOf(["getA", "getB"], []))).toBe(`{
  "document": "a.yaml",
  "inputs": {},
  "generator": "1",
  "configuration": "2",
  "files": {
    "types.ts": "3"
  },
  "operations": ["getA", "getB"],
  "handlers": {
    "owned": {},
    "present": []
  }
}
`);
  });

  it.each([
    [99, '  "operations": ["'],
    [100, '  "operations": [\n'],
  ])("breaks a list that a comma takes past the line: %i characters", (length, start) => {
    const text = serializeManifest(manifestOf(["x".repeat(length)], []));
    expect(text).toContain(start);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it("is read back as it was", () => {
    const manifest = manifestOf(
      Array.from({ length: 40 }, (_, index) => `operation${index}`),
      ["get-a.ts"],
    );
    expect(parseManifest(serializeManifest(manifest))).toEqual(manifest);
  });
});
