import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { defaultProperty } from "./default.ts";
import type { Input, Steadiness } from "./operation.ts";
import { seenEchoProperty } from "./seen-echo.ts";
import { steadyProperty } from "./steady.ts";
import { optional, problemsOf } from "./testing/check-operation.ts";

const element: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: { kind: "string" }, required: true },
    { name: "more", type: { kind: "string" }, required: false },
  ],
};

/** Returns a list whose elements depend on the input. */
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

  it("compares with what the description shows, where it may have an effect", async () => {
    const weak = {
      ...listOf(({ verbose = true, free }) => (verbose === true && free === "shown" ? { more: "more" } : {})),
      further: [{ free: "other" }, { free: "shown" }],
    };
    expect(await problemsOf(weak, defaultProperty)).toEqual([]);
    expect(await problemsOf({ ...weak, shown: [{ free: "shown", verbose: true }] }, defaultProperty)).toEqual([
      message,
    ]);
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

describe("steady", () => {
  const right = { more: "a" };
  /** Returns a list with alternating values, the first of which is that of the known call. */
  const turns = (steadiness: Steadiness | undefined, ...values: readonly Readonly<Record<string, unknown>>[]) => {
    let turn = -1;
    const list = listOf(() => {
      turn += 1;
      return values[turn % values.length] ?? {};
    });
    return { ...list, ...(steadiness === undefined ? {} : { steadiness }) };
  };

  it("finds nothing where the same is returned again", async () => {
    for (const steadiness of ["declared", "guessed", "usual"] as const)
      expect(await problemsOf(turns(steadiness, right), steadyProperty)).toEqual([]);
  });

  it("finds what changes of what never does", async () => {
    const message = "the result at /*/more changes between two calls with the same parameters";
    expect(await problemsOf(turns("declared", right, right, { more: "b" }), steadyProperty)).toEqual([message]);
    expect(await problemsOf(turns("guessed", right, right, { more: "b" }), steadyProperty)).toEqual([message]);
  });

  it("finds what comes back, and texts that are others each time, where things may change", async () => {
    expect(await problemsOf(turns("usual", right, { more: "b" }, right, right), steadyProperty)).toEqual([
      "the result at /*/more changes and changes back between calls with the same parameters",
    ]);
    const each = Array.from({ length: 12 }, (_none, index) => ({ more: `${index}` }));
    expect(await problemsOf(turns("usual", ...each), steadyProperty)).toEqual([
      "the result at /*/more changes with each call with the same parameters",
    ]);
  });

  it("leaves out what is chosen by chance, unless it is declared never to change", async () => {
    const found = async (steadiness: Steadiness) =>
      await problemsOf(
        { ...turns(steadiness, right, { more: "b" }, right, { more: "c" }), isByChance: true },
        steadyProperty,
      );
    expect(await found("usual")).toEqual([]);
    expect(await found("guessed")).toEqual([]);
    expect(await found("declared")).toHaveLength(1);
  });

  it("finds that what never changes is there no more", async () => {
    const gone = (steadiness: Steadiness) => {
      let calls = 0;
      return {
        ...turns(steadiness, right),
        pages: () => {
          calls += 1;
          return calls % 2 === 1 ? [{ items: [{ id: "lamp" }] }] : undefined;
        },
      };
    };
    const message = "a call that had a result has none when it is made again";
    expect(await problemsOf(gone("declared"), steadyProperty)).toEqual([message]);
    expect(await problemsOf(gone("usual"), steadyProperty)).toEqual([]);
  });

  it("does not blame what moves on, nor what is not called again", async () => {
    const rising = Array.from({ length: 12 }, (_none, index) => ({ more: index }));
    expect(await problemsOf(turns("usual", ...rising), steadyProperty)).toEqual([]);
    const changedOnce = [right, right, ...Array.from({ length: 10 }, () => ({ more: "b" }))];
    expect(await problemsOf(turns("usual", ...changedOnce), steadyProperty)).toEqual([]);
    expect(await problemsOf(turns(undefined, right, { more: "b" }), steadyProperty)).toEqual([]);
  });
});

describe("seen echo", () => {
  const countries = ["AT", "CH", "IT"];
  const country = { ...optional("country", { kind: "string" }), required: true };
  const holidays = (codeOf: (country: unknown) => unknown) => ({
    parameters: [country],
    element,
    base: { country: "AT" },
    further: countries.slice(1).map((one) => ({ country: one })),
    pages: (input: Input) => [{ items: [{ id: "1", countryCode: codeOf(input["country"]) }] }],
  });

  it("finds a member that repeats a parameter under another name in most results alone", async () => {
    expect(
      await problemsOf(
        holidays((one) => one),
        seenEchoProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        holidays((one) => (one === "IT" ? "AT" : one)),
        seenEchoProperty,
      ),
    ).toEqual(["countryCode is not the country of the call"]);
  });

  it("says nothing of a member that repeats it once", async () => {
    expect(
      await problemsOf(
        holidays(() => "AT"),
        seenEchoProperty,
      ),
    ).toEqual([]);
  });
});
