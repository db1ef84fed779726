import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { RunOptions } from "../../contract/options.ts";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import type { HttpSuite, SuiteExample, SuiteFailure, SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { createRandom, sampleOf } from "@nodewright/api-values";
import { blamedCases } from "../../testing/blamed-cases.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

interface TestRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

type Handler = (requested: TestRequest) => Reply;

async function serve(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const { method = "GET", headers } = request;
    const reply = handler({ method, path: url.pathname, query: url.searchParams, headers });
    const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(method === "HEAD" || reply.status === 304 ? undefined : text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const integer: SuiteType = { kind: "number", integer: true };
const text: SuiteType = { kind: "string" };
const genre: SuiteType = { kind: "enumeration", values: ["novel", "poetry"] };

function required(name: string, type: SuiteType): RecordMember {
  return { name, type, required: true };
}

const types: SuiteTypes = {
  Book: {
    kind: "record",
    members: [
      required("id", integer),
      required("title", text),
      required("genre", genre),
      required("price", { kind: "number", integer: false, minimum: 0 }),
    ],
  },
  Page: {
    kind: "record",
    members: [
      required("items", { kind: "list", element: { kind: "reference", target: "Book" } }),
      required("total", integer),
    ],
  },
  Problem: { kind: "record", members: [required("message", text)] },
};

function json(type: SuiteType): { readonly mediaType: string; readonly form: "json"; readonly type: SuiteType } {
  return { mediaType: "application/json", form: "json", type };
}

function failure(name: string, status: number): SuiteFailure {
  return { name, status, contents: [json({ kind: "reference", target: "Problem" })], headers: [] };
}

function query(name: string, type: SuiteType): SuiteParameter {
  return { name, property: name, location: "query", required: false, type };
}

type Given = Pick<SuiteHttpOperation, "name" | "path"> & Partial<SuiteHttpOperation>;

function operation(given: Given): SuiteHttpOperation {
  return {
    origin: `GET ${given.path}`,
    method: "GET",
    tags: [],
    parameters: [],
    successes: [],
    failures: [],
    examples: [],
    links: [],
    relations: [],
    extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
    ...given,
  };
}

const books = [
  { id: 101, title: "Zephyr", genre: "novel", price: 12.5 },
  { id: 108, title: "Alder", genre: "poetry", price: 7.25 },
  { id: 115, title: "Moss", genre: "novel", price: 30 },
  { id: 122, title: "Kelp", genre: "poetry", price: 9.5 },
  { id: 129, title: "Birch", genre: "novel", price: 15 },
];

const bookExample: SuiteExample = {
  name: "moss",
  input: { bookId: 115 },
  outcome: { kind: "success", status: 200, value: books[2] ?? {} },
};

const listExample: SuiteExample = {
  name: "all",
  input: {},
  outcome: { kind: "success", status: 200, value: { items: books, total: 5 } },
};

const shop: HttpSuite = {
  format: 2,
  protocol: "http",
  name: "shop",
  title: "Shop",
  version: "1",
  source: "shop.yaml",
  security: {},
  types,
  operations: [
    operation({
      name: "listBooks",
      path: "/books",
      parameters: [
        query("limit", { ...integer, minimum: 1, maximum: 50, default: 20 } as SuiteType),
        query("offset", { ...integer, minimum: 0, default: 0 } as SuiteType),
        query("genre", genre),
        query("minPrice", { kind: "number", integer: false, minimum: 0 }),
        query("sort", { kind: "enumeration", values: ["title", "-title", "price"] }),
      ],
      successes: [
        {
          status: 200,
          content: json({ kind: "reference", target: "Page" }),
          headers: [{ name: "x-total-count", required: true, type: integer }],
        },
      ],
      failures: [failure("BadRequest", 400)],
      examples: [listExample],
    }),
    operation({
      name: "getBook",
      path: "/books/{bookId}",
      parameters: [
        {
          name: "bookId",
          property: "bookId",
          location: "path",
          required: true,
          decoding: "integer",
          type: { ...integer, minimum: 1 } as SuiteType,
        },
      ],
      successes: [{ status: 200, content: json({ kind: "reference", target: "Book" }), headers: [] }],
      failures: [failure("BadRequest", 400), failure("NotFound", 404)],
      examples: [bookExample],
    }),
  ],
};

/** The same suite without its examples. */
const bareShop: HttpSuite = { ...shop, operations: shop.operations.map((one) => ({ ...one, examples: [] })) };

function refuse(): Reply {
  return { status: 400, headers: {}, body: { message: "that can't be" } };
}

function gone(): Reply {
  return { status: 404, headers: {}, body: { message: "not there" } };
}

/** Creates a conforming server. `ignores`: a parameter without effect. `takes`: one that is not validated. */
function shopServer({ ignores = "", takes = "" } = {}): Handler {
  return ({ method, path, query: given }) => {
    if (path !== "/books" && !/^\/books\/[^/]+$/.test(path)) return gone();
    if (method !== "GET" && method !== "HEAD") {
      return { status: 405, headers: { allow: "GET, HEAD" }, body: { message: "no" } };
    }
    if (path !== "/books") {
      const id = path.slice("/books/".length);
      if (!/^[1-9]\d*$/.test(id)) return refuse();
      const found = books.find((book) => String(book.id) === id);
      return found === undefined ? gone() : { status: 200, headers: {}, body: found };
    }
    const value = (name: string): string | null => (name === ignores ? null : given.get(name));
    const patterns = {
      limit: /^(?:[1-9]|[1-4]\d|50)$/,
      offset: /^\d+$/,
      genre: /^(?:novel|poetry)$/,
      sort: /^(?:-?title|price)$/,
    };
    for (const [name, pattern] of Object.entries(patterns)) {
      if (name !== takes && !pattern.test(value(name) ?? given.get(name) ?? "1")) {
        if ((value(name) ?? "") !== "") return refuse();
      }
    }
    const least = value("minPrice");
    if (least !== null && !(Number(least) >= 0)) return refuse();
    const sort = value("sort");
    const kind = value("genre");
    const found = books
      .filter((book) => (kind === null || book.genre === kind) && (least === null || book.price >= Number(least)))
      .toSorted((left, right) => {
        if (sort === null) return 0;
        if (sort === "price") return left.price - right.price;
        return left.title.localeCompare(right.title) * (sort === "-title" ? -1 : 1);
      });
    const offset = Number(value("offset") ?? 0);
    const limit = Number(value("limit") ?? 20) || 20;
    const items = found.slice(offset, offset + limit);
    return { status: 200, headers: { "x-total-count": String(found.length) }, body: { items, total: found.length } };
  };
}

async function play(suite: HttpSuite, handler: Handler, options: Partial<RunOptions> = {}): Promise<Report> {
  const baseUrl = await serve(handler);
  return playSuite(suite, { baseUrl, seed: "5eed", rate: 5000, ...options });
}

function findingsOf(report: Report): readonly string[] {
  return report.cases.flatMap(({ id, findings }) => findings.map(({ rule, message }) => `${id}: ${rule} ${message}`));
}

function rulesOf(report: Report): ReadonlySet<string> {
  return new Set(blamedCases(report).flatMap(({ findings }) => findings.map(({ rule }) => rule)));
}

interface Changed {
  readonly requested: TestRequest;
  readonly reply: Reply;
  readonly calls: number;
  /** Elements of a page, or the single object. */
  readonly objects: Record<string, unknown>[];
}

/** Returns the conforming server with changed responses. */
function changed(change: (changed: Changed) => Reply | undefined, of: "list" | "book"): Handler {
  const right = shopServer();
  let calls = 0;
  return (requested) => {
    const reply = structuredClone(right(requested));
    const isList = requested.path === "/books";
    if (isList !== (of === "list") || reply.status !== 200) return reply;
    calls += 1;
    const body = reply.body as Record<string, unknown>;
    const objects = (isList ? body["items"] : [body]) as Record<string, unknown>[];
    return change({ requested, reply, calls, objects }) ?? reply;
  };
}

function inBoth(change: (changed: Changed) => Reply | undefined): Handler {
  const right = shopServer();
  const list = changed(change, "list");
  const book = changed(change, "book");
  return (requested) =>
    requested.path === "/books"
      ? list(requested)
      : requested.path.startsWith("/books/")
        ? book(requested)
        : right(requested);
}

describe("A server that is right", () => {
  test.each([
    ["with examples", shop],
    ["without any example", bareShop],
  ])("is not blamed for anything, %s", async (_name, suite) => {
    const report = await play(suite, shopServer());
    expect(findingsOf(report)).toEqual([]);
    expect(report.outcome).toBe("conforms");
    expect(report.requests).toBeLessThan(100);
  });

  test("may have further members and headers, other spellings of numbers and other texts of failures", async () => {
    const report = await play(
      shop,
      inBoth(({ reply, objects }) => {
        for (const one of objects) one["shelf"] = 7;
        const body = JSON.stringify(reply.body).replaceAll(/:(\d+),/g, ":$1.0,");
        return { ...reply, headers: { ...reply.headers, "content-type": "Application/JSON; charset=UTF-8" }, body };
      }),
    );
    expect(findingsOf(report)).toEqual([]);
  });

  test("may count on between answers", async () => {
    let tip = 100;
    const types: SuiteTypes = {
      Tip: { kind: "record", members: [required("height", integer), required("hash", text)] },
    };
    const hash = "ab".repeat(32);
    const status = operation({
      name: "getTip",
      path: "/tip",
      successes: [{ status: 200, content: json({ kind: "reference", target: "Tip" }), headers: [] }],
      examples: [{ name: "then", input: {}, outcome: { kind: "success", status: 200, value: { height: 5, hash } } }],
    });
    const handler: Handler = ({ path }) => {
      if (path !== "/tip") return gone();
      tip += 1;
      return { status: 200, headers: {}, body: { height: tip, hash: tip.toString(16).padStart(64, "0") } };
    };
    const report = await play({ ...shop, types: { ...types, Problem: text }, operations: [status] }, handler);
    expect(report.outcome).toBe("conforms");
  });

  test("need not have what invented examples show", async () => {
    const invented: SuiteExample = {
      name: "doggie",
      input: { bookId: 10 },
      outcome: { kind: "success", status: 200, value: { id: 10, title: "string", genre: "novel", price: 0 } },
    };
    const [list, book] = shop.operations;
    if (list === undefined || book === undefined) throw new Error("The shop has two operations");
    const operations = [
      { ...list, examples: [] },
      { ...book, examples: [invented] },
    ];
    const report = await play({ ...shop, operations }, shopServer());
    expect(report.outcome).toBe("conforms");
  });
});

describe("A server is blamed that", () => {
  const responses: readonly (readonly [string, string, Handler])[] = [
    ["leaves out a required member", "H108", changed(({ objects }) => void delete objects[0]?.["price"], "book")],
    ["answers an undocumented success", "H103", changed(({ reply }) => ({ ...reply, status: 201 }), "book")],
    ["fails", "H105", changed(({ reply }) => ({ ...reply, status: 500 }), "list")],
    [
      "answers another media type",
      "H106",
      changed(({ reply }) => ({ ...reply, headers: { ...reply.headers, "content-type": "text/html" } }), "list"),
    ],
    ["answers no JSON", "H107", changed(({ reply }) => ({ ...reply, body: "{" }), "book")],
    ["leaves out a required header", "H109", changed(({ reply }) => ({ ...reply, headers: {} }), "list")],
    [
      "answers a header of another type",
      "H110",
      changed(({ reply }) => ({ ...reply, headers: { "x-total-count": "many" } }), "list"),
    ],
    ["does not find what it lists", "H201", changed(() => gone(), "book")],
    [
      "answers another object",
      "P020",
      changed(({ objects }) => void Object.assign(objects[0] ?? {}, { id: 7 }), "book"),
    ],
    [
      "lists an element twice",
      "P007",
      changed(({ objects }) => void (objects[0] !== undefined && objects.push(objects[0])), "list"),
    ],
    [
      "counts wrong",
      "P006",
      changed(({ reply }) => ({ ...reply, body: { ...(reply.body as object), total: 2 } }), "list"),
    ],
    [
      "counts wrong in a header",
      "P006",
      changed(({ reply }) => ({ ...reply, headers: { "x-total-count": "2" } }), "list"),
    ],
    [
      "lists something else than it shows alone",
      "P023",
      changed(({ objects }) => void Object.assign(objects[0] ?? {}, { title: "Other" }), "list"),
    ],
    [
      "is of two minds",
      "P011",
      changed(
        ({ objects, calls }) => void (calls % 2 === 0 && Object.assign(objects[0] ?? {}, { title: "Other" })),
        "book",
      ),
    ],
    [
      "gives too few for a limit",
      "P001",
      changed(({ requested, objects }) => void (requested.query.has("limit") && objects.pop()), "list"),
    ],
  ];

  test.each(responses)("%s", async (_what, rule, handler) => {
    expect(rulesOf(await play(bareShop, handler))).toContain(rule);
  });

  const ignored: readonly (readonly [string, string])[] = [
    ["limit", "P001"],
    ["offset", "P003"],
    ["genre", "P004"],
    ["minPrice", "P005"],
    ["sort", "P002"],
  ];

  test.each(ignored)("ignores %s", async (ignores, rule) => {
    expect(rulesOf(await play(bareShop, shopServer({ ignores })))).toContain(rule);
  });

  test.each(["limit", "offset", "genre", "sort"])("takes any %s", async (takes) => {
    const report = await play(bareShop, shopServer({ takes }));
    expect(rulesOf(report)).toContain("P014");
    const accepted = report.cases.flatMap(({ findings }) => findings).filter(({ rule }) => rule === "P014");
    const said = new RegExp(`^${takes}: .+ was accepted; by the schema, it must .+; status 200`);
    expect(accepted.map(({ detail = "" }) => said.test(detail))).toContain(true);
  });

  test("serves another value than the description shows, where it serves all else as shown", async () => {
    const handler = inBoth(({ objects }) => {
      for (const one of objects) if (one["id"] === 115) one["title"] = "Mess";
      return undefined;
    });
    expect(rulesOf(await play(shop, handler))).toContain("P030");
  });

  const failing: readonly (readonly [string, string, (reply: Reply) => Reply])[] = [
    ["answers a failure of another form", "H113", (reply) => ({ ...reply, body: { error: 1 } })],
    [
      "answers 200 for what is not there",
      "P036",
      (reply) => (reply.status === 404 ? { ...reply, status: 200 } : reply),
    ],
    [
      "invents what is not there",
      "P036",
      (reply) => (reply.status === 404 ? { ...reply, status: 200, body: books[0] } : reply),
    ],
    ["answers 500 for a wrong value", "H105", (reply) => (reply.status === 400 ? { ...reply, status: 500 } : reply)],
    ["has no Allow beside its 405", "H405", (reply) => (reply.status === 405 ? { ...reply, headers: {} } : reply)],
  ];

  test.each(failing)("%s", async (_what, rule, change) => {
    const right = shopServer();
    const handler: Handler = (requested) => {
      const reply = right(requested);
      return reply.status < 400 ? reply : change(reply);
    };
    expect(rulesOf(await play(bareShop, handler))).toContain(rule);
  });

  test("lets callers in without the key", async () => {
    const scheme = { kind: "api-key", location: "header", parameter: "x-api-key" } as const;
    const operations = bareShop.operations.map((one) => ({ ...one, security: [[{ scheme: "key", scopes: [] }]] }));
    const suite: HttpSuite = { ...bareShop, security: { key: scheme }, operations };
    expect(rulesOf(await play(suite, shopServer(), { apiKey: "secret-key" }))).toContain("P040");
    const right = shopServer();
    const guarded: Handler = (requested) =>
      requested.headers["x-api-key"] === "secret-key"
        ? right(requested)
        : { status: 401, headers: { "www-authenticate": "ApiKey" }, body: { message: "no key" } };
    expect((await play(suite, guarded, { apiKey: "secret-key" })).outcome).toBe("conforms");
  });
});

test("passwords that are not looked at are found, and none is shown", async () => {
  const scheme = { kind: "basic", location: "header", parameter: "Authorization" } as const;
  const operations = bareShop.operations.map((one) => ({ ...one, security: [[{ scheme: "crew", scopes: [] }]] }));
  const suite: HttpSuite = { ...bareShop, security: { crew: scheme }, operations };
  const options = { basic: { user: "crew", password: "blue-anchor" }, keepExchanges: true };
  const right = shopServer();
  const guarded =
    (isIn: (user: string, password: string) => boolean): Handler =>
    (requested) => {
      const [user = "", password = ""] = atob(String(requested.headers["authorization"]).slice("Basic ".length)).split(
        ":",
      );
      const headers = { "www-authenticate": "Basic" };
      return isIn(user, password) ? right(requested) : { status: 401, headers, body: { message: "no key" } };
    };
  const strict = await play(
    suite,
    guarded((user, password) => user === "crew" && password === "blue-anchor"),
    options,
  );
  expect(strict.outcome).toBe("conforms");
  const loose = await play(
    suite,
    guarded((user) => user === "crew"),
    options,
  );
  expect(rulesOf(loose)).toContain("P040");
  for (const report of [strict, loose]) expect(JSON.stringify(report)).not.toMatch(/blue-anchor|Ymx1ZS1hbmNob3/);
});

describe("A case", () => {
  test("has the same id and messages in every run, whatever the data is", async () => {
    const broken = (): Handler => changed(({ objects }) => void delete objects[0]?.["price"], "book");
    const [first, second] = [await play(bareShop, broken()), await play(bareShop, broken())];
    expect(findingsOf(first)).toEqual(findingsOf(second));
    expect(findingsOf(first).length).toBeGreaterThan(0);
    expect(findingsOf(first).join(" ")).not.toMatch(/101|Zephyr/);
  });

  test("of an operation that changes something is not sent", async () => {
    const methods = new Set<string>();
    const right = shopServer();
    const add = operation({
      name: "addBook",
      path: "/books",
      method: "POST",
      body: { required: true, contents: [json({ kind: "reference", target: "Book" })] },
      successes: [{ status: 201, headers: [] }],
    });
    await play({ ...bareShop, operations: [...bareShop.operations, add] }, (requested) => {
      methods.add(requested.method);
      return right(requested);
    });
    expect([...methods].filter((method) => !["GET", "HEAD", "OPTIONS"].includes(method))).toEqual([]);
  });
});

/** Types of a random server, small and simple. */
const memberType: fc.Arbitrary<SuiteType> = fc.oneof(
  fc.constantFrom<SuiteType>(text, integer, { kind: "boolean" }, genre, { kind: "list", element: text }),
  fc
    .record({ minimum: fc.integer({ min: -5, max: 5 }) })
    .map(({ minimum }): SuiteType => ({ kind: "number", integer: true, minimum })),
  fc.constant<SuiteType>({ kind: "union", mode: "any-of", members: [text, { kind: "null" }] }),
);

const memberNames = [
  "name",
  "color",
  "count",
  "weight",
  "status",
  "createdAt",
  "ownerId",
  "tags",
  "hash",
  "total",
  "version",
];

const worlds = fc.record({
  members: fc.uniqueArray(fc.tuple(fc.constantFrom(...memberNames), memberType, fc.boolean()), {
    selector: ([name]) => name,
    maxLength: 6,
  }),
  size: fc.integer({ min: 0, max: 7 }),
  hasLimit: fc.boolean(),
  hasExamples: fc.boolean(),
  seed: fc.integer({ min: 0, max: 1_000_000 }),
});

test("A right server of any document is never blamed", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async ({ members, size, hasLimit, hasExamples, seed }) => {
      const random = createRandom(String(seed));
      const typeName: SuiteType = {
        kind: "record",
        members: [
          required("id", integer),
          ...members.map(([name, type, isRequired]) => ({ name, type, required: isRequired })),
        ],
      };
      const itsTypes: SuiteTypes = { Thing: typeName };
      const reference: SuiteType = { kind: "reference", target: "Thing" };
      const typeNames = Array.from({ length: size }, (_none, index) => ({
        ...(sampleOf(typeName, itsTypes, random.fork(String(index))) as object),
        id: 1000 + index * 3,
      }));
      const shown = { kind: "success", status: 200, value: typeNames } as const;
      const suite: HttpSuite = {
        ...shop,
        types: itsTypes,
        operations: [
          operation({
            name: "listThings",
            path: "/things",
            parameters: hasLimit ? [query("limit", { ...integer, minimum: 1, maximum: 20 } as SuiteType)] : [],
            successes: [{ status: 200, content: json({ kind: "list", element: reference }), headers: [] }],
            examples: hasExamples ? [{ name: "all", input: {}, outcome: shown }] : [],
          }),
          operation({
            name: "getThing",
            path: "/things/{thingId}",
            parameters: [{ name: "thingId", property: "thingId", location: "path", required: true, type: integer }],
            successes: [{ status: 200, content: json(reference), headers: [] }],
            failures: [{ name: "NotFound", status: 404, contents: [], headers: [] }],
          }),
        ],
      };
      const report = await play(suite, ({ path, query: given }) => {
        const limit = given.get("limit");
        if (path === "/things") {
          if (limit !== null && !/^(?:[1-9]|1\d|20)$/.test(limit)) return refuse();
          return { status: 200, headers: {}, body: typeNames.slice(0, limit === null ? undefined : Number(limit)) };
        }
        const found = typeNames.find(({ id }) => path === `/things/${id}`);
        return found === undefined ? gone() : { status: 200, headers: {}, body: found };
      });
      const failed = blamedCases(report);
      expect(failed.map(({ id, findings }) => `${id} ${findings[0]?.message}`)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test("A random value of a required parameter that makes the server fail is told as small as it can be", async () => {
  const number: SuiteParameter = {
    ...query("n", { ...integer, minimum: 0, maximum: 100_000 } as SuiteType),
    required: true,
    decoding: "integer",
    examples: [3],
  };
  const suite: HttpSuite = {
    ...shop,
    operations: [
      operation({
        name: "square",
        path: "/square",
        parameters: [number],
        successes: [{ status: 200, content: json({ kind: "record", members: [required("n", integer)] }), headers: [] }],
        failures: [failure("BadRequest", 400)],
      }),
    ],
  };
  const url = await serve(({ method, path, query: requested }) => {
    const n = requested.get("n") ?? "";
    if (path !== "/square") return { status: 404, headers: {}, body: { message: "nothing" } };
    if (!["GET", "HEAD"].includes(method))
      return { status: 405, headers: { allow: "GET, HEAD" }, body: { message: "" } };
    if (!/^[0-9]{1,6}$/.test(n) || Number(n) > 100_000) return { status: 400, headers: {}, body: { message: "n" } };
    const fails = Number(n) > 417 && Number(n) < 99_000;
    return { status: fails ? 500 : 200, headers: {}, body: fails ? { message: "n" } : { n: Number(n) } };
  });
  const { cases } = await playSuite(suite, { baseUrl: url, seed: "1", rate: 10_000 });
  const details = cases
    .filter(({ id }) => id.startsWith("square/random"))
    .flatMap((one) => one.findings.map(({ detail }) => detail));
  expect(details[0]).toMatch(/for \{"n":4\d\d\}$/);
});
