import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

/** Compares a text with a file beside this one; `UPDATE_GOLDEN=1` writes it. */
export function expectGolden(name: string, text: string): void {
  const file = new URL(`golden/${name}`, import.meta.url);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}
