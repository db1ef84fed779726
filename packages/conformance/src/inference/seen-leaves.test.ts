import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { withSeenLeaves } from "./seen-leaves.ts";

const text: SuiteType = { kind: "string" };

function context(value: unknown): Parameters<typeof withSeenLeaves>[0] {
  return {
    types: {},
    operations: [{ name: "listAccounts" }],
    live: { answersOf: (operation) => [{ operation, input: {}, type: text, value }] },
  };
}

const accounts = [{ id: "acc_7", owner: "Ada", city: "Bonn" }];

describe("withSeenLeaves", () => {
  it("takes a text that alone fits a pattern", () => {
    expect(withSeenLeaves(context(accounts), { kind: "string", pattern: "^acc_[0-9]+$" }, "acc_1")).toBe("acc_7");
  });

  it("keeps what is made up where texts of any name fit, or where there is no pattern", () => {
    expect(withSeenLeaves(context(accounts), { kind: "string", pattern: "^.+$" }, "x")).toBe("x");
    expect(withSeenLeaves(context(accounts), text, "x")).toBe("x");
  });
});
