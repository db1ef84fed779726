import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { defaultProperty } from "./default.ts";
import type { Input } from "./operation.ts";
import { optional, problemsOf } from "./testing/check-operation.ts";

const element: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: { kind: "string" }, required: true },
    { name: "more", type: { kind: "string" }, required: false },
  ],
};

/** A list whose elements depend on the input. */
function listOf(elements: (input: Input) => Readonly<Record<string, unknown>>) {
  return {
    parameters: [
      optional("verbose", { kind: "boolean" }, false),
      optional("unit", { kind: "string", default: "m" }),
      optional("free", { kind: "string" }),
    ],
    element,
    pages: (input: Input) => [{ items: [{ id: "lamp", ...elements(input) }] }],
  };
}

describe("default", () => {
  const message = "the result without verbose is another than with its documented default";

  it("finds nothing where what is left out is as its default", async () => {
    expect(
      await problemsOf(
        listOf(({ verbose = false }) => ({ isVerbose: verbose })),
        defaultProperty,
      ),
    ).toEqual([]);
  });

  it("finds the parameter whose default is another than the documented one", async () => {
    const other = listOf(({ verbose = true, unit = "m" }) => (verbose === true ? { more: String(unit) } : {}));
    expect(await problemsOf(other, defaultProperty)).toEqual([message]);
  });

  it("takes links that repeat the query for the same", async () => {
    const linked = (path: string) =>
      listOf(({ verbose }) => ({ more: `/${verbose === undefined ? "lamps" : path}?verbose=${String(verbose)}` }));
    expect(await problemsOf(linked("lamps"), defaultProperty)).toEqual([]);
    expect(await problemsOf(linked("tables"), defaultProperty)).toEqual([message]);
  });

  it("does not blame what is another in each call", async () => {
    let turn = 0;
    const moving = listOf(() => {
      turn += 1;
      return { more: `${turn}` };
    });
    expect(await problemsOf(moving, defaultProperty)).toEqual([]);
  });
});
