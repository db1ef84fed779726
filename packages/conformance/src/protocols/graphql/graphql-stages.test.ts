import { afterEach, describe, expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import type { GraphqlSuite } from "../../suite/suite.ts";
import {
  type Library,
  type LibraryExchange,
  type LibraryFaults,
  type LibraryReply,
  libraryChanges,
  libraryRoot,
  librarySchema,
  librarySuite,
  serveLibrary,
} from "../../testing/graphql-library.ts";
import { blamedCases, blamedRules } from "../../testing/blamed-cases.ts";

let library: Library | undefined;

afterEach(async () => {
  await library?.close();
  library = undefined;
});

async function play(faults: LibraryFaults = {}, only?: readonly string[], suite = librarySuite()): Promise<Report> {
  library = await serveLibrary(faults);
  return await playSuite(suite, { baseUrl: library.url, seed: "00", only, rate: 10_000 });
}

/** Returns the ids of violated rules of a level; those of MUST with those of heuristics. */
function broken(report: Report, level = "MUST"): readonly string[] {
  if (level === "MUST") return blamedRules(report);
  const found = report.cases
    .filter(({ verdict }) => verdict === "failed" || verdict === "warned")
    .flatMap((one) => one.findings);
  return [...new Set(found.filter((one) => one.level === level).map(({ rule }) => rule))].toSorted();
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Members = { [name: string]: Json };

/** Returns a fault that changes the data of responses. */
function changing(change: (data: Members, exchange: LibraryExchange) => Members | undefined): LibraryFaults {
  return {
    reply: (reply, exchange) => {
      if (typeof reply.body !== "string" || !reply.body.startsWith("{")) return reply;
      const body = JSON.parse(reply.body) as Members;
      if (typeof body["data"] !== "object" || body["data"] === null || Array.isArray(body["data"])) return reply;
      const data = change(body["data"], exchange);
      return data === undefined ? reply : { ...reply, body: JSON.stringify({ ...body, data }) };
    },
  };
}

/** Returns a fault that changes every member of a name, at any depth. */
function members(name: string, change: (value: Json, owner: Members) => Json | undefined): LibraryFaults {
  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
      const changed = key === name ? change(inner, value) : walk(inner);
      return changed === undefined ? [] : [[key, changed]];
    });
    return Object.fromEntries(entries);
  };
  return changing((data) => walk(data) as Members);
}

/** Returns a fault that changes the value of a query field, under its own name. */
function field(name: string, change: (value: Json) => Json): LibraryFaults {
  return changing((data) => (data[name] === undefined ? undefined : { ...data, [name]: change(data[name]) }));
}

/** Returns a fault with another response for matching requests. */
function responding(
  matches: (text: string, exchange: LibraryExchange) => boolean,
  body: unknown,
  status = 200,
): LibraryFaults {
  return {
    reply: (reply, exchange) =>
      matches(textOf(exchange), exchange) ? { ...reply, status, body: JSON.stringify(body) } : reply,
  };
}

function textOf({ body }: LibraryExchange): string {
  try {
    const { query } = JSON.parse(body) as { query?: unknown };
    return typeof query === "string" ? query : "";
  } catch {
    return "";
  }
}

/** Returns a fault that changes the request before it is executed. */
function rewriting(change: (body: Members) => Members): LibraryFaults {
  return {
    request: (exchange) => {
      try {
        return { ...exchange, body: JSON.stringify(change(JSON.parse(exchange.body) as Members)) };
      } catch {
        return exchange;
      }
    },
  };
}

function rewritingText(change: (text: string) => string): LibraryFaults {
  return rewriting((body) => (typeof body["query"] === "string" ? { ...body, query: change(body["query"]) } : body));
}

const withDocument: GraphqlSuite = librarySuite({
  documents: [
    {
      name: "person",
      root: "query",
      text: "query Person($id: ID!) { person(id: $id) { id name works(first: 2) { id title } } }",
      relations: [],
      examples: [
        {
          name: "ada",
          input: { id: "p0" },
          outcome: {
            kind: "success",
            status: 200,
            value: {
              person: {
                id: "p0",
                name: "Ada",
                works: [
                  { id: "i0", title: "Title 0" },
                  { id: "i3", title: "Title 3" },
                ],
              },
            },
          },
        },
        {
          name: "bo",
          input: { id: "p1" },
          outcome: {
            kind: "success",
            status: 200,
            value: {
              person: {
                id: "p1",
                name: "Bo",
                works: [
                  { id: "i1", title: "Title 1" },
                  { id: "i4", title: "Title 4" },
                ],
              },
            },
          },
        },
        { name: "nobody", input: { id: "p9" }, outcome: { kind: "failure", graphqlCode: "NOT_FOUND" } },
      ],
    },
    {
      name: "rename",
      root: "mutation",
      text: 'mutation Rename { rename(id: "i0", title: "Other") { id } }',
      relations: [],
      examples: [
        { name: "one", input: {}, outcome: { kind: "success", status: 200, value: { rename: { id: "i0" } } } },
      ],
    },
  ],
});

describe("a server that is right", () => {
  it("conforms, within 300 requests, and is not changed", async () => {
    const before = libraryChanges();
    const report = await play({}, undefined, withDocument);
    expect(blamedCases(report).map(({ id }) => id)).toEqual([]);
    expect(report.outcome).toBe("conforms");
    expect(report.requests).toBeLessThanOrEqual(300);
    expect(libraryChanges()).toBe(before);
    // graphql-http reports invalid variables with status 200.
    expect(broken(report, "SHOULD")).toEqual(["G410"]);
    expect(new Set(report.cases.map(({ id }) => id)).size).toBe(report.cases.length);
  });

  it("may spell JSON in other ways, and say more in extensions", async () => {
    const report = await play({
      reply: (reply) => {
        if (typeof reply.body !== "string" || !reply.body.startsWith("{")) return reply;
        const body = JSON.parse(reply.body) as Members;
        const text = JSON.stringify({ ...body, extensions: { took: 5 } }, undefined, 2);
        const spelt = text.replaceAll(/"pages": (\d+)/g, '"pages": $1.0').replaceAll("Title", "\\u0054itle");
        const headers = {
          ...reply.headers,
          "content-type": `${reply.headers["content-type"]?.replace(/;.*/, "")};charset=UTF-8`,
          "x-more": "1",
        };
        return { ...reply, headers, body: `\n${spelt}\n` };
      },
    });
    expect(broken(report)).toEqual([]);
    expect(broken(report, "SHOULD")).toEqual(["G410"]);
  });

  it("may have more than the description, and other texts of errors", async () => {
    const more = librarySchema
      .replace("type Query {", "type Query {\n  further(text: String): Int")
      .replace("persons: [Person!]!", "persons(more: Int): [Person!]!");
    const report = await play({
      schema: more,
      reply: (reply) => {
        if (!String(reply.body).startsWith("{")) return reply;
        const body = JSON.parse(String(reply.body)) as Members;
        const { errors } = body;
        if (!Array.isArray(errors)) return reply;
        return {
          ...reply,
          body: JSON.stringify({ ...body, errors: (errors as Members[]).map((one) => ({ ...one, message: "Nein." })) }),
        };
      },
    });
    expect(broken(report)).toEqual([]);
    expect(broken(report, "MAY")).toEqual(["G008"]);
  });

  it("may hold another state from one moment to the next", async () => {
    let height = 100;
    const schema = librarySchema.replace(
      "type Query {",
      "type Tip {\n  height: Int!\n  hash: String!\n  time: String!\n}\n\ntype Query {\n  tip: Tip!",
    );
    const report = await play(
      {
        schema,
        root: {
          tip: () => {
            height += 1;
            return { height, hash: `h${height}`, time: new Date(height).toISOString() };
          },
        },
      },
      ["Query.tip"],
      librarySuite({ schema }),
    );
    expect(report.outcome).toBe("conforms");
  });

  it("fails where an interface does not say which types it may be", async () => {
    const report = await play(
      {
        reply: (reply, { body }) =>
          body.includes("IntrospectionQuery")
            ? { ...reply, body: String(reply.body).replace(/("name":"Item".*?"possibleTypes":\[)\{[^}]*\},/, "$1") }
            : reply,
      },
      ["(protocol)/protocol/introspection"],
    );
    const [found] = report.cases.flatMap(({ findings }) => findings).filter(({ rule }) => rule === "G004");
    expect(found?.message).toMatch(/^The member (?:Book|Film) of (?:Item|Node) is missing$/);
  });

  it("may leave deprecated inputs out of introspection", async () => {
    const schema = librarySchema.replace("limit: Int = 10", 'limit: Int = 10, old: Int @deprecated(reason: "unused")');
    const report = await play({ schema }, ["(protocol)/protocol/introspection"], librarySuite({ schema }));
    expect(schema).toContain("old: Int");
    expect(broken(report)).toEqual([]);
  });

  it("may refuse introspection, questions of size, and GET", async () => {
    const report = await play({
      reply: (reply, exchange) => {
        const text = textOf(exchange);
        const refuse = (message: string, status = 400) => ({
          ...reply,
          status,
          body: JSON.stringify({ errors: [{ message }] }),
        });
        if (exchange.method === "GET") return refuse("GET is not served", 405);
        if (text.includes("__schema")) return refuse("Introspection is disabled");
        return text.split("\n").length > 40 ? refuse("Query is too complex") : reply;
      },
    });
    expect(broken(report)).toEqual([]);
    expect(report.cases.find(({ id }) => id.endsWith("/introspection"))?.verdict).toBe("skipped");
    expect(report.cases.find(({ id }) => id === "Query.persons/relation/get")?.verdict).toBe("skipped");
  });
});

describe("a schema that is another", () => {
  const cases: readonly (readonly [string, (schema: string) => string, string])[] = [
    ["lacks a field", (schema) => schema.replace("  name: String!\n", ""), "G002"],
    ["has a nullable field", (schema) => schema.replace("name: String!", "name: String"), "G002"],
    ["has another type", (schema) => schema.replace("pages: Int!", "pages: String!"), "G002"],
    ["lacks an argument", (schema) => schema.replace("limit: Int = 10, ", ""), "G003"],
    ["has another default", (schema) => schema.replace("limit: Int = 10", "limit: Int = 20"), "G003"],
    ["requires an argument", (schema) => schema.replace("persons:", "persons(must: Int!):"), "G003"],
    ["lacks an enum value", (schema) => schema.replace("  FILM\n", ""), "G004"],
    ["lacks a union member", (schema) => schema.replace("Book | Film | Person", "Book | Film"), "G004"],
    ["lacks an interface", (schema) => schema.replace("type Person implements Node", "type Person"), "G004"],
    ["lacks a type", (schema) => schema.replace(/union Found[^\n]*\n/, "").replace("[Found!]!", "[Book!]!"), "G001"],
  ];
  it.each(cases)("%s", async (_name, change, rule) => {
    expect(broken(await play({ schema: change(librarySchema) }, ["(protocol)/protocol/introspection"]))).toContain(
      rule,
    );
  });

  it("is stricter, deprecates otherwise, or has more values", async () => {
    const schema = librarySchema
      .replace("price: Float", "price: Float!")
      .replace(/ @deprecated[^\n]*/, "")
      .replace("  FILM\n", "  FILM\n  GAME\n");
    const report = await play({ schema }, ["(protocol)/protocol/introspection"]);
    expect(broken(report)).toEqual([]);
    expect(broken(report, "SHOULD")).toEqual(["G006", "G007", "G009"]);
  });
});

describe("answers that are wrong", () => {
  const person = (value: Json): Members => value as Members;
  const cases: readonly (readonly [string, LibraryFaults, string])[] = [
    ["a member is dropped", members("name", () => undefined), "G105"],
    ["a member is added", members("name", (value) => value), ""],
    [
      "a key is made up",
      field("persons", (value) => (value as Members[]).map((one) => ({ ...one, extra: 1 }))),
      "G105",
    ],
    ["what can't be null is null", members("name", () => null), "G107"],
    ["a list is a single value", members("tags", (value) => (value as Json[])[0] ?? null), "G108"],
    ["a single value is a list", members("name", (value) => [value]), "G108"],
    ["an Int is a text", members("pages", String), "G109"],
    ["an Int is a fraction", members("pages", () => 1.5), "G109"],
    ["an Int has more than 32 bits", members("pages", () => 2 ** 31), "G109"],
    ["a Float is a text", members("price", (value) => (value === null ? null : String(value))), "G109"],
    ["a Boolean is a number", members("isSilent", (value) => (value === true ? 1 : 0)), "G109"],
    ["a String is a number", members("title", () => 5), "G109"],
    ["an ID is a number", members("id", () => 5), "G109"],
    ["an enum has an unknown value", members("kind", () => "SONG"), "G109"],
    ["a scalar is not what it is said to be", members("published", () => "yesterday"), "G112"],
    ["an object is a text", members("director", () => "Ada"), "G110"],
    ["__typename is another", members("__typename", (value) => (value === "Book" ? "Film" : value)), "G105"],
    [
      "__typename names no possible type",
      members("__typename", (value) => (value === "Book" ? "Shelf" : value)),
      "G111",
    ],
    ["a count is not the length of its list", members("itemCount", (value) => (value as number) + 1), "P006"],
    ["a list is shorter than its count", members("items", (value) => (value as Json[]).slice(1)), "P006"],
    [
      "an element is repeated",
      field("persons", (value) => [...(value as Json[]), person((value as Json[])[0] ?? null)]),
      "P007",
    ],
    ["data is not an object", responding((text) => text.includes("persons"), { data: [1] }), "G102"],
    ["data and errors are missing", responding((text) => text.includes("persons"), {}), "G102"],
    [
      "the response has another member",
      responding((text) => text.includes("persons"), { data: { persons: [] }, status: 1 }),
      "G102",
    ],
    ["errors is empty", responding((text) => text.includes("persons"), { data: { persons: [] }, errors: [] }), "G102"],
    ["data is null without errors", responding((text) => text.includes("persons"), { data: null }), "G122"],
    [
      "a valid query is refused",
      responding((text) => text.includes("persons"), { errors: [{ message: "no" }] }, 400),
      "P012",
    ],
    [
      "the body is no JSON",
      { reply: (reply, exchange) => (textOf(exchange).includes("persons") ? { ...reply, body: "<html>" } : reply) },
      "G101",
    ],
    [
      "data has a status of failure",
      { reply: (reply, exchange) => (textOf(exchange).includes("persons") ? { ...reply, status: 404 } : reply) },
      "G118",
    ],
    [
      "the server fails",
      {
        root: {
          persons: () => {
            throw new Error("boom");
          },
        },
      },
      "P012",
    ],
  ];
  it.each(cases.filter(([, , rule]) => rule !== ""))("%s", async (_name, faults, rule) => {
    expect(broken(await play(faults, ["Query.persons/live/*", "Query.items/live/*", "Query.node/live/*"]))).toContain(
      rule,
    );
  });

  it("keys in another order are told, and no failure", async () => {
    const reversed = field("persons", (value) =>
      (value as Members[]).map((one) => Object.fromEntries(Object.entries(one).toReversed())),
    );
    const report = await play(reversed, ["Query.persons"]);
    expect(broken(report)).toEqual([]);
    expect(broken(report, "SHOULD")).toContain("G106");
  });
});

describe("errors that are wrong", () => {
  const erring = (change: (error: Members) => Members): LibraryFaults => ({
    reply: (reply) => {
      if (typeof reply.body !== "string" || !reply.body.startsWith("{")) return reply;
      const body = JSON.parse(reply.body) as Members;
      const { errors } = body;
      return Array.isArray(errors)
        ? { ...reply, body: JSON.stringify({ ...body, errors: (errors as Members[]).map(change) }) }
        : reply;
    },
  });
  const without = (name: string) =>
    erring((error) => Object.fromEntries(Object.entries(error).filter(([key]) => key !== name)));
  it.each([
    ["have no message", without("message"), "G103"],
    ["have places before the document", erring((error) => ({ ...error, locations: [{ line: 0, column: 0 }] })), "G103"],
    [
      "have places behind the document",
      erring((error) => ({ ...error, locations: [{ line: 9999, column: 1 }] })),
      "G103",
    ],
    ["have a path that is a text", erring((error) => ({ ...error, path: "person" })), "G103"],
    [
      "have the path of another field",
      erring((error) => (error["path"] === undefined ? error : { ...error, path: ["there"] })),
      "G115",
    ],
    [
      "have a path that leads nowhere",
      erring((error) => (error["path"] === undefined ? error : { ...error, path: ["nowhere"] })),
      "G113",
    ],
    ["have no path", without("path"), "G115"],
  ] as const)("%s", async (_name, faults, rule) => {
    expect(broken(await play(faults, ["Query.person"]))).toContain(rule);
  });

  it("take their siblings with them", async () => {
    const faults: LibraryFaults = {
      reply: (reply) => {
        if (!String(reply.body).startsWith("{")) return reply;
        const body = JSON.parse(String(reply.body)) as Members;
        return body["data"] !== undefined && body["errors"] !== undefined
          ? { ...reply, body: JSON.stringify({ ...body, data: null }) }
          : reply;
      },
    };
    expect(broken(await play(faults, ["Query.person"]))).toEqual(expect.arrayContaining(["G117", "G318"]));
  });

  it("have no locations, which is told", async () => {
    const only = ["Query.person", "(protocol)/negative/*"];
    expect(broken(await play(without("locations"), only), "SHOULD")).toEqual(expect.arrayContaining(["G116", "G409"]));
  });
});

describe("the same, asked in other ways", () => {
  it.each([
    [
      "aliases",
      field("persons", (value) => (value as Members[]).map((one) => ({ ...one, name: `${one["name"]}!` }))),
      "G201",
    ],
    ["fragments", members("byName", (value) => (value as Json[]).toReversed()), "G202"],
    ["directives that skip", rewritingText((text) => text.replaceAll("@skip(if: true)", "@skip(if: false)")), "G105"],
    [
      "directives that include by variables",
      rewriting((body) => ({
        ...body,
        ...(typeof body["variables"] === "object"
          ? { variables: { ...(body["variables"] as Members), no: true } }
          : {}),
      })),
      "G105",
    ],
    [
      "operation names",
      rewritingText((text) =>
        text
          .replace("query Before", "query X")
          .replace("query Chosen", "query Before")
          .replace("query X", "query Chosen"),
      ),
      "G105",
    ],
    ["merged selections", members("twice", (value) => (value as Json[]).map(() => ({}))), "G105"],
    [
      "GET",
      {
        reply: (reply: LibraryReply, { method }: LibraryExchange) =>
          method === "GET" ? { ...reply, body: String(reply.body).replaceAll("Ada", "Bob") } : reply,
      },
      "G209",
    ],
  ] as const)("differ by %s", async (_name, faults, rule) => {
    expect(broken(await play(faults as LibraryFaults, ["Query.persons"]))).toContain(rule);
  });

  it.each([
    ["literals", members("byLiterals", () => []), ["Query.search"], "G205"],
    ["defaults of variables", rewritingText((text) => text.replace(/= "p\d"/, '= "p9"')), ["Query.person"], "G208"],
    ["defaults that are sent", members("call1", () => []), ["Query.items"], "P009"],
    ["single values for lists", members("bySingle", () => 5), ["Query.sum"], "G212"],
    ["type conditions", members("isBook", () => "Film"), ["Query.items"], "G111"],
  ] as const)("differ by %s", async (_name, faults, only, rule) => {
    expect(broken(await play(faults as LibraryFaults, only))).toContain(rule);
  });

  it("drift from call to call", async () => {
    let calls = 0;
    const faults = members("name", (value) => {
      calls += 1;
      return `${String(value)} ${calls}`;
    });
    expect(broken(await play(faults, ["Query.person"]))).toContain("P011");
  });

  it("are no fault of values that live", async () => {
    const live = members("pages", () => Math.floor(Math.random() * 1e6) + 100);
    expect(broken(await play(live))).toEqual([]);
  });
});

describe("relations that do not hold", () => {
  const root = (
    name: string,
    change: (resolve: (given: Members) => unknown, given: Members) => unknown,
  ): LibraryFaults => ({
    root: { [name]: (given: Members) => change(libraryRoot[name] as (given: Members) => unknown, given) },
  });
  it.each([
    ["an object is not found by its id", root("person", () => null), ["Query.person"], "P024"],
    ["another object is answered", root("person", (resolve) => resolve({ id: "p0" })), ["Query.person"], "P020"],
    [
      "an object differs from where it was found",
      field("person", (value) => (value === null ? null : { ...(value as Members), name: "Else" })),
      ["Query.person"],
      "P023",
    ],
    [
      "a limit is ignored",
      root("items", (resolve, given) => resolve({ ...given, limit: 10 })),
      ["Query.items"],
      "P001",
    ],
    [
      "an offset is ignored",
      root("items", (resolve, given) => resolve({ ...given, offset: 0 })),
      ["Query.items"],
      "P003",
    ],
    ["a filter is ignored", root("items", (resolve, { kind: _, ...given }) => resolve(given)), ["Query.items"], "P004"],
    ["a page is too long", root("shelf", (resolve, { first: _, ...given }) => resolve(given)), ["Query.shelf"], "G313"],
    [
      "a cursor is ignored",
      root("shelf", (resolve, { after: _, ...given }) => resolve(given)),
      ["Query.shelf"],
      "G314",
    ],
    ["pageInfo is wrong", members("hasNextPage", (value) => value !== true), ["Query.shelf"], "G315"],
    ["the node is another", root("node", (resolve) => resolve({ id: "i0" })), ["Query.node"], "P020"],
  ] as const)("%s", async (_name, faults, only, rule) => {
    expect(broken(await play(faults as LibraryFaults, only))).toContain(rule);
  });
});

describe("what is wrong and is accepted", () => {
  const lenient = (name: string): LibraryFaults => responding((text) => text.includes(name), { data: { persons: [] } });
  it.each([
    ["unknown fields", lenient("nodewrightNoSuchName\n"), ["Query.persons", "(protocol)/negative/*"], "G401"],
    ["unknown arguments", lenient("nodewrightNoSuchName: $"), ["Query.persons"], "P014"],
    [
      "syntax errors",
      {
        reply: (reply: LibraryReply, exchange: LibraryExchange) =>
          textOf(exchange).startsWith("# nothing") ? { ...reply, status: 200, body: '{"data":{}}' } : reply,
      },
      ["(protocol)"],
      "G402",
    ],
    [
      "wrong variables",
      rewriting((body) =>
        typeof body["variables"] === "object"
          ? { ...body, variables: { ...(body["variables"] as Members), id: "p0" } }
          : body,
      ),
      ["Query.person"],
      "P014",
    ],
    [
      "unknown operation names",
      rewriting(({ operationName: _, ...body }) => ({
        ...body,
        query: String(body["query"]).replace(" query two { __typename }", ""),
      })),
      ["(protocol)"],
      "G408",
    ],
  ] as const)("%s", async (_name, faults, only, rule) => {
    expect(broken(await play(faults as LibraryFaults, only))).toContain(rule);
  });

  it("is named with what the schema allows", async () => {
    const faults = rewriting((body) =>
      typeof body["variables"] === "object"
        ? { ...body, variables: { ...(body["variables"] as Members), id: "p0" } }
        : body,
    );
    const { cases } = await play(faults, ["Query.person"]);
    const details = cases.flatMap(({ findings }) => findings.map(({ detail }) => detail));
    expect(details).toContain("id: true was accepted; by the schema, it must be a string");
  });

  it("is refused with data, or with a status of success", async () => {
    const withData: LibraryFaults = {
      reply: (reply) => {
        const text = String(reply.body);
        return text.startsWith('{"errors"')
          ? { ...reply, status: 200, body: text.replace("{", '{"data":null,') }
          : reply;
      },
    };
    expect(broken(await play(withData, ["Query.person"]), "SHOULD")).toContain("G411");
    const success: LibraryFaults = { reply: (reply) => ({ ...reply, status: 200 }) };
    await library?.close();
    expect(broken(await play(success, ["(protocol)/negative/*"]))).toContain("G406");
  });
});

describe("documented operations", () => {
  it("are held to their examples where these are of the target's data", async () => {
    const faults = members("name", (value) => (value === "Bo" ? "Bob" : value));
    const report = await play(faults, ["person"], withDocument);
    const shown = report.cases.find(({ id }) => id === "person/example/bo-as-shown");
    expect(shown?.findings.map(({ rule }) => rule)).toContain("P031");
  });

  it("fail with the documented code", async () => {
    const report = await play(
      { reply: (reply) => ({ ...reply, body: String(reply.body).replace("NOT_FOUND", "GONE") }) },
      ["person"],
      withDocument,
    );
    expect(broken(report)).toEqual(["P032"]);
  });

  it("without examples are played as they are written, with values that were found", async () => {
    const document = { root: "query", relations: [], examples: [] } as const;
    const suite = librarySuite({
      documents: [
        { ...document, name: "plain", text: "query Plain { persons { id name } }" },
        { ...document, name: "named", text: "query Named($id: ID!) { person(id: $id) { id name } }" },
      ],
    });
    const report = await play({}, ["plain", "named", "Query.persons", "Query.person"], suite);
    const verdicts = new Map(report.cases.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts.get("plain/example/as-written")).toBe("passed");
    expect(verdicts.get("named/example/as-written")).toBe("passed");
    const broken = await play(
      members("name", () => 5),
      ["plain"],
      suite,
    );
    expect(broken.totals.failed).toBe(1);
  });

  it("that change something are not sent", async () => {
    const report = await play({}, ["rename"], withDocument);
    expect(report.cases.map(({ verdict }) => verdict)).toEqual(["not-sent", "not-sent"]);
  });
});

describe("random arguments", () => {
  it("find what a target fails for, and tell a small value that it fails for", async () => {
    const crashing: LibraryFaults = {
      reply: (reply, { body }) =>
        /"variables":\{[^}]*\d{5,}/.test(body) ? { ...reply, status: 500, body: "boom" } : reply,
    };
    const { cases } = await play(crashing, ["Query.sum"]);
    const random = cases.filter(({ group, verdict }) => group === "random" && verdict === "failed");
    const details = random.flatMap((one) => one.findings.map(({ detail }) => detail));
    expect(details.join()).toMatch(/for \{"values":\[1\d{4}\]\}/);
  });
});
