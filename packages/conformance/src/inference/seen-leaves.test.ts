import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { withSeenLeaves } from "./seen-leaves.ts";

const text: SuiteType = { kind: "string" };

function context(value: unknown): Parameters<typeof withSeenLeaves>[0] {
  return {
    types: {},
    operations: [{ name: "listAccounts" }],
    live: { resultsOf: (operation) => [{ operation, input: {}, type: text, value }] },
  };
}

const accounts = [{ id: "acc_7", owner: "Ada", city: "Bonn" }];

describe("withSeenLeaves", () => {
  it("takes a text of the same name that fits", () => {
    const account: SuiteType = {
      kind: "record",
      members: [
        { name: "accountIds", type: { kind: "list", element: { kind: "string", pattern: "^acc_" } }, required: true },
      ],
    };
    const seen = context([{ account_id: "7" }, { account_id: "acc_7" }]);
    expect(withSeenLeaves(seen, account, { accountIds: ["acc_1"] })).toEqual({ accountIds: ["acc_7"] });
  });

  it("keeps what is made up where nothing of its name fits", () => {
    expect(withSeenLeaves(context(accounts), { kind: "string", pattern: "^acc_[0-9]+$" }, "acc_1")).toBe("acc_1");
    expect(withSeenLeaves(context(accounts), text, "x")).toBe("x");
  });
});
