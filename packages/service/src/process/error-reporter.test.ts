import { IndexerError } from "@nodewright/bitcoin-indexer";
import { expect, it } from "vitest";
import { createErrorReporter } from "./error-reporter.ts";

it("tells of each damaged place once in ten minutes, and of every other error with its stack", () => {
  const lines: string[] = [];
  let now = 0;
  const report = createErrorReporter(
    (line) => lines.push(line),
    () => now,
  );
  const damage = new IndexerError("block-unreadable", "The block file /a is damaged.");
  for (now of [0, 1, 599_999]) report(damage);
  report(new IndexerError("block-unreadable", "The block file /b is damaged."));
  expect(lines).toEqual(["The block file /a is damaged.", "The block file /b is damaged."]);
  now = 600_000;
  report(damage);
  expect(lines.at(-1)).toBe("The block file /a is damaged.");
  for (let count = 0; count < 2; count += 1) report(new Error("a mistake"));
  expect(lines.slice(-2).every((line) => /^Internal error: Error: a mistake\n +at /.test(line))).toBe(true);
});
