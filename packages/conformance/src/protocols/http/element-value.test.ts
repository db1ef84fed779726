import { describe, expect, test } from "vitest";
import type { SuiteType } from "../../suite/suite-type.ts";
import { comparedMember, elementValues } from "./element-value.ts";

const states: SuiteType = { kind: "enumeration", values: ["stored", "lost"] };

function record(name: string, type: SuiteType): SuiteType {
  return { kind: "record", members: [{ name, type, required: true }] };
}

function member(type: SuiteType): { readonly name: string; readonly type: SuiteType; readonly required: boolean } {
  return { name: "state", type, required: true };
}

describe("what a filter compares", () => {
  test("is the member of objects that lists the same values, in each form of them", () => {
    const union: SuiteType = {
      kind: "union",
      mode: "one-of",
      members: [
        record("type", { kind: "enumeration", values: ["stored"] }),
        record("type", { kind: "enumeration", values: ["lost"] }),
      ],
    };
    const compared = comparedMember(member(union), states, {});
    expect(compared.inner).toBe("type");
    expect(elementValues({ state: { type: "lost" } }, compared)).toEqual(["lost"]);
  });

  test("is unknown of objects that no document says it of", () => {
    const compared = comparedMember(member(record("shelf", { kind: "string" })), states, {});
    expect(elementValues({ state: { shelf: "stored" } }, compared)).toBeUndefined();
    expect(elementValues({ state: [{ shelf: "stored" }] }, compared)).toBeUndefined();
  });

  test("is each of a plain list", () => {
    const compared = comparedMember(member({ kind: "list", element: states }), states, {});
    expect(elementValues({ state: ["stored", "lost"] }, compared)).toEqual(["stored", "lost"]);
    expect(elementValues({ state: null }, compared)).toEqual([null]);
  });
});
