import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalogues } from "./catalogues.ts";

const generators = fileURLToPath(new URL("../../..", import.meta.url));

function sources(): readonly string[] {
  return readdirSync(generators, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(generators, name, "src"), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
        .map((path) => readFileSync(join(generators, name, "src", path), "utf8")),
    );
}

describe("explanations", () => {
  it.each(catalogues)("stand for every diagnostic of $origin, and for no other", ({ diagnostics, explanations }) => {
    expect(Object.keys(explanations).toSorted()).toEqual(Object.keys(diagnostics).toSorted());
  });

  it.each(
    catalogues.flatMap(({ origin, explanations }) =>
      Object.entries(explanations).map(([code, each]) => ({ code: `${origin}/${code}`, ...each })),
    ),
  )("say a cause, an example and a way out: $code", ({ cause, example, remedy }) => {
    expect(cause).toMatch(/^\S.{20,}[.?]$/s);
    expect(example.trim()).not.toBe("");
    expect(remedy).toMatch(/^\S.{5,}[.;]$/s);
  });

  it("know every catalogue that there is", () => {
    const texts = sources();
    const names = texts.flatMap((text) =>
      [...text.matchAll(/^(\w+) satisfies DiagnosticCatalogue;$/gm)].map(([, name]) => name),
    );
    const known = readFileSync(fileURLToPath(new URL("catalogues.ts", import.meta.url)), "utf8");
    expect(names.length).toBeGreaterThan(9);
    expect(names.filter((name) => !known.includes(`${name}`))).toEqual([]);
  });

  it("know every origin that reports", () => {
    const used = sources().flatMap((text) =>
      [...text.matchAll(/createReport\("([\w-]+)"/g)].map(([, origin]) => origin),
    );
    expect([...new Set(used)].toSorted()).toEqual(catalogues.map(({ origin }) => origin).toSorted());
  });
});
