// OpenAPI 3.1, section 4.8.16 (Responses Object); RFC 9110, section 15, and RFC 6585 for the names of statuses.
import { STATUS_CODES } from "node:http";
import { describe, expect, it } from "vitest";
import { onePath, readText } from "./testing/read-text.ts";

/** Reads one operation with the given members of a Responses Object. */
function readResponses(members: readonly string[], version = "3.1.0") {
  return readText(onePath(`responses:\n${members.map((member) => `  ${member}`).join("\n")}`), { version });
}

const response = (status: string | number, content = ""): string =>
  `"${status}": { description: D${status}., content: { ${content} } }`;

const pet = "{ type: object, properties: { name: { type: string } } }";
const body = (mediaType: string, schema = pet): string => `${mediaType}: { schema: ${schema} }`;

async function mediaTypesOf(...contents: readonly string[]): Promise<readonly (string | undefined)[]> {
  const { operation } = await readResponses([response(200, contents.join())]);
  return operation.successes.map(({ content }) => content?.mediaType);
}

describe("the name of a failure", () => {
  /** Status codes without a name of their own: those of proxies, of WebDAV, and reserved ones. */
  const unnamed: ReadonlySet<number> = new Set([305, 407, 418, 421, 425, 505, 506, 507, 508, 509, 510, 511]);
  /** Names that RFC 9110 has changed; Node.js keeps those of RFC 7231. */
  const renamed: Readonly<Record<number, string>> = { 413: "ContentTooLarge", 422: "UnprocessableContent" };
  const failing = Object.keys(STATUS_CODES)
    .map(Number)
    .filter((status) => status >= 300);

  it.each(failing)("of status %s says what its reason phrase says", async (status) => {
    const { operation } = await readResponses([response(200), response(status)]);
    const words = (STATUS_CODES[status] ?? "").split(/[ -]/);
    const phrase = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).join("");
    const expected = unnamed.has(status) ? `Status${status}` : (renamed[status] ?? phrase);
    expect(operation.failures.map(({ name }) => name)).toEqual([expected]);
  });
});

describe("the successes of an operation", () => {
  it.each([
    ["a status before its class, wherever it stands", ["2XX", "200"], [200, "2XX"]],
    ["statuses in document order", ["202", "200", "201"], [202, 200, 201]],
    ["a class of redirections behind its statuses", ["3XX", "301"], [301, "3XX"]],
    ["no announcements", ["102", "1XX", "204"], [204]],
    ["2xx before 3xx", ["301", "2XX"], ["2XX"]],
  ])("are %s", async (_what, statuses, expected) => {
    const { operation } = await readResponses(statuses.map((status) => response(status)));
    expect(operation.successes.map(({ status }) => status)).toEqual(expected);
    expect(operation.failures.map(({ status }) => status)).not.toContain("1XX");
  });

  it("say what the response says, without content where it has none", async () => {
    const { operation } = await readResponses([response(200)]);
    expect(operation.successes).toEqual([
      {
        status: 200,
        headers: [],
        description: "D200.",
        source: expect.objectContaining({ pointer: "/paths/~1pets/post/responses/200" }) as unknown,
      },
    ]);
  });

  it.each([
    [
      "JSON goes first",
      [body("text/csv", "{ type: string }"), body("application/json")],
      ["application/json", "text/csv"],
    ],
    ["JSON stays first", [body("application/json"), body("image/png", "{}")], ["application/json", "image/png"]],
    [
      "the first JSON goes first",
      [body("image/png", "{}"), body("application/a+json"), body("application/json", "{}")],
      ["application/a+json", "image/png", "application/json"],
    ],
    [
      "JSON without a schema is not the same as other JSON",
      ["application/json: {}", "text/json: {}"],
      ["application/json", "text/json"],
    ],
    [
      "JSON is not the same as text without a schema",
      [body("application/json"), "text/plain: {}"],
      ["application/json", "text/plain"],
    ],
    [
      "text with another schema is kept",
      [body("application/json"), body("text/plain", "{ type: string }")],
      ["application/json", "text/plain"],
    ],
    ["text with the same schema is left out", [body("application/json"), body("text/plain")], ["application/json"]],
    [
      "a form with the same schema is kept",
      [body("application/json"), body("application/x-www-form-urlencoded")],
      ["application/json", "application/x-www-form-urlencoded"],
    ],
    [
      "lines with the same schema are kept",
      [body("application/json"), body("application/jsonl")],
      ["application/json", "application/jsonl"],
    ],
    [
      "without JSON, all are kept",
      [body("text/plain", "{ type: string }"), body("text/html", "{ type: string }")],
      ["text/plain", "text/html"],
    ],
  ])("are of one media type each: %s", async (_what, contents, expected) => {
    expect(await mediaTypesOf(...contents)).toEqual(expected);
  });

  it("are the same where both media types refer to one schema", async () => {
    const reference = '{ $ref: "#/components/schemas/Pet" }';
    const text = onePath(
      `responses: { ${response(200, [body("application/json", reference), body("text/json", reference)].join())} }`,
    );
    const { operation } = await readText(`${text}components: { schemas: { Pet: ${pet} } }\n`);
    expect(operation.successes).toHaveLength(1);
    expect(operation.successes[0].equivalents).toMatchObject([{ mediaType: "text/json", form: "json" }]);
  });

  it("are any 2xx response without a body where none is described", async () => {
    const { operation } = await readResponses([response(404)]);
    expect(operation.successes).toEqual([{ status: "2XX", headers: [], description: "", source: operation.source }]);
  });

  it("bring the links of all of them, those of failures with the status", async () => {
    const linked = (status: number, name: string): string =>
      `"${status}": { description: "", links: { ${name}: { operationId: addPet } } }`;
    const { operation } = await readResponses([linked(200, "a"), linked(201, "b"), linked(404, "c")]);
    expect(operation.links.map(({ name, status }) => [name, status])).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["c", 404],
    ]);
  });
});

describe("a response without a body", () => {
  it.each([204, 205, 304])("is that of status %s, whatever the document says", async (status) => {
    const { operation } = await readResponses([response(status, body("application/json")), response(400)]);
    const [success] = operation.successes;
    const [failure] = operation.failures.filter((one) => one.status === status);
    expect([success.content, failure?.contents ?? []]).toEqual([undefined, []]);
  });

  it.each([200, 202, 206, 301])("is not that of status %s", async (status) => {
    const { operation } = await readResponses([response(status, body("application/json"))]);
    expect(operation.successes[0].content?.mediaType).toBe("application/json");
  });
});

describe("a failure", () => {
  it("says what the response says, in all media types", async () => {
    const { operation } = await readResponses([
      response(200),
      `"404": { description: Gone., headers: { X-A: { schema: {} } }, content: { ${body("application/json")}, ${body("text/json")} } }`,
    ]);
    expect(operation.failures).toMatchObject([
      {
        name: "NotFound",
        status: 404,
        message: "Gone.",
        headers: [{ name: "X-A" }],
        contents: [{ mediaType: "application/json" }, { mediaType: "text/json" }],
        source: { pointer: "/paths/~1pets/post/responses/404" },
      },
    ]);
  });

  it("has a name that no other failure has", async () => {
    const { operation } = await readResponses([response("4XX"), response("5XX"), response("default"), response(200)]);
    expect(operation.failures.map(({ name }) => name)).toEqual(["ClientError", "ServerError", "Unexpected"]);
  });

  it("begins with status 400: the examples of others are those of callers", async () => {
    const examples = (status: number): string =>
      `"${status}": { description: "", content: { text/plain: { examples: { a: { value: text } } }, application/json: { schema: {} } } }`;
    const outcomes = async (status: number) => {
      const { operation } = await readResponses([examples(status)]);
      return operation.examples.map(({ outcome }) => outcome);
    };
    expect(await outcomes(399)).toEqual([]);
    expect(await outcomes(400)).toEqual([{ kind: "failure", status: 400, message: "text" }]);
  });
});

describe("a Responses Object", () => {
  it("may have extensions", async () => {
    const { operation, codes } = await readResponses([response(200), "x-own: { description: 1 }"]);
    expect([operation.failures, codes]).toEqual([[], []]);
  });

  it("has statuses that are none reported at their keys, with the mistakes in them", async () => {
    const { diagnostics } = await readResponses([
      response(200),
      '"4xx": { description: "", content: { strange: {} } }',
    ]);
    expect(diagnostics.map(({ message, source: { pointer, column } }) => [message, pointer, column])).toEqual([
      ['"4xx" is not an HTTP status (did you mean "4XX"?).', "/paths/~1pets/post/responses/4xx", 9],
      ['"strange" is not a media type.', "/paths/~1pets/post/responses/4xx/content/strange", 46],
    ]);
  });

  it.each(["422", "402", "1XX", "4XX", "x-default"])("that describes %s alone describes no success", async (status) => {
    const { diagnostics } = await readResponses([response(status)]);
    const reported = diagnostics.filter(({ code }) => code === "openapi/no-success");
    expect(reported.map(({ message, source }) => [message, source.pointer])).toEqual([
      [
        "POST /pets declares no success: any 2xx response is read as one without a body.",
        "/paths/~1pets/post/responses",
      ],
    ]);
  });

  it.each(["200", "2XX", "302", "3XX", "default"])("that describes %s describes a success", async (status) => {
    for (const item of [response(status), `"${status}": { $ref: "#/components/responses/None" }`]) {
      const { codes } = await readResponses([item]);
      expect(codes).not.toContain("openapi/no-success");
    }
  });

  it("that is empty is not reported by habit, and a missing one is, at the operation", async () => {
    const empty = await readText(onePath("responses: {}"));
    expect(empty.codes).not.toContain("openapi/no-success");
    const missing = await readText(onePath("summary: Adds a pet."));
    expect(missing.diagnostics).toMatchObject([
      { code: "openapi/no-success", source: { pointer: "/paths/~1pets/post" } },
    ]);
  });
});
