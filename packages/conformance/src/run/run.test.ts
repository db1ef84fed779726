import { describe, expect, test } from "vitest";
import type { CasePlay, PlannedCase, Stage } from "../contract/planned-case.ts";
import type { SharedOperation } from "../contract/protocol-plan.ts";
import type { Rule } from "../contract/rule.ts";
import type { CaseReport, Report } from "../contract/report.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RunOptions } from "../contract/options.ts";
import { playSuite } from "./play-suite.ts";
import type { Session } from "../session/session.ts";
import { sendJson, serve } from "./testing/serve.ts";
import { httpOperation, httpSuite, integer, rpcMethod, rpcSuite } from "./testing/suites.ts";

const must: Rule = { id: "TMUST", level: "MUST", title: "It is so", source: "the test" };
const should: Rule = { id: "TSHLD", level: "SHOULD", title: "It should be so", source: "the test" };
const guess: Rule = { id: "TGUES", level: "heuristic", title: "It is likely so", source: "names in the test" };
const suite = httpSuite([
  httpOperation("getOne", "/one", integer, { tags: ["numbers"] }),
  httpOperation("getTwo", "/two", integer),
  httpOperation("addOne", "/one", integer, { method: "POST" }),
]);

function aCase(id: string, play: PlannedCase["play"], more: Partial<PlannedCase> = {}): PlannedCase {
  const [operation = "", group = ""] = id.split("/");
  return {
    id,
    operation,
    group: group as PlannedCase["group"],
    rule: must,
    expected: "something",
    writes: false,
    requests: 1,
    isLive: false,
    play,
    ...more,
  };
}

async function callOperation(play: CasePlay, path = "/one"): Promise<string | undefined> {
  return (await play.send({ method: "GET", path, query: "", headers: {} })).text;
}

function sharesOf(played: ConformanceSuite): readonly SharedOperation[] {
  const operations = played.protocol === "graphql" ? played.documents : played.operations;
  return operations.map(({ name }) => ({ name, weight: 1, least: 30, most: 60 }));
}

function stage(name: string, ...cases: readonly PlannedCase[]): Stage {
  return { name, plan: () => cases };
}

const failing = [{ rule: must, message: "it is not so" }];

async function run(
  stages: readonly Stage[] | ((session: Session) => readonly Stage[]),
  options: Partial<RunOptions> = {},
  played: ConformanceSuite = suite,
  heard: CaseReport[] = [],
): Promise<Report> {
  const baseUrl = options.baseUrl ?? (await serve((_request, response) => sendJson(response, 200, 1)));
  return await playSuite(
    played,
    { seed: "05", ...options, baseUrl },
    { onCase: (report) => heard.push(report) },
    (_suite, session) => ({
      stages: typeof stages === "function" ? stages(session) : stages,
      operations: sharesOf(played),
    }),
  );
}

function verdictsOf({ cases }: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(cases.map(({ id, verdict }) => [id, verdict]));
}

const nothing: PlannedCase["play"] = async (play) => {
  await callOperation(play);
  return [];
};

describe("a case", () => {
  test("passes, warns or fails by the level of what it found", async () => {
    const report = await run([
      stage(
        "all",
        aCase("getOne/example/good", nothing),
        aCase("getOne/example/doubtful", async () => [{ rule: should, message: "it should not be so" }]),
        aCase("getOne/example/bad", async () => failing),
        aCase("getOne/example/elsewhere", async (play) => play.skip("it is not for this target")),
      ),
    ]);
    expect(verdictsOf(report)).toMatchObject({
      "getOne/example/good": "passed",
      "getOne/example/doubtful": "warned",
      "getOne/example/bad": "failed",
      "getOne/example/elsewhere": "skipped",
    });
    expect(report).toMatchObject({ outcome: "differs", totals: { passed: 1, warned: 1, failed: 1, skipped: 1 } });
  });

  test("fails by a rule of any level but MAY in a strict run, and by a heuristic in no other", async () => {
    const broken: readonly Rule[] = [must, should, { ...should, id: "TMAY", level: "MAY" }, guess];
    const cases = broken.map((rule) =>
      aCase(`getOne/example/${rule.id}`, async () => [{ rule, message: "it is not" }]),
    );
    const stages = [stage("all", aCase("getOne/example/good", nothing), ...cases)];
    expect((await run(stages)).totals).toMatchObject({ passed: 1, failed: 1, warned: 3 });
    expect((await run([stage("all", cases[3] ?? aCase("", nothing))])).outcome).toBe("inconclusive");
    const guessed = [stage("all", aCase("getOne/example/good", nothing), ...cases.slice(3))];
    expect((await run(guessed)).outcome).toBe("conforms");
    expect((await run(guessed, { strict: true })).outcome).toBe("differs");
    expect((await run(stages, { strict: true })).totals).toMatchObject({ passed: 1, failed: 3, warned: 1 });
  });

  test("tells what a heuristic guesses, or what its rule rests on", async () => {
    const reported = { rule: guess, message: "it is not" };
    const report = await run([
      stage(
        "all",
        aCase("getOne/example/told", async () => [{ ...reported, guess: "`n` is a size by its name" }]),
        aCase("getOne/example/untold", async () => [reported]),
        aCase("getOne/example/sure", async () => failing),
      ),
    ]);
    const cases = report.cases.filter(({ group }) => group === "example");
    expect(cases.map(({ findings }) => findings[0]?.guess)).toEqual([
      "`n` is a size by its name",
      "names in the test",
      undefined,
    ]);
    expect(cases.map(({ level }) => level)).toEqual(["heuristic", "heuristic", "MUST"]);
  });

  test("of live data that a heuristic finds wrong is looked at again", async () => {
    const isWrong = [true, false, false];
    const plays = async (play: CasePlay) => {
      await callOperation(play);
      return isWrong.shift() === true ? [{ rule: guess, message: "it is not" }] : [];
    };
    const report = await run([stage("all", aCase("getOne/live/moved", plays, { isLive: true }))]);
    expect(verdictsOf(report)).toMatchObject({ "getOne/live/moved": "passed" });
    expect(isWrong).toEqual([]);
  });

  test("that throws is our fault, and ends no run", async () => {
    const report = await run([
      stage(
        "all",
        aCase("getOne/example/broken", async () => {
          throw new RangeError("index out of range");
        }),
        aCase("getOne/example/good", nothing),
      ),
      {
        name: "never",
        plan: () => {
          throw new Error("no plan");
        },
      },
    ]);
    expect(report.cases.find(({ id }) => id === "getOne/example/broken")).toMatchObject({
      verdict: "untested",
      reason: "the case could not be played: RangeError: index out of range",
    });
    expect(report.outcome).toBe("conforms");
    expect(report.notices.join()).toContain('The cases of the stage "never" could not be planned');
  });

  test("that may change something is not sent, and neither is what slips through", async () => {
    let requests = 0;
    const baseUrl = await serve(({ method }, response) => {
      if (method !== "GET") requests += 1;
      sendJson(response, 200, 1);
    });
    const slip = aCase("getOne/negative/slip", async (play) => {
      await play.send({ method: "DELETE", path: "/one", query: "", headers: {} });
      return [];
    });
    const stages = [
      stage(
        "all",
        aCase("getOne/example/good", nothing),
        aCase("addOne/negative/empty", nothing),
        aCase("getTwo/example/writes", nothing, { writes: true }),
        slip,
      ),
    ];
    const report = await run(stages, { baseUrl });
    expect(verdictsOf(report)).toMatchObject({
      "addOne/negative/empty": "not-sent",
      "getTwo/example/writes": "not-sent",
      "getOne/negative/slip": "not-sent",
    });
    expect(requests).toBe(0);
    expect(report.operations.find(({ operation }) => operation === "addOne")).toMatchObject({
      availability: "not sent",
    });
    const open = await run(stages, { baseUrl, allowWrites: true });
    expect(open.totals["not-sent"]).toBe(0);
    expect(requests).toBe(1);
  });

  test("that depends on the head is looked at again, and is flaky when it passes twice", async () => {
    let plays = 0;
    let steady = 0;
    const heard: CaseReport[] = [];
    const report = await run(
      [
        stage(
          "all",
          aCase("getOne/relation/race", async () => (++plays === 1 ? failing : []), { isLive: true }),
          aCase("getTwo/relation/fault", async () => (++steady === 2 ? [] : failing), { isLive: true }),
          aCase("getTwo/relation/fixed", async () => failing),
        ),
      ],
      {},
      suite,
      heard,
    );
    expect(verdictsOf(report)).toMatchObject({
      "getOne/relation/race": "flaky",
      "getTwo/relation/fault": "failed",
      "getTwo/relation/fixed": "failed",
    });
    expect([plays, steady]).toEqual([3, 3]);
    expect(heard.map(({ id }) => id).toSorted()).toEqual(report.cases.map(({ id }) => id).toSorted());
  });

  test("has random numbers of its own, whatever else is played", async () => {
    const numbers = new Map<string, number[]>();
    const random = (id: string): PlannedCase =>
      aCase(id, async (play) => {
        numbers.set(id, [...(numbers.get(id) ?? []), play.random.next()]);
        return [];
      });
    const stages = [stage("all", random("getOne/random/a"), random("getOne/random/b"))];
    await run(stages);
    await run(stages, { only: ["getOne/random/b"] });
    const [first, second] = numbers.get("getOne/random/b") ?? [];
    expect(first).toBe(second);
    expect(numbers.get("getOne/random/a")?.[0]).not.toBe(first);
  });
});

describe("calls of an operation", () => {
  const many = (count: number): readonly PlannedCase[] =>
    Array.from({ length: count }, (_, index) => aCase(`getOne/boundary/n${index}`, nothing));

  test("are limited, what is left out from the end is counted", async () => {
    const report = await run([stage("all", ...many(20))], { maxCallsPerOperation: 5 });
    expect(report.totals.passed).toBe(5);
    expect(report.cases.map(({ id }) => id)).toContain("getOne/boundary/n4");
    expect(report.operations.find(({ operation }) => operation === "getOne")?.calls).toBe(5);
    expect(report.notices).toEqual([
      "Not played: 15 cases of 1 operation (15 boundary), called 5 times already; --max-calls allows more.",
    ]);
  });

  test("are shared out, so that later stages are heard too", async () => {
    const later = aCase("getOne/relation/late", nothing);
    const report = await run([{ ...stage("first", ...many(20)), share: 0.5 }, stage("last", later)], {
      maxCallsPerOperation: 8,
    });
    expect(verdictsOf(report)).toHaveProperty(later.id, "passed");
    expect(report.totals.passed).toBe(8);
  });

  test("of a case that asks for more than it says are stopped", async () => {
    const greedy = aCase("getOne/random/greedy", async (play) => {
      for (;;) await callOperation(play);
    });
    const report = await run([stage("all", aCase("getTwo/example/good", nothing), greedy)]);
    expect(report.cases.find(({ id }) => id === greedy.id)).toMatchObject({
      verdict: "untested",
      reason: "getOne was called 60 times",
    });
  });
});

describe("what is played", () => {
  const stages = [
    stage("first", aCase("getOne/example/one", nothing), aCase("getTwo/example/two", nothing)),
    stage("second", aCase("getOne/negative/wrong", nothing), aCase("getTwo/negative/wrong", nothing)),
    stage("third", aCase("(protocol)/protocol/rule", nothing)),
  ];

  test.each([
    [{ only: ["getOne"] }, ["getOne/example/one", "getOne/negative/wrong"]],
    [{ only: ["GET /t*"] }, ["getTwo/example/two", "getTwo/negative/wrong"]],
    [{ only: ["numbers"], skip: ["*/negative/*"] }, ["getOne/example/one"]],
    [{ only: ["getTwo/negative/wrong"] }, ["getTwo/negative/wrong"]],
    [{ skip: ["get*", "POST *"] }, ["(protocol)/protocol/rule"]],
  ])("is chosen by patterns %j", async (options, expected) => {
    const report = await run(stages, options);
    expect(report.cases.map(({ id }) => id).filter((id) => !id.startsWith("addOne/"))).toEqual(expected);
  });

  test("comes with what it needs, which is not reported", async () => {
    const requested: string[] = [];
    const baseUrl = await serve(({ url = "" }, response) => {
      requested.push(url);
      sendJson(response, 200, 1);
    });
    const report = await run(
      (session) => [
        stage(
          "first",
          aCase("getOne/example/one", async (play) => {
            await callOperation(play, "/source");
            session.live.see({ operation: "getOne", input: {}, type: integer, value: 7 });
            return [];
          }),
        ),
        {
          name: "second",
          plan: () => (session.live.resultsOf("getOne").length === 0 ? [] : [aCase("getTwo/live/two", nothing)]),
        },
      ],
      { baseUrl, only: ["getTwo"] },
    );
    expect(report.cases.map(({ id }) => id)).toEqual(["getTwo/live/two"]);
    expect(requested).toContain("/source");
    expect(report.replay?.results).toEqual([{ operation: "getOne", input: {}, type: integer, value: 7 }]);
  });

  test("never plays what changes something for what it finds out alone, even where writes are allowed", async () => {
    const played: string[] = [];
    const noting = (id: string, more: Partial<PlannedCase> = {}): PlannedCase =>
      aCase(
        id,
        async () => {
          played.push(id);
          return [];
        },
        more,
      );
    const stages = [
      stage(
        "all",
        noting("addOne/example/new"),
        noting("getOne/example/slip", { writes: true }),
        noting("getOne/example/one"),
        noting("getTwo/example/two"),
      ),
    ];
    await run(stages, { only: ["getTwo"], allowWrites: true });
    expect(played).toEqual(["getOne/example/one", "getTwo/example/two"]);
  });
});

describe("an operation that is not there", () => {
  const methods = rpcSuite([rpcMethod("getone", integer), rpcMethod("gettwo", integer)]);
  const call =
    (method: string): PlannedCase["play"] =>
    async (play) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method });
      const { text = "" } = await play.send({ method: "POST", path: "", query: "", headers: {}, body });
      return text.includes("error") ? failing : [];
    };
  const cases = (method: string, count: number): readonly PlannedCase[] =>
    Array.from({ length: count }, (_, index) => aCase(`${method}/example/n${index}`, call(method)));

  async function target(
    isMissing: (method: string, calls: number) => boolean,
  ): Promise<{ readonly baseUrl: string; readonly calls: Map<string, number> }> {
    const calls = new Map<string, number>();
    const baseUrl = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { method } = JSON.parse(body) as { readonly method: string };
      calls.set(method, (calls.get(method) ?? 0) + 1);
      const reply = isMissing(method, calls.get(method) ?? 0)
        ? { error: { code: -32601, message: "the method does not exist/is not available" } }
        : { result: 1 };
      sendJson(response, 200, { jsonrpc: "2.0", id: 1, ...reply });
    });
    return { baseUrl, calls };
  }

  test("is skipped with the reason, and hardly asked", async () => {
    const { baseUrl, calls } = await target((method) => method === "gettwo");
    const report = await run([stage("all", ...cases("getone", 3), ...cases("gettwo", 9))], { baseUrl }, methods);
    expect(report).toMatchObject({ outcome: "conforms", totals: { passed: 3, skipped: 9, failed: 0 } });
    expect(report.operations[1]).toMatchObject({
      availability: "missing",
      availabilityReason: "it has the error -32601: the method does not exist/is not available",
    });
    expect(calls.get("gettwo")).toBe(2);
    expect(report.notices).toEqual(["1 operation is not offered by this target: gettwo."]);
  });

  test("but is said to be there fails", async () => {
    const { baseUrl } = await target((method) => method === "gettwo");
    const report = await run(
      [stage("all", ...cases("getone", 3), ...cases("gettwo", 3))],
      { baseUrl, enabled: ["gettwo"] },
      methods,
    );
    expect(report).toMatchObject({ outcome: "differs", totals: { failed: 3, skipped: 0 } });
  });

  test.each([1, 2])("only now and then (call %i) is a fault", async (well) => {
    const { baseUrl } = await target((method, calls) => method === "gettwo" && calls !== well);
    const report = await run([stage("all", ...cases("gettwo", 2))], { baseUrl }, methods);
    expect(report).toMatchObject({ outcome: "differs", totals: { failed: 1, passed: 1, skipped: 0 } });
  });
});

describe("an operation that does not answer in time", () => {
  const slow = async (): Promise<string> =>
    serve(({ url }, response) => {
      if (url !== "/slow") sendJson(response, 200, 1);
    });
  const wait: PlannedCase["play"] = async (play) => {
    await callOperation(play, "/slow");
    return [];
  };
  const waiting = Array.from({ length: 9 }, (_, index) => aCase(`getTwo/random/n${index}`, wait));

  test("though it never did may need more time, and is left alone", async () => {
    const report = await run([stage("all", aCase("getOne/example/one", nothing), ...waiting)], {
      baseUrl: await slow(),
      timeoutMilliseconds: 500,
    });
    expect(report).toMatchObject({ outcome: "conforms", totals: { warned: 2, skipped: 7 } });
    expect(report.cases.find(({ verdict }) => verdict === "warned")?.findings).toMatchObject([{ rule: "TIME" }]);
  });

  test("though it does otherwise has a fault", async () => {
    const report = await run([stage("all", aCase("getTwo/example/one", nothing), ...waiting)], {
      baseUrl: await slow(),
      timeoutMilliseconds: 500,
    });
    expect(report).toMatchObject({ outcome: "differs", totals: { failed: 2, skipped: 7 } });
    expect(report.cases.find(({ verdict }) => verdict === "failed")?.findings).toMatchObject([
      { rule: "ANSW", message: "no complete response in time", detail: "no complete response in 0.5 s" },
    ]);
  });
});

describe("a target that goes away in the middle", () => {
  const cases = Array.from({ length: 40 }, (_, index) => aCase(`getOne/random/n${index}`, nothing));

  test("is not asked on and on, and nothing can be said", async () => {
    let requests = 0;
    const baseUrl = await serve((request, response) => {
      requests += 1;
      if (requests > 3) request.socket.destroy();
      else sendJson(response, 200, 1);
    });
    const report = await run([stage("all", ...cases)], { baseUrl, maximumOutageMilliseconds: 300 });
    expect(report).toMatchObject({ outcome: "inconclusive", totals: { failed: 0, passed: 2, untested: 38 } });
    expect(report.inconclusiveBecause).toMatch(
      /^The target stopped responding \(first in getOne\/random\/n2\) and did not come back in .*; nothing that was played until then failed\.$/,
    );
    expect(requests).toBeLessThan(30);
  });

  test("differs all the same where it did before", async () => {
    let requests = 0;
    const baseUrl = await serve((request, response) => {
      requests += 1;
      if (requests > 3) request.socket.destroy();
      else sendJson(response, 200, 1);
    });
    const report = await run(
      [
        stage(
          "all",
          aCase("getOne/random/bad", async () => failing),
          ...cases,
        ),
      ],
      {
        baseUrl,
        maximumOutageMilliseconds: 100,
      },
    );
    expect(report).toMatchObject({ outcome: "differs", totals: { failed: 1 } });
    expect(report.notices.join()).toContain("the target stopped responding");
  });

  test("is waited for, and what was lost is asked again", async () => {
    let requests = 0;
    const baseUrl = await serve((request, response) => {
      requests += 1;
      // Four cases and the first probe, each also sent over a second connection.
      if (requests >= 10 && requests < 20) request.socket.destroy();
      else sendJson(response, 200, 1);
    });
    const report = await run([stage("all", ...cases)], { baseUrl });
    expect(report).toMatchObject({ outcome: "conforms", totals: { failed: 0, untested: 0, flaky: 4, passed: 36 } });
    expect(report.notices.join()).toMatch(/The target did not respond for \d+ ms, and then responded again/);
  });

  test("is not, where one operation alone never answers", async () => {
    const baseUrl = await serve((request, response) => {
      if (request.url?.startsWith("/one") === true) request.socket.destroy();
      else sendJson(response, 200, 1);
    });
    const report = await run([stage("all", aCase("getTwo/random/n", nothing), ...cases)], { baseUrl });
    expect(report.outcome).toBe("differs");
    expect(report.totals.untested).toBe(0);
  });
});

test("an operation whose answers do not end, or that is too busy, is left alone after two of them", async () => {
  const cases = [1, 2, 3, 4].flatMap((index) => [
    aCase(`getOne/random/n${index}`, nothing),
    aCase(`getTwo/random/n${index}`, async (play) => {
      await callOperation(play, "/two");
      return [];
    }),
  ]);
  const paths: string[] = [];
  const baseUrl = await serve((request, response) => {
    paths.push(request.url ?? "");
    sendJson(response, 200, request.url?.startsWith("/one") === true ? "x".repeat(2_000) : 1);
  });
  const report = await run([stage("all", ...cases)], { baseUrl, maxResponseBytes: 1_000 });
  expect(report.totals).toMatchObject({ warned: 2, skipped: 2, passed: 4 });
  expect(paths.filter((path) => path.startsWith("/one"))).toHaveLength(2);
  expect(report.notices).toContain("Nothing was found out of 1 operation: getOne.");
});

test("where everything may change something nothing can be said", async () => {
  const report = await run([stage("all", aCase("addOne/example/one", nothing))]);
  expect(report).toMatchObject({
    outcome: "inconclusive",
    inconclusiveBecause: "No operation could be checked: POST may change something.",
  });
});

test("of what is seen a report says how much of the description it is", async () => {
  const report = await run([stage("all", aCase("getOne/example/one", nothing))]);
  expect(report.operations[0]).toMatchObject({
    operation: "getOne",
    calls: 1,
    availability: "available",
    coverage: { statuses: { seen: ["200"], unseen: [] } },
    latency: { requests: 1 },
  });
});

test("an operation of which no call succeeded is reported as unchecked", async () => {
  const baseUrl = await serve((request, response) => sendJson(response, request.url === "/two" ? 404 : 200, 1));
  const two = aCase("getTwo/example/one", async (play) => {
    await callOperation(play, "/two");
    return [];
  });
  const report = await run([stage("all", aCase("getOne/example/one", nothing), two)], { baseUrl });
  expect(report.operations.map(({ hasSuccess }) => hasSuccess)).toEqual([true, false, undefined]);
  expect(report.notices).toContain("No call of 1 operation succeeded, so no result was checked: GET /two.");
  expect(report.outcome).toBe("conforms");
});

test("requests that had no time any more are not counted", async () => {
  let requested = 0;
  const baseUrl = await serve((_request, response) => {
    requested += 1;
    sendJson(response, 200, 1);
  });
  const cases = Array.from({ length: 5 }, (_, index) => aCase(`getOne/random/n${index}`, nothing));
  const report = await run([stage("all", ...cases)], { baseUrl, rate: 2, maxMilliseconds: 1_200 });
  expect(report.requests).toBe(requested);
  expect(report.totals.untested).toBeGreaterThan(0);
});
