import { describe, expect, it } from "vitest";
import { noValue } from "./operation.ts";

describe("the facts of a response without a body", () => {
  it.each([undefined, null])("are met by %s", (wire) => {
    expect([noValue.is(wire), noValue.violationsOf(wire)]).toEqual([true, []]);
  });

  it.each([0, "", false, {}, []])("are not met by %j", (wire) => {
    expect(noValue.is(wire)).toBe(false);
    expect(noValue.violationsOf(wire, "/a")).toEqual([{ pointer: "/a", keyword: "type", message: "must be absent" }]);
    expect(noValue.violationsOf(wire)).toMatchObject([{ pointer: "" }]);
  });
});
