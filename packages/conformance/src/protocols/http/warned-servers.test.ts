import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import type { RunOptions } from "../../contract/options.ts";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import { httpOperation, httpSuite, integer, text } from "../../run/testing/suites.ts";
import type { HttpSuite, SuiteContent, SuiteFailure } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";

interface TestRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Replacement for the reply of the conforming server. */
type Fault = (right: Reply, requested: TestRequest) => Reply;

const kettle: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: { ...integer, minimum: 1 } as SuiteType, required: true },
    { name: "colour", type: text, required: true },
  ],
};
const problem: SuiteContent = {
  mediaType: "application/problem+json",
  form: "json",
  type: { kind: "record", members: [{ name: "status", type: integer, required: true }] },
};

function failure(status: number, contents: readonly SuiteContent[] = [problem]): SuiteFailure {
  return { name: `Status${status}`, status, contents, headers: [] };
}

const lookUp = httpOperation("getKettle", "/kettles/{id}", kettle, {
  parameters: [
    {
      name: "id",
      property: "id",
      location: "path",
      required: true,
      decoding: "integer",
      type: { ...integer, minimum: 1 } as SuiteType,
    },
  ],
  failures: [failure(400), failure(404)],
  examples: [
    { name: "red", input: { id: 7 }, outcome: { kind: "success", status: 200, value: { id: 7, colour: "red" } } },
    { name: "none", input: { id: 8 }, outcome: { kind: "failure", status: 404 } },
    { name: "nought", input: { id: 0 }, outcome: { kind: "failure", status: 400 } },
  ],
});
const search = httpOperation(
  "listKettles",
  "/kettles",
  { kind: "list", element: kettle },
  {
    parameters: [{ name: "colour", property: "colour", location: "query", required: true, type: text }],
    failures: [failure(400)],
    examples: [
      {
        name: "red-ones",
        input: { colour: "red" },
        outcome: { kind: "success", status: 200, value: [{ id: 7, colour: "red" }] },
      },
    ],
  },
);
const report = httpOperation("getReport", "/report", kettle, {
  successes: [
    { status: 200, content: { mediaType: "application/json", form: "json", type: kettle }, headers: [] },
    { status: 200, content: { mediaType: "text/csv", form: "text", type: text }, headers: [] },
  ],
  failures: [failure(406)],
});
const suite = httpSuite([lookUp, search, report]);

function failed(status: number): Reply {
  return { status, headers: { "content-type": "application/problem+json" }, body: JSON.stringify({ status }) };
}

function rightReply({ method, path, query, headers }: TestRequest): Reply {
  if (!/^\/(?:report|kettles(?:\/[^/]+)?)$/.test(path)) return failed(404);
  if (method !== "GET" && method !== "HEAD") return { ...failed(405), headers: { allow: "GET, HEAD" } };
  const json = { "content-type": "application/json", etag: '"one"', vary: "Accept" };
  if (headers["if-none-match"] === '"one"') return { status: 304, headers: { etag: '"one"', vary: "Accept" } };
  if (path === "/report") {
    const accept = headers.accept ?? "*/*";
    if (/text\/csv/.test(accept) && !/json/.test(accept))
      return { status: 200, headers: { ...json, "content-type": "text/csv" }, body: "id,colour\n7,red\n" };
    return /json|\*\/\*/.test(accept)
      ? { status: 200, headers: json, body: JSON.stringify({ id: 7, colour: "red" }) }
      : failed(406);
  }
  if (path === "/kettles") {
    const colour = query.get("colour");
    if (colour === null) return failed(400);
    return { status: 200, headers: json, body: colour === "red" ? '[{"id":7,"colour":"red"}]' : "[]" };
  }
  const id = path.slice("/kettles/".length);
  if (!/^[1-9]\d*$/.test(id)) return failed(400);
  return id === "7" ? { status: 200, headers: json, body: '{"id":7,"colour":"red"}' } : failed(404);
}

function listener(fault: Fault): RequestListener {
  return ({ url = "/", method = "GET", headers }, response) => {
    const { pathname: path, searchParams: query } = new URL(url, "http://localhost");
    const requested = { method, path, query, headers };
    const { status, headers: reported = {}, body = "" } = fault(rightReply(requested), requested);
    response.writeHead(status, reported).end(method === "HEAD" ? undefined : body);
  };
}

/** Returns the ids of all rules in a report, of any level. */
async function reported(
  fault: Fault,
  of: HttpSuite = suite,
  more: Partial<RunOptions> = {},
): Promise<readonly string[]> {
  const baseUrl = await serve(listener(fault));
  const { cases } = await playSuite(of, { baseUrl, seed: "5eed", rate: 10_000, ...more });
  return [...new Set(cases.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].sort();
}

const csv = /^text\/csv$/;
/** Number of issued entity tags. */
let tags = 0;

describe("a server", () => {
  it("that is right has no findings", async () => {
    expect(await reported((right) => right)).toEqual([]);
  });

  it("that tells a length only to HEAD has none either", async () => {
    const fault: Fault = (right, { method }) =>
      method === "HEAD" && right.status === 200
        ? { ...right, headers: { ...right.headers, "content-length": "1" } }
        : { ...right, headers: { ...right.headers, "transfer-encoding": "chunked" } };
    expect(await reported(fault)).toEqual([]);
  });

  it("that has a clock in its content has none, though HEAD has another length", async () => {
    let time = 0;
    const fault: Fault = (right, { method }) => {
      if (right.status !== 200) return right;
      time += 1;
      const body = `${right.body ?? ""}${" ".repeat(time % 3)}${"\t".repeat(2 - (time % 3))}${" ".repeat(method === "HEAD" ? 1 : 0)}`;
      return { ...right, body, headers: { ...right.headers, "content-length": String(Buffer.byteLength(body)) } };
    };
    expect(await reported(fault)).not.toContain("H402");
  });

  it("that has another entity tag for other content has none", async () => {
    let time = 0;
    const fault: Fault = (right, { headers }) => {
      if (right.status !== 200 && right.status !== 304) return right;
      time += 1;
      const tag = { etag: `"${time}"` };
      if (right.status === 304)
        return rightReply({ method: "GET", path: "/nowhere", query: new URLSearchParams(), headers });
      return { ...right, headers: { ...right.headers, ...tag }, body: `${right.body ?? ""}${" ".repeat(time)}` };
    };
    expect(await reported(fault)).not.toContain("H412");
  });

  it("that refuses an input by another documented status has none", async () => {
    const typed = httpSuite([{ ...search, failures: [failure(400), failure(415), failure(404)] }]);
    const by =
      (status: number): Fault =>
      (right, { path }) =>
        path === "/kettles" && right.status === 400 ? failed(status) : right;
    expect(await reported(by(415), typed)).toEqual([]);
    expect(await reported(by(404), typed)).toContain("P014");
    expect(await reported(by(406), typed)).toContain("P014");
  });

  it.each<[string, string, Fault]>([
    [
      "gives another entity tag each time",
      "H412",
      (right) => {
        if (right.headers?.["etag"] === undefined) return right;
        tags += 1;
        return right.status === 304
          ? { status: 200, headers: { "content-type": "application/json", etag: `"${tags}"` }, body: "[]" }
          : { ...right, headers: { ...right.headers, etag: `"${tags}"` } };
      },
    ],
    [
      "answers a documented failure with a success",
      "P032",
      (right, { path }) => (path === "/kettles/0" ? { ...right, status: 200, body: '{"id":7,"colour":"red"}' } : right),
    ],
    [
      "redirects",
      "H115",
      (right, { path }) => (path === "/report" ? { status: 307, headers: { location: "/" } } : right),
    ],
    [
      "tells another status than it has",
      "H118",
      (right) => ({
        ...right,
        ...(right.body === undefined ? {} : { body: right.body.replace('{"status":404}', '{"status":400}') }),
      }),
    ],
    [
      "looks at Accept and refuses what is documented",
      "H119",
      (right, { headers, path }) => (path === "/report" && csv.test(headers.accept ?? "") ? failed(406) : right),
    ],
    [
      "answers what it can't serve with a success",
      "H120",
      (right, { path }) =>
        path === "/report" && right.status === 406
          ? { status: 200, headers: { "content-type": "application/json" }, body: '{"id":7,"colour":"red"}' }
          : right,
    ],
    [
      "serves another media type without a word of Accept",
      "H121",
      (right, { path }) =>
        path === "/report" && right.status === 200
          ? { status: 200, headers: { "content-type": "application/json" }, body: '{"id":7,"colour":"red"}' }
          : right,
    ],
    [
      "takes a request without a required input",
      "P014",
      (right, { path }) =>
        path === "/kettles" && right.status === 400
          ? { status: 200, headers: { "content-type": "application/json" }, body: "[]" }
          : right,
    ],
    [
      "refuses what asks for nothing it has by another failure",
      "H309",
      (right, { headers }) => (headers.accept === "application/x-nodewright" ? failed(400) : right),
    ],
    [
      "tells another length to HEAD than it sends",
      "H402",
      (right, { method }) => {
        const length = Buffer.byteLength(right.body ?? "");
        if (right.status !== 200) return right;
        return { ...right, headers: { ...right.headers, "content-length": String(method === "HEAD" ? 1 : length) } };
      },
    ],
    [
      "answers any path with 400",
      "H401",
      (right, { path }) => (/^\/(?:kettles|report)/.test(path) ? right : failed(400)),
    ],
    [
      "answers any path with data",
      "H409",
      (right, { path }) =>
        /^\/(?:kettles|report)/.test(path) || path.includes("nodewright")
          ? right
          : { status: 200, headers: { "content-type": "application/json" }, body: "{}" },
    ],
    ["does not know HEAD", "H402", (right, { method }) => (method === "HEAD" ? failed(405) : right)],
    ["answers other methods with 404", "H403", (right) => (right.status === 405 ? failed(404) : right)],
    [
      "refuses a tag that it did not give",
      "H407",
      (right, { headers }) => (headers["if-none-match"] === '"nodewright-no-such-tag"' ? failed(400) : right),
    ],
    [
      "looks at no tag",
      "H408",
      (right, requested) =>
        right.status === 304
          ? rightReply({ ...requested, headers: { ...requested.headers, "if-none-match": "" } })
          : right,
    ],
  ])("that %s is told so by %s", async (_name, rule, fault) => {
    expect(await reported(fault)).toContain(rule);
  });

  it("looks at tags where the description says so", async () => {
    const ignoring: Fault = (right, requested) =>
      right.status === 304
        ? rightReply({ ...requested, headers: { ...requested.headers, "if-none-match": "" } })
        : right;
    const conditional = httpSuite([{ ...report, failures: [failure(304, []), failure(406)] }]);
    expect(await reported(ignoring, conditional)).toContain("H410");
  });

  it("has no body where the description has none", async () => {
    const ping = httpOperation("ping", "/report", text, { successes: [{ status: 200, headers: [] }] });
    expect(await reported((right) => right, httpSuite([ping]))).toContain("H112");
  });

  it("tells a failure in the words that the description fixes", async () => {
    const fixed = lookUp.examples.map((example) =>
      example.outcome.kind === "failure"
        ? { ...example, outcome: { ...example.outcome, message: "No such kettle" } }
        : example,
    );
    const wordy: Fault = (right) =>
      right.status === 404 ? { ...right, body: '{"status":404,"detail":"gone","message":"gone"}' } : right;
    const exact = { examples: "exact" } as const;
    expect(await reported(wordy, httpSuite([{ ...lookUp, examples: fixed }]), exact)).toContain("P033");
  });

  it("does not find what does not exist", async () => {
    const inventive: Fault = (right, { path }) =>
      right.status === 404 && path.startsWith("/kettles/")
        ? { status: 200, headers: { "content-type": "application/json" }, body: '{"id":7,"colour":"red"}' }
        : right;
    const undocumented = httpSuite([{ ...lookUp, failures: [], examples: lookUp.examples.slice(0, 1) }]);
    expect((await reported(inventive, undocumented)).some((rule) => rule === "P037" || rule === "P037")).toBe(true);
  });
});

describe("keys", () => {
  const options = { apiKey: "right-key-of-the-run" };
  const guarded = (scheme: HttpSuite["security"][string]): HttpSuite =>
    httpSuite(
      suite.operations.map((one) => ({
        ...one,
        failures: [...one.failures, failure(401)],
        security: [[{ scheme: "key", scopes: [] }]],
      })),
      { security: { key: scheme } },
    );
  const bearer = guarded({ kind: "bearer", location: "header", parameter: "Authorization" });
  const header = guarded({ kind: "api-key", location: "header", parameter: "X-Key" });
  const refusing =
    (reply: Reply): Fault =>
    (right, { headers }) =>
      headers.authorization === "Bearer right-key-of-the-run" || headers["x-key"] === "right-key-of-the-run"
        ? right
        : { ...failed(reply.status), ...reply, headers: { ...failed(reply.status).headers, ...reply.headers } };

  it("that are missing or wrong are answered as HTTP has it", async () => {
    const challenged = refusing({ status: 401, headers: { "www-authenticate": "Bearer" } });
    expect(await reported(challenged, bearer, options)).toEqual([]);
    expect(await reported(refusing({ status: 400 }), bearer, options)).toContain("P042");
    expect(await reported(refusing({ status: 401 }), bearer, options)).toContain("P043");
    expect(await reported(refusing({ status: 401 }), header, options)).toContain("P044");
  });
});
