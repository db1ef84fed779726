import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { httpOperation, httpSuite } from "../../run/testing/suites.ts";
import type { SuiteParameter } from "../../suite/suite.ts";
import type { RecordMember, SuiteType } from "../../suite/suite-type.ts";
import { blamedCases } from "../../testing/blamed-cases.ts";

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const colour: SuiteType = { kind: "enumeration", values: ["red", "green", "blue"] };
const count: SuiteType = { kind: "number", integer: true, minimum: 0 };
const limit: SuiteType = { kind: "number", integer: true, minimum: 1, maximum: 50, default: 40 };
const sort: SuiteType = { kind: "enumeration", values: ["id", "weight"], default: "id" };
const flag: SuiteType = { kind: "boolean", default: false };

function member(name: string, type: SuiteType): RecordMember {
  return { name, type, required: true };
}

function query(name: string, type: SuiteType): SuiteParameter {
  return { name, property: name, location: "query", required: false, type };
}

const problem: SuiteType = { kind: "record", members: [member("message", { kind: "string" })] };
const item: SuiteType = {
  kind: "record",
  members: [
    member("id", { kind: "number", integer: true, minimum: 1 }),
    member("colour", colour),
    member("weight", count),
    member("height", count),
    member("sold", { kind: "boolean" }),
    member("fresh", { kind: "boolean" }),
  ],
};

const stalls = httpSuite([
  httpOperation(
    "listStalls",
    "/stalls",
    { kind: "list", element: item },
    {
      parameters: [
        query("colour", colour),
        query("min_weight", count),
        query("max_weight", count),
        query("min_height", count),
        query("max_height", count),
        query("only_fresh", flag),
        query("include_sold", flag),
        query("sort", sort),
        query("limit", limit),
      ],
      failures: [
        {
          name: "Invalid",
          status: 400,
          contents: [{ mediaType: "application/json", form: "json", type: problem }],
          headers: [],
        },
      ],
    },
  ),
]);

interface Stall {
  readonly id: number;
  readonly colour: string;
  readonly weight: number;
  readonly height: number;
  readonly sold: boolean;
  readonly fresh: boolean;
}

const all: readonly Stall[] = Array.from({ length: 24 }, (_none, index) => ({
  id: index + 1,
  colour: ["red", "green", "blue"][index % 3] ?? "red",
  weight: (index * 7) % 24,
  height: (index * 5) % 24,
  sold: index % 4 === 1,
  fresh: index % 5 < 2,
}));

const faults = ["ignored-narrowing", "foreign-narrowing", "turned-widening", "refused-sort", "low-limit"] as const;

/** Returns the response to a query; `undefined` when it is refused. */
function responseTo(given: URLSearchParams, fault: (typeof faults)[number] | undefined): readonly Stall[] | undefined {
  const numbers = ["min_weight", "max_weight", "min_height", "max_height", "limit"].map((name) => {
    const text = given.get(name);
    return text === null || /^\d{1,9}$/.test(text)
      ? ([name, text === null ? undefined : Number(text)] as const)
      : undefined;
  });
  if (numbers.some((one) => one === undefined)) return undefined;
  const number = Object.fromEntries(numbers.filter((one) => one !== undefined));
  const flags = ["only_fresh", "include_sold"].map((name) => given.get(name) ?? "false");
  if (flags.some((one) => one !== "true" && one !== "false")) return undefined;
  const wanted = given.get("colour");
  if (wanted !== null && !["red", "green", "blue"].includes(wanted)) return undefined;
  const order = given.get("sort") ?? "id";
  if (order !== "id" && (order !== "weight" || fault === "refused-sort")) return undefined;
  const most = number["limit"] ?? 40;
  if (most > 50 || (most < 1 && fault !== "low-limit")) return undefined;
  const onlyFresh = flags[0] === "true" && fault !== "ignored-narrowing";
  const withSold = (flags[1] === "true") !== (fault === "turned-widening");
  return all
    .filter((one) => wanted === null || one.colour === wanted)
    .filter(({ weight }) => weight >= (number["min_weight"] ?? 0) && weight <= (number["max_weight"] ?? 99))
    .filter(({ height }) => height >= (number["min_height"] ?? 0) && height <= (number["max_height"] ?? 99))
    .filter(({ fresh }) => !onlyFresh || fresh)
    .filter(({ sold }) => withSold || !sold || (fault === "foreign-narrowing" && onlyFresh))
    .toSorted((left, right) => (order === "id" ? left.id - right.id : left.weight - right.weight))
    .slice(0, most);
}

async function play(fault?: (typeof faults)[number]): Promise<Report> {
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const found = pathname === "/stalls" ? responseTo(searchParams, fault) : undefined;
    const status = pathname !== "/stalls" ? 404 : found === undefined ? 400 : 200;
    const text = JSON.stringify(found ?? { message: "no" });
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    response.end(request.method === "HEAD" ? undefined : text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return playSuite(stalls, { baseUrl: `http://127.0.0.1:${port}`, seed: "1234567890abcdef", rate: 10_000 });
}

describe("an operation with many parameters", () => {
  test("is played within its calls, and nothing is found that is right", async () => {
    const report = await play();
    expect(report.cases.filter(({ verdict }) => verdict === "failed" || verdict === "warned")).toEqual([]);
    const ids = report.cases.filter(({ verdict }) => verdict === "passed").map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        "listStalls/boundary/values-1",
        "listStalls/relation/filter-colour",
        "listStalls/relation/range-max-height",
        "listStalls/relation/effect-only-fresh",
        "listStalls/relation/effect-include-sold",
        "listStalls/negative/limit-below-minimum",
      ]),
    );
  });

  test.each([
    ["ignored-narrowing", "P025"],
    ["foreign-narrowing", "P025"],
    ["turned-widening", "P025"],
    ["refused-sort", "P012"],
    ["low-limit", "P014"],
  ] as const)("is found wrong where it has the fault %s", async (fault, rule) => {
    const failed = blamedCases(await play(fault));
    expect(failed.flatMap(({ findings }) => findings.map(({ rule }) => rule))).toContain(rule);
  });
});
