import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPetsProject, type PetsProject } from "../support/pets-project.ts";
import { root } from "../support/workspace.ts";

// One document with everything that goes over the wire in a way of its own: the generated client talks to the generated server.

const here = join(root, "test/wire");
const textOf = (path: string): string => readFileSync(join(here, path), "utf8");

let project: PetsProject;
/** What each exchange of the conversation came to. */
let results: Readonly<Record<string, unknown>>;

beforeAll(() => {
  project = createPetsProject("document.yaml", textOf("document.yaml"), {
    handlers: undefined,
  });
  project.delete("src/context.ts");
  project.generate();
  project.write("src/service.ts", textOf("project/service.ts.txt"));
  project.write("src/talk.ts", textOf("project/talk.ts.txt"));
  results = project.run("src/talk.ts") as Readonly<Record<string, unknown>>;
}, 120_000);

afterAll(() => project.remove());

const caller = (name: string, scopes?: readonly string[]) => ({ name, ...(scopes === undefined ? {} : { scopes }) });

describe("generated code for a document of everything", () => {
  it("compiles as strictly as TypeScript can, with handlers and calls of all its operations", {
    timeout: 60_000,
  }, () => {
    expect(project.typecheck()).toEqual([]);
  });

  it("is laid out as the formatter would", () => {
    project.write("biome.json", JSON.stringify({ formatter: { indentStyle: "space", lineWidth: 120 } }));
    const { status, stdout } = spawnSync(join(root, "node_modules/.bin/biome"), ["format", "src/gen"], {
      cwd: project.directory,
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, ""]);
  });
});

describe("a generated client and a generated server", () => {
  it("say the same of parameters of every style and place", () => {
    const [sent, answered] = results["echoStyles"] as readonly [unknown, unknown];
    expect(answered).toEqual(sent);
  });

  it("say the same of forms", () => {
    const [sent, answered] = results["postForm"] as readonly [unknown, unknown];
    expect(answered).toEqual(sent);
  });

  it("hand over files with their names and types, and headers with the response", () => {
    expect(results["upload"]).toEqual({
      title: 'Ein "Titel"\r\n',
      count: 3,
      sizes: [6, 0, 70_000],
      names: ['photo "1".png (image/png)', "blob (application/octet-stream)", "große.bin (application/octet-stream)"],
      point: { x: 1, y: 2 },
      labels: ["red", "green"],
    });
  });

  it.each([
    ["reverseBytes", [255, 0, 2, 1]],
    ["upperCase", "GRÖSSE"],
    ["getPicture", "a.b as gif"],
  ])("exchange bytes and texts of any media type: %s", (name, expected) => expect(results[name]).toEqual(expected));

  it.each([
    ["severalDefault", { contentType: "application/json", body: { x: 1, y: 2 } }],
    ["severalForm", { contentType: "application/x-www-form-urlencoded", body: { name: "n", ids: [1, 2] } }],
    ["severalText", { contentType: "text/plain", body: "5" }],
  ])("agree on one of several media types of a body: %s", (name, expected) => expect(results[name]).toEqual(expected));

  it("agree on one of several media types of a response", () => {
    expect([results["report"], results["reportAsCsv"]]).toEqual([{ total: 3 }, "total\n3\n"]);
  });

  it.each([
    ["success", { x: 2, y: 0 }],
    ["classOfFailure", { name: "ApiError", status: 418, failure: expect.any(String) }],
    ["anyFailure", { name: "ApiError", status: 599, failure: "Unexpected" }],
  ])("know classes of statuses: %s", (name, expected) => expect(results[name]).toEqual(expected));

  it("agree on the body of a failure", () => {
    expect(results["failureCodes"]).toEqual([418, 599]);
  });

  it("stream events with their names and ids", () => {
    expect(results["events"]).toEqual([
      { data: { x: 0, y: 0 }, event: "moved", id: "p0" },
      { data: { x: 1, y: -1 }, event: "moved", id: "p1" },
    ]);
  });

  it("make an end in the middle of a stream visible", () => {
    expect(results["failingEvents"]).toMatchObject({ name: "TransportError" });
  });

  it("stop a stream that its caller has left", () => {
    expect(results["abandonedEvents"]).toEqual({ count: 3, isStopped: true });
  });

  it("stream JSON lines both ways", () => {
    expect(results["lines"]).toEqual([
      { x: 0, y: 0 },
      { x: 1, y: -1 },
      { x: 2, y: -2 },
    ]);
    expect(results["sentLines"]).toBe(42);
  });

  it.each([
    ["search", { name: "q" }],
    ["cancelJob", "nothing"],
    ["getJob", "1:cancel"],
    ["headJob", "nothing"],
    ["getLatestJob", "the latest"],
    ["names", true],
  ])("find operations by method, path and name: %s", (name, expected) => expect(results[name]).toEqual(expected));

  it.each([
    ["keyInHeader", caller("by header", [])],
    ["keyInQuery", caller("by query", [])],
    ["keyInCookie", caller("by cookie", [])],
    ["wrongKey", { name: "ApiError", status: 401 }],
    ["password", caller("üser")],
    ["token", caller("by token", [])],
    ["scopes", caller("by oauth", ["read", "write"])],
    ["forbidden", { name: "ApiError", status: 403 }],
    ["both", caller("by token")],
    ["oneOfBoth", { name: "ApiError", status: 401 }],
    ["anybody", caller("nobody")],
  ])("let in whom the document lets in: %s", (name, expected) => expect(results[name]).toEqual(expected));

  it("send callbacks to where the request said, and webhooks to where they are wanted", () => {
    expect(results["subscribe"]).toEqual({
      answer: { id: "s1" },
      told: ["moved to 1,2 at attempt 1", "callback true"],
    });
    expect(results["webhook"]).toEqual({
      answer: { received: 3 },
      refused: { name: "RangeError" },
      told: ["webhook 1,2 signed s"],
    });
  });
});

describe("a generated server", () => {
  it.each([
    ["unauthenticated", { status: 401, "www-authenticate": 'Basic realm="api", charset="UTF-8"' }],
    [
      "weak",
      { status: 403, "www-authenticate": expect.stringContaining('error="insufficient_scope", scope="read write"') },
    ],
    [
      "wrongType",
      {
        status: 415,
        body: "The request body has to be application/json, application/x-www-form-urlencoded, text/plain",
      },
    ],
    ["noType", { status: 415, body: "The request body has to be multipart/form-data" }],
    ["noBoundary", { status: 400, body: "The media type of a multipart body has no boundary" }],
    ["wrongForm", { status: 400, body: expect.stringContaining("/amount") }],
    ["wrongLine", { status: 400, body: expect.stringContaining("/body/1") }],
    ["tooLarge", { status: 413 }],
    ["otherMethod", { status: 405, allow: "GET, HEAD, OPTIONS" }],
    ["options", { status: 204, allow: "GET,HEAD" }],
    ["somebody", { status: 200, body: '{"name":"by token"}' }],
    ["headOfGet", { status: 200, body: "" }],
    ["headOfStream", { status: 200, "content-type": "text/event-stream", body: "" }],
  ])("says what is wrong and what would be right: %s", (name, expected) =>
    expect(results[name]).toMatchObject(expected),
  );
});

describe("a generated conformance suite", () => {
  it("holds for the generated server, with cases for forms, parts, streams and bytes", () => {
    expect(results["suite"]).toEqual({
      failed: [],
      played: expect.objectContaining({
        example: expect.any(Number),
        negative: expect.any(Number),
        key: expect.any(Number),
        protocol: expect.any(Number),
      }),
    });
  });
});
