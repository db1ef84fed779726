import { describe, expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { MethodFailure, describedListener, type Methods } from "./testing/described-server.ts";
import { required, describedMethod, describedSuite, failure } from "./testing/described-suite.ts";

const town: SuiteType = { kind: "enumeration", values: ["Bern", "Genf", "Chur", "Thun", "Biel"] };
const way: SuiteType = { kind: "enumeration", values: ["road", "rail"] };
const weight: SuiteType = { kind: "number", integer: false, minimum: 1, maximum: 900 };
const price: SuiteType = {
  kind: "record",
  members: [{ name: "price", type: { kind: "number", integer: false, minimum: 0 }, required: true }],
};

const suite = describedSuite("desk", [
  describedMethod("getfare", price, [
    required("origin", town),
    required("goal", town),
    required("weight", weight),
    required("way", way),
    required("halves", { kind: "number", integer: true, minimum: 1, maximum: 9 }, { required: false }),
  ]),
]);

const right: Methods = {
  getfare: ({ weight: load, halves = 2 }) => ({ price: Number(load) * Number(halves) }),
};

async function play(methods: Methods = right, maxCallsPerOperation?: number): Promise<Report> {
  return await playSuite(suite, {
    baseUrl: await serve(describedListener(suite, methods)),
    seed: "5eed",
    rate: 10_000,
    concurrency: 8,
    ...(maxCallsPerOperation === undefined ? {} : { maxCallsPerOperation }),
  });
}

function namesOf({ cases }: Report, group: string): readonly string[] {
  return cases.filter((one) => one.group === group).map(({ id }) => id.split("/").at(-1) ?? "");
}

describe("wrong parameters", () => {
  it("break each constraint of each parameter before one of them is of a second wrong kind", async () => {
    const names = namesOf(await play(right, 400), "negative");
    const first = [
      ...["origin-not-listed", "goal-not-listed", "weight-below-minimum", "way-not-listed", "halves-below-minimum"],
      ...["origin-missing", "goal-missing", "weight-missing", "way-missing"],
    ];
    expect(names.filter((name) => name !== "no-arguments").slice(0, first.length)).toEqual(first);
    const places = ["weight-above-maximum", "halves-fraction", "origin-number"].map((name) => names.indexOf(name));
    expect(places).not.toContain(-1);
  });

  it("are not crowded out by calls that were made already", async () => {
    const report = await play();
    const values = namesOf(report, "boundary").filter((name) => name.includes("value"));
    const requested = namesOf(report, "live").map((name) => name.toLowerCase());
    expect(values.filter((name) => requested.includes(name.replace("-value", "")))).toEqual([]);
  });
});

describe("a wrong value that is accepted", () => {
  it("is named with what the schema requires", async () => {
    const lax = describedSuite("desk", [
      describedMethod("getfare", price, [
        required("origin", { kind: "string" }),
        ...(suite.operations[0]?.parameters.slice(1) ?? []),
      ]),
    ]);
    const baseUrl = await serve(describedListener(lax, right));
    const { cases } = await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000 });
    const [one] = cases.filter(({ id }) => id === "getfare/negative/origin-not-listed");
    expect(one?.findings.map(({ detail = "" }) => detail.replace(/"\w+x"/, '"…x"'))).toEqual([
      expect.stringMatching(
        /^origin: "…x" was accepted; by the schema, it must be one of "Bern", .+; the result is \{"price"/,
      ),
    ]);
  });
});

describe("a run", () => {
  it("says what it left out, and which documented errors no call had", async () => {
    const { notices } = await play(right, 12);
    expect(notices.find((notice) => notice.startsWith("Not played: "))).toMatch(
      / 1 operation \(8 boundary, .*12 times/,
    );
    expect((await play(right, 400)).notices).toEqual([]);
    const declared = describedSuite(
      "desk",
      suite.operations.map((one) => ({ ...one, failures: [failure(-7, "The way is closed")] })),
    );
    const baseUrl = await serve(describedListener(declared, right));
    const report = await playSuite(declared, { baseUrl, seed: "5eed", rate: 10_000, maxCallsPerOperation: 400 });
    expect(report.notices).toEqual(["Documented errors that no call had: getfare -7."]);
  });
});

describe("a value of a short list", () => {
  it("is taken where the others are, though an example shows one", async () => {
    const usual: Methods = { getfare: (input) => right["getfare"]?.({ halves: 1, ...input }) };
    const refusing: Methods = {
      getfare: (input) => {
        if (input["halves"] === 2) throw new MethodFailure(-32602, "Invalid params");
        return usual["getfare"]?.(input);
      },
    };
    const [method] = suite.operations;
    if (method === undefined) throw new Error("There is no method");
    const halves = required("halves", { kind: "enumeration", values: [0, 1, 2] }, { required: false, default: 1 });
    const load = required("weight", weight);
    const outcome = { kind: "success", status: 200, value: { price: 3 } } as const;
    const listed = describedSuite("desk", [
      {
        ...method,
        parameters: [load, halves],
        examples: [
          { name: "one", input: { weight: 3, halves: 1 }, outcome, isLive: true },
          { name: "none", input: { weight: 3, halves: 0 }, outcome, isLive: true },
        ],
      },
    ]);
    const rules = async (methods: Methods): Promise<readonly string[]> => {
      const baseUrl = await serve(describedListener(listed, methods));
      const { cases } = await playSuite(listed, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8 });
      const broken = cases.filter(({ verdict }) => verdict === "failed").flatMap(({ findings }) => findings);
      return [...new Set(broken.map(({ rule }) => rule))];
    };
    expect(await rules(refusing)).toContain("P012");
    expect(await rules(usual)).toEqual([]);
  });
});

describe("a required number at its documented minimum or maximum", () => {
  const desk = describedSuite("desk", [
    describedMethod("getfare", price, [required("weight", { kind: "number", integer: true, minimum: 1 })]),
    describedMethod(
      "getslot",
      price,
      [required("slotNumber", { kind: "number", integer: true, minimum: 1, maximum: 90 })],
      {
        failures: [failure(-7, "There is no such slot")],
      },
    ),
    describedMethod("getstamp", price, [
      required("stampNumber", { kind: "number", integer: true, minimum: 1, maximum: 90 }),
    ]),
    describedMethod("getspan", price, [
      required("from", { kind: "number", integer: true, minimum: 1, maximum: 90 }),
      required("to", { kind: "number", integer: true, minimum: 1, maximum: 90 }),
    ]),
  ]);
  const refuse = (): never => {
    throw new MethodFailure(-32602, "Invalid params");
  };
  const strict: Methods = {
    getfare: () => ({ price: 1 }),
    getslot: ({ slotNumber }) => {
      if (Number(slotNumber) > 40) throw new MethodFailure(-7, "There is no such slot");
      return { price: 1 };
    },
    // Without a documented error for missing objects, -32602 may mean that.
    getstamp: ({ stampNumber }) => (Number(stampNumber) > 40 ? refuse() : { price: 1 }),
    getspan: ({ from, to }) => (Number(from) > Number(to) ? refuse() : { price: 1 }),
  };
  const refusedAt = async (changes: Methods): Promise<readonly string[]> => {
    const baseUrl = await serve(describedListener(desk, { ...strict, ...changes }));
    const { cases } = await playSuite(desk, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8 });
    return cases.flatMap(({ operation, findings }) =>
      findings.filter(({ rule }) => rule === "P012").map(() => operation),
    );
  };

  it("may not be refused as invalid where no other end is written", async () => {
    expect(await refusedAt({ getfare: ({ weight: load }) => (load === 1 ? refuse() : { price: 1 }) })).toEqual([
      "getfare",
    ]);
  });

  it("may not be refused as invalid where another error is declared for what is not there", async () => {
    const getslot = (input: Readonly<Record<string, unknown>>): unknown =>
      input["slotNumber"] === 90 ? refuse() : strict["getslot"]?.(input);
    expect(await refusedAt({ getslot })).toEqual(["getslot"]);
  });

  it("may be answered with the declared error, and be refused as the wrong end of a range", async () => {
    expect(await refusedAt({})).toEqual([]);
  });
});

describe("an example that asks for what lies beyond the target's last block", () => {
  const [method] = suite.operations;
  if (method === undefined) throw new Error("There is no method");
  const height: SuiteType = { kind: "number", integer: true, minimum: 0 };
  const outcome = { kind: "success", status: 200, value: { price: 3 } } as const;
  const logs = describedSuite("desk", [
    {
      ...method,
      parameters: [required("from", height), required("to", height)],
      examples: [{ name: "range", input: { from: 100, to: 200 }, outcome }],
    },
  ]);
  const refusedBy = async (message: string): Promise<readonly string[]> => {
    const baseUrl = await serve(
      describedListener(logs, {
        [method.name]: ({ to }) => {
          if (Number(to) > 50) throw new MethodFailure(-32602, message);
          return { price: 3 };
        },
      }),
    );
    const { cases } = await playSuite(logs, { baseUrl, seed: "5eed", rate: 10_000 });
    const examples = cases.filter(({ group, verdict }) => group === "example" && verdict === "failed");
    return examples.flatMap(({ findings }) => findings.map(({ rule }) => rule));
  };

  it("may be refused, as its parameters are those of another target's data", async () => {
    expect(await refusedBy("block range extends beyond current head block")).toEqual([]);
  });

  it("may not be refused for anything else", async () => {
    expect(await refusedBy("Invalid params")).toEqual(["P012"]);
  });
});
