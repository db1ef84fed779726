import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ContentFacts, HttpOperation, ValueFacts } from "../operations/operation.ts";
import { restOperation } from "../testing/hand-made-operations.ts";
import { defaultResponseValidation, type RestOptions } from "./plugin-options.ts";
import { createRestPlugin, type RestHandlers } from "./rest-plugin.ts";
import { withPaths } from "./with-paths.ts";

const json: ContentFacts = { mediaType: "application/json", form: "json" };
const csv: ContentFacts = { mediaType: "text/csv", form: "text" };
const lines: ContentFacts = { mediaType: "application/x-ndjson", form: "json-lines" };
const events: ContentFacts = { mediaType: "text/event-stream", form: "event-stream" };
const rows = { name: "x-rows", property: "rows", required: false };
const cacheControl = { name: "cache-control", property: "cacheControl", required: false };

function operation(name: string, changes: Partial<HttpOperation> = {}): HttpOperation {
  return restOperation({ name, method: "GET", path: `/${name}`, ...changes });
}

const operations = {
  report: operation("report", {
    returns: "reply",
    successes: [
      { status: 200, content: json, headers: [] },
      { status: 200, content: csv, headers: [rows] },
      { status: 202, content: json, headers: [] },
    ],
  }),
  lines: operation("lines", { successes: [{ status: 200, content: lines, headers: [] }] }),
  events: operation("events", { successes: [{ status: 200, content: events, headers: [] }] }),
  cached: operation("cached", {
    returns: "reply",
    successes: [{ status: 200, content: events, headers: [cacheControl] }],
  }),
  note: operation("note", { method: "POST", body: { required: false, contents: [json, csv] } }),
  upload: operation("upload", {
    method: "POST",
    body: { required: true, contents: [lines] },
    inputItem: {
      is: (value) => typeof value === "number",
      violationsOf: (_wire, pointer = "") => [{ pointer, keyword: "type", message: "is no number" }],
    },
  }),
  form: operation("form", {
    method: "POST",
    body: {
      required: true,
      contents: [
        {
          mediaType: "application/x-www-form-urlencoded",
          form: "form",
          properties: [{ name: "n", form: "json" }],
        },
      ],
    },
  }),
};

const opened: FastifyInstance[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

async function serve(
  handlers: RestHandlers<undefined>,
  changes: Partial<RestOptions<undefined>> = {},
): Promise<FastifyInstance> {
  const app = fastify();
  opened.push(app);
  await app.register(createRestPlugin(operations, handlers, { context: () => undefined, ...changes }));
  return app;
}

/** Creates items that count their returns. */
function counted() {
  const state = { returned: 0 };
  async function* items() {
    try {
      yield { data: 1 };
      yield { data: 2 };
    } finally {
      state.returned += 1;
    }
  }
  return { state, items };
}

describe("the response of a REST operation", () => {
  it("is the one that each reply means, by its status and media type, or else the first", async () => {
    const replies = [
      { status: 202, body: 1 },
      { body: 2 },
      { contentType: "text/csv", headers: { rows: 3 }, body: "a" },
      { body: 4 },
    ];
    const app = await serve({ report: () => replies.shift() });
    const got: unknown[] = [];
    for (let count = 0; count < 4; count += 1) {
      const { statusCode, headers, body } = await app.inject("/report");
      got.push([statusCode, headers["content-type"], headers["x-rows"], body]);
    }
    expect(got).toEqual([
      [202, "application/json", undefined, "1"],
      [200, "application/json", undefined, "2"],
      [200, "text/csv", "3", "a"],
      [200, "application/json", undefined, "4"],
    ]);
  });

  it("is checked as it was written, without the members that are undefined", async () => {
    const seen: unknown[] = [];
    const output: ValueFacts<unknown> = {
      is: (value) => {
        seen.push(value);
        return true;
      },
      violationsOf: () => [],
    };
    const app = fastify();
    opened.push(app);
    const checked = { note: operation("note", { output }) };
    await app.register(
      createRestPlugin(
        checked,
        { note: () => ({ a: undefined, b: 1 }) },
        { context: () => undefined, validateResponses: "throw" },
      ),
    );
    expect((await app.inject("/note")).body).toBe('{"b":1}');
    expect(seen).toStrictEqual([{ b: 1 }]);
  });

  it("of items is kept by no cache where it is one of events, unless it says otherwise", async () => {
    async function* items() {
      yield { data: 1 };
    }
    const app = await serve({
      lines: items,
      events: items,
      cached: () => ({ headers: { cacheControl: "max-age=5" }, body: items() }),
    });
    const cachingOf = async (path: string): Promise<unknown> => (await app.inject(path)).headers["cache-control"];
    expect(await cachingOf("/lines")).toBeUndefined();
    expect(await cachingOf("/events")).toBe("no-store");
    expect(await cachingOf("/cached")).toBe("max-age=5");
  });

  it("of items is empty for HEAD, and the items are given back", async () => {
    const { state, items } = counted();
    const app = await serve({ events: items });
    const head = await app.inject({ method: "HEAD", url: "/events" });
    expect([head.statusCode, head.headers["content-type"], head.body]).toEqual([200, "text/event-stream", ""]);
    expect(state.returned).toBe(1);
  });
});

describe("the body of a REST request", () => {
  it("that is not there is no member of the input", async () => {
    const inputs: unknown[] = [];
    const app = await serve({
      note: (input) => {
        inputs.push(input);
        return null;
      },
    });
    await app.inject({ method: "POST", url: "/note" });
    await app.inject({ method: "POST", url: "/note", payload: { a: 1 } });
    expect(inputs).toStrictEqual([{}, { body: { a: 1 }, contentType: "application/json" }]);
  });

  it("of a form keeps long integers, and is no deeper than it may be", async () => {
    const app = await serve({ form: ({ body }: { body: { n: unknown } }) => String(body.n) });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const send = async (payload: string) => app.inject({ method: "POST", url: "/form", headers, payload });
    expect((await send("n=9007199254740993")).body).toBe('"9007199254740993"');
    expect((await send(`n=${"[".repeat(5_000)}`)).statusCode).toBe(413);
  });

  it("of items is refused at the first that is wrong, with its place", async () => {
    const app = await serve({
      upload: async ({ body }: { body: AsyncIterable<number> }) => {
        let sum = 0;
        for await (const item of body) sum += item;
        return sum;
      },
    });
    const headers = { "content-type": "application/x-ndjson" };
    const send = async (payload: string) => app.inject({ method: "POST", url: "/upload", headers, payload });
    expect((await send("1\n2\n")).body).toBe("3");
    const wrong = await send("1\ntrue\n");
    expect([wrong.statusCode, wrong.body]).toEqual([400, "The body is wrong: /body/1 is no number"]);
    const broken = await send("1\n{\n");
    expect(broken.statusCode).toBe(400);
    // The items have no decoder: an integer beyond 2^53 is the nearest double.
    expect((await send("9007199254740993\n")).body).toBe("9007199254740992");
  });
});

describe("operations with other paths", () => {
  it("keep their own where they are given none", () => {
    const moved = withPaths(operations, { lines: "/rows", events: undefined });
    expect([moved["lines"]?.path, moved["events"]?.path, moved["note"]?.path]).toEqual(["/rows", "/events", "/note"]);
  });
});

describe("responses are validated by default", () => {
  it.each([
    ["production", "off"],
    ["development", "log"],
    [undefined, "log"],
  ])("in %s: %s", (environment, validation) => {
    vi.stubEnv("NODE_ENV", environment);
    expect(defaultResponseValidation()).toBe(validation);
  });
});
