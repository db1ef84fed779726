import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { httpOperation, httpSuite } from "../../run/testing/suites.ts";
import type { HttpSuite, SuiteParameter } from "../../suite/suite.ts";
import type { RecordMember, SuiteType } from "../../suite/suite-type.ts";
import { blamedCases } from "../../testing/blamed-cases.ts";

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const code: SuiteType = { kind: "string", pattern: "^[A-Z]{3}$" };
const latitude: SuiteType = { kind: "number", integer: false, minimum: -90, maximum: 90 };
const days: SuiteType = { kind: "number", integer: true, minimum: 1, maximum: 7, default: 3 };
const full: SuiteType = { kind: "boolean", default: false };
const language: SuiteType = { kind: "enumeration", values: ["en", "de"] };

function member(name: string, type: SuiteType, required = true): RecordMember {
  return { name, type, required };
}

function query(name: string, type: SuiteType, more: Partial<SuiteParameter> = {}): SuiteParameter {
  return { name, property: name, location: "query", required: false, type, ...more };
}

const note: SuiteType = { kind: "record", members: [member("message", { kind: "string" })] };

/** A forecast that repeats its request: the location, and the currency of its costs. */
const weather: HttpSuite = httpSuite([
  httpOperation(
    "getForecast",
    "/forecast",
    {
      kind: "record",
      members: [
        member("lat", latitude),
        member("base", code),
        member("highs", { kind: "list", element: { kind: "number", integer: true } }),
        member("station", { kind: "string" }, false),
      ],
    },
    {
      parameters: [
        query("lat", latitude, { required: true, examples: [52.5] }),
        query("base", code, { examples: ["USD"] }),
        query("days", days),
        query("verbose", full),
        { name: "Accept-Language", property: "acceptLanguage", location: "header", required: false, type: language },
      ],
      failures: [
        {
          name: "Invalid",
          status: 400,
          contents: [{ mediaType: "application/json", form: "json", type: note }],
          headers: [],
        },
      ],
    },
  ),
]);

interface Forecast {
  lat: number;
  base: string;
  highs: number[];
  station?: string;
}

/**
 * Returns violated rules. `change` makes the server faulty; `refuses` returns whether a query is refused in addition to the invalid ones.
 */
async function rulesOf({
  change = () => {},
  refuses = () => false,
}: {
  readonly change?: (forecast: Forecast, given: URLSearchParams) => unknown;
  readonly refuses?: (given: URLSearchParams) => boolean;
}): Promise<readonly string[]> {
  const server = createServer((request, response) => {
    const { pathname, searchParams: given } = new URL(request.url ?? "/", "http://localhost");
    const send = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(request.method === "HEAD" ? undefined : JSON.stringify(body));
    };
    if (pathname !== "/forecast") return send(404, { message: "nothing" });
    if (request.method !== "GET" && request.method !== "HEAD") return send(405, { message: "no" }, { allow: "GET" });
    const [lat, base, many, verbose] = ["lat", "base", "days", "verbose"].map((name) => given.get(name));
    const isRight =
      /^-?\d+(?:\.\d+)?$/.test(lat ?? "") &&
      Math.abs(Number(lat)) <= 90 &&
      /^[A-Z]{3}$/.test(base ?? "EUR") &&
      /^[1-7]$/.test(many ?? "3") &&
      /^(?:true|false)$/.test(verbose ?? "true");
    if (!isRight || refuses(given)) return send(400, { message: "not valid" });
    const forecast: Forecast = {
      lat: Number(lat),
      base: base ?? "EUR",
      highs: Array.from({ length: Number(many ?? 3) }, (_none, index) => 10 + index),
      ...(verbose === "true" ? { station: "North" } : {}),
    };
    change(forecast, given);
    send(200, forecast);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const report = await playSuite(weather, { baseUrl, seed: "abc", rate: 100_000 });
  return [...new Set(blamedCases(report).flatMap(({ findings }) => findings.map(({ rule }) => rule)))];
}

describe("An answer to a query", () => {
  test("is right where it repeats what was asked for, whatever it thinks of preferences", async () => {
    expect(await rulesOf({})).toEqual([]);
  });

  test("may repeat a number that its grid has", async () => {
    const change = (forecast: Forecast): void => {
      forecast.lat -= 0.02 * Math.sign(forecast.lat);
    };
    expect(await rulesOf({ change })).toEqual([]);
  });

  test.each<[string, (forecast: Forecast) => unknown]>([
    ["another number", (forecast) => Object.assign(forecast, { lat: forecast.lat / 2 + 1 })],
    ["another text", (forecast) => Object.assign(forecast, { base: "JPY" })],
  ])("does not repeat %s", async (_what, change) => {
    expect(await rulesOf({ change })).toContain("P022");
  });

  test("does not say less where it was asked for more", async () => {
    const change = (forecast: Forecast, given: URLSearchParams): void => {
      if (given.get("verbose") === "true") delete forecast.station;
      else forecast.station = "North";
    };
    expect(await rulesOf({ change })).toContain("P025");
  });
});

test.each([
  ["the end of a short range", "days", "7"],
  ["a value that the description shows", "base", "USD"],
])("A server does not refuse %s", async (_what, name, value) => {
  expect(await rulesOf({ refuses: (given) => given.get(name) === value })).toContain("P012");
});
