import { describe, expect, it } from "vitest";
import { createCommandReference } from "../description/command-reference.ts";
import { perAccess } from "./per-access.ts";

const referenceOf = (...names: readonly string[]) =>
  createCommandReference({
    openrpc: "1.3.2",
    info: { title: "Test", version: "1.0.0" },
    methods: names.map((name) => ({ name, params: [] })),
  });
const accessOf = (enabled: readonly string[], enableHint = "Ask.") => ({
  isEnabled: (method: string) => enabled.includes(method),
  enableHint,
});

describe("what depends on access", () => {
  it("is written once for each set of commands, hint and description", () => {
    let written = 0;
    const write = perAccess(() => (written += 1));
    const [one, other] = [referenceOf("a", "b"), referenceOf("a", "b")];
    expect([write(one, accessOf(["a"])), write(one, accessOf(["b"])), write(one, accessOf([]))]).toEqual([1, 2, 3]);
    expect([write(one, accessOf(["a", "c"])), write(one, accessOf(["b"])), write(one, accessOf([]))]).toEqual([
      1, 2, 3,
    ]);
    expect(write(one, accessOf([], "Pay."))).toBe(4);
    expect(write(other, accessOf([]))).toBe(5);
  });

  it("is written again once many other sets were requested", () => {
    let written = 0;
    const write = perAccess(() => (written += 1));
    const names = Array.from({ length: 20 }, (_, at) => `m${at}`);
    const reference = referenceOf(...names);
    for (const name of names) write(reference, accessOf([name]));
    expect(write(reference, accessOf(["m0"]))).toBe(21);
    expect(write(reference, accessOf(["m19"]))).toBe(20);
  });
});
