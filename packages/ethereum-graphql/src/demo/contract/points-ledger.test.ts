import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { compileDemoContract } from "../../../scripts/compile-contract.ts";

it("is what the compiler makes of the contract's source", () => {
  expect(readFileSync(new URL("points-ledger.ts", import.meta.url), "utf8")).toBe(compileDemoContract());
});
