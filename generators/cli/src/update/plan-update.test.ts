import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createTestProject, type GeneratedProject, type TestProject } from "../testing/generated-project.ts";
import { documents, edits, textOf } from "../testing/random-documents.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const address: JsonObject = {
  type: "object",
  required: ["street", "town"],
  properties: {
    street: { type: "string" },
    town: { type: "string" },
    country: { type: "string", enum: ["at", "be", "ch"] },
    code: { type: "string", pattern: "^[0-9]{4,5}$" },
    since: { type: "integer", format: "int64" },
    box: { type: "string" },
  },
};

/** Returns a document with an instance of everything that is settled over the complete document. */
function petDocument(): JsonObject {
  return {
    openapi: "3.0.3",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://pets.example" }],
    security: [{ key: [] }],
    paths: {
      "/pets": {
        parameters: [{ $ref: "#/components/parameters/limit" }],
        get: {
          operationId: "listPets",
          summary: "Lists pets.",
          parameters: [{ name: "town", in: "query", schema: { type: "string" } }],
          responses: {
            "200": answer({ type: "array", items: { $ref: "#/components/schemas/Pet" } }),
            "404": { $ref: "#/components/responses/Missing" },
          },
        },
        post: {
          operationId: "addPet",
          requestBody: { required: true, content: json({ $ref: "#/components/schemas/Pet" }) },
          responses: { "201": answer({ $ref: "#/components/schemas/Pet" }) },
        },
      },
      "/owners/{id}": {
        get: {
          operationId: "getOwner",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer", format: "int64" } }],
          responses: { "200": answer({ type: "object", properties: { home: address, work: address } }) },
        },
      },
      "/visits": {
        get: {
          operationId: "listVisits",
          responses: {
            "200": answer({ type: "object", properties: { at: address, kind: { type: "string", enum: ["a", "b"] } } }),
            "400": answer({ $ref: "#/components/schemas/Failure" }),
          },
        },
        put: { operationId: "moveVisit", responses: { "204": { description: "Moved." } } },
      },
    },
    components: {
      parameters: { limit: { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 50 } } },
      responses: { Missing: answer({ $ref: "#/components/schemas/Failure" }) },
      schemas: {
        Pet: {
          type: "object",
          required: ["id", "name"],
          properties: {
            id: { type: "integer", format: "int64", readOnly: true },
            name: { type: "string", example: 7 },
            tags: { type: "array", items: { $ref: "#/components/schemas/Tag" } },
          },
        },
        Tag: { type: "object", properties: { label: { type: "string" } } },
        Secret: {
          type: "object",
          required: ["id"],
          properties: { id: { type: "string", readOnly: true }, word: { type: "string" } },
        },
        Failure: { type: "object", properties: { message: { type: "string" } } },
      },
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    },
  };
}

function json(schema: Json): JsonObject {
  return { "application/json": { schema } };
}

function answer(schema: Json): JsonObject {
  return { description: "Done.", content: json(schema) };
}

/** Returns a nested member of a document. */
function at(document: JsonObject, ...names: readonly string[]): JsonObject {
  return names.reduce((value, name) => value[name] as JsonObject, document);
}

type Change = (document: JsonObject) => void;

function put(place: JsonObject, name: string, value: Json): void {
  place[name] = value;
}

const list = (document: JsonObject): JsonObject => at(document, "paths", "/pets", "get");
const visits = (document: JsonObject): JsonObject => at(document, "paths", "/visits", "get");
const visit = (document: JsonObject): JsonObject =>
  at(visits(document), "responses", "200", "content", "application/json", "schema", "properties");

function text(document: JsonObject): string {
  return JSON.stringify(document, null, 2);
}

function changed(...changes: readonly Change[]): string {
  const document = petDocument();
  for (const change of changes) change(document);
  return text(document);
}

const projects: TestProject[] = [];

function newProject(...config: Parameters<typeof createTestProject>): TestProject {
  const project = createTestProject(...config);
  projects.push(project);
  return project;
}

afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

/** Generates a document, and then a changed version of it; returns that run, and a complete one. */
async function generatedTwice(
  first: string,
  second: string,
): Promise<{ readonly now: GeneratedProject; readonly cold: GeneratedProject }> {
  const project = newProject();
  await project.generate(first);
  const now = await project.generate(second);
  return { now, cold: await newProject().generate(second) };
}

describe("a document of which one operation changed", () => {
  const confined: readonly (readonly [what: string, change: Change])[] = [
    ["a description", (one) => put(list(one), "description", "Several\n\nlines.")],
    ["a summary", (one) => put(list(one), "summary", "Finds pets. */")],
    ["the deprecation", (one) => put(list(one), "deprecated", true)],
    [
      "a parameter more",
      (one) => void parameters(one).push({ name: "age", in: "query", schema: { type: "integer", minimum: 0 } }),
    ],
    ["a parameter less", (one) => void parameters(one).pop()],
    ["a property more in an answer", (one) => put(visit(one), "note", { type: "string", maxLength: 80 })],
    ["an enumeration of one's own", (one) => put(at(visit(one), "kind"), "enum", ["a", "b", "c"])],
    ["a body that is required", (one) => put(at(one, "paths", "/pets", "post", "requestBody"), "required", false)],
    [
      "an answer of another shape",
      (one) => put(at(list(one), "responses"), "200", answer({ $ref: "#/components/schemas/Pet" })),
    ],
    ["an answer that refers to something else", (one) => put(visit(one), "tag", { $ref: "#/components/schemas/Tag" })],
    [
      "an example that is wrong",
      (one) => put(at(visits(one), "responses", "200", "content", "application/json"), "example", 7),
    ],
    [
      "two operations of a path",
      (one) => {
        list(one)["summary"] = "Another.";
        at(one, "paths", "/pets", "post")["summary"] = "One more.";
      },
    ],
  ];

  it.each(confined)("is not read whole for %s", async (_what, change) => {
    const { now, cold } = await generatedTwice(changed(), changed(change));
    expect(now.notes).toEqual(["document.json: what changed was read and written again, the rest taken over."]);
    expect(now.files).toEqual(cold.files);
    expect(now.warnings).toEqual(cold.warnings);
  });

  it("may stand before what its path shares, of which something is reported", async () => {
    const limit: JsonObject = { name: "limit", in: "query", schema: { type: "integer" }, example: "many" };
    const first: Change = (one) => {
      const { parameters: _, ...operations } = at(one, "paths", "/pets");
      put(at(one, "paths"), "/pets", { ...operations, parameters: [limit] });
      parameters(one).push({ ...limit, schema: { type: "string" } });
    };
    const { now, cold } = await generatedTwice(
      changed(first),
      changed(first, (one) => put(list(one), "summary", "Another.")),
    );
    expect(now.isUpdate).toBe(true);
    expect(now.files).toEqual(cold.files);
    expect(now.warnings).toEqual(cold.warnings);
  });

  it("may change again and again, and back", async () => {
    const project = newProject();
    await project.generate(changed());
    const changes = confined.map(([, change]) => change);
    for (const length of [1, 2, 3, 2, 1, 0]) {
      const second = changed(...changes.slice(0, length));
      const now = await project.generate(second);
      expect(now.notes).toEqual(["document.json: what changed was read and written again, the rest taken over."]);
      expect(now.files).toEqual((await newProject().generate(second)).files);
    }
  });

  it("may be written on one line", async () => {
    const { now, cold } = await generatedTwice(
      JSON.stringify(petDocument()),
      JSON.stringify(JSON.parse(changed((one) => put(list(one), "summary", "Short.")))),
    );
    expect(now.isUpdate).toBe(true);
    expect(now.files).toEqual(cold.files);
    expect(now.warnings).toEqual(cold.warnings);
  });
});

describe("a document is read whole", () => {
  const others: readonly (readonly [what: string, change: Change])[] = [
    ["an operation has another operationId", (one) => put(visits(one), "operationId", "findVisits")],
    // The suite contains a shared parameter once, for all operations.
    ["a path shares no parameter any more", (one) => put(at(one, "paths", "/pets"), "parameters", [])],
    ["an operationId clashes", (one) => put(visits(one), "operationId", "get-owner")],
    [
      "what was only answered is asked for",
      (one) =>
        put(at(one, "paths", "/visits", "put"), "requestBody", {
          content: json({ $ref: "#/components/schemas/Secret" }),
        }),
    ],
    [
      "a part equals one of another operation",
      (one) =>
        put(
          at(one, "paths", "/visits", "put", "responses"),
          "200",
          answer({
            type: "object",
            properties: { home: address, work: address },
          }),
        ),
    ],
    ["a shared part is another in one place", (one) => put(visit(one), "at", { type: "object", properties: {} })],
    ["security requirements change", (one) => put(visits(one), "security", [])],
    ["the document's security changes", (one) => put(one, "security", [])],
    ["a tag is described", (one) => put(one, "tags", [{ name: "pets" }])],
    [
      "a component changes",
      (one) => put(at(one, "components", "schemas", "Tag", "properties"), "color", { type: "string" }),
    ],
    ["a component comes", (one) => put(at(one, "components", "schemas"), "New", { type: "string" })],
    [
      "an operation comes",
      (one) => put(at(one, "paths", "/visits"), "delete", { responses: { "204": { description: "Gone." } } }),
    ],
    ["an operation goes", (one) => void delete at(one, "paths", "/visits")["put"]],
    [
      "a path comes",
      (one) =>
        put(at(one, "paths"), "/more", { get: { operationId: "more", responses: { "204": { description: "" } } } }),
    ],
    [
      "two paths change",
      (one) => {
        put(list(one), "summary", "One.");
        put(visits(one), "summary", "Two.");
      },
    ],
    [
      "an operation has callbacks",
      (one) =>
        put(visits(one), "callbacks", {
          moved: { "{$request.query.url}": { post: { responses: { "204": { description: "" } } } } },
        }),
    ],
    [
      "an operation links another",
      (one) => put(at(visits(one), "responses", "200"), "links", { owner: { operationId: "moveVisit" } }),
    ],
    [
      "something refers into a path",
      (one) =>
        put(visit(one), "again", {
          $ref: "#/paths/~1owners~1{id}/get/responses/200/content/application~1json/schema",
        }),
    ],
    ["a warning is told that was not", (one) => put(visits(one), "servers", [{ url: "https://other.example" }])],
  ];

  it.each(others)("when %s", async (_what, change) => {
    const { now, cold } = await generatedTwice(changed(), changed(change));
    expect(now.isUpdate).toBe(false);
    expect(now.files).toEqual(cold.files);
    expect(now.warnings).toEqual(cold.warnings);
  });

  it("when an operation no longer uses what its path shares, and the others still tell of it", async () => {
    const limit: JsonObject = { name: "limit", in: "query", schema: { type: "integer" }, example: "many" };
    const first: Change = (one) => put(at(one, "paths", "/pets"), "parameters", [limit]);
    const { now, cold } = await generatedTwice(
      changed(first),
      changed(first, (one) => void parameters(one).push({ ...limit, schema: { type: "string" } })),
    );
    expect(now.notes.join()).toContain("other warnings must be reported");
    expect(now.files).toEqual(cold.files);
    expect(now.warnings).toEqual(cold.warnings);
    expect(now.warnings.join()).toContain("example/does-not-match-schema");
  });

  it("when a format is checked for the first time", async () => {
    const project = newProject({ formats: "assert" });
    await project.generate(changed());
    const second = changed((one) => put(visit(one), "day", { type: "string", format: "date" }));
    const now = await project.generate(second);
    expect(now.notes.join()).toContain("other formats are checked");
    expect(now.files).toEqual((await newProject({ formats: "assert" }).generate(second)).files);
  });

  it("when numbers are converted that were not", async () => {
    const { now, cold } = await generatedTwice(
      changed(),
      changed((one) =>
        put(at(one, "paths", "/visits", "put", "responses"), "200", answer({ type: "integer", format: "int64" })),
      ),
    );
    expect(now.isUpdate).toBe(false);
    expect(now.files).toEqual(cold.files);
  });

  it("when it is wrong, and told all of its mistakes", async () => {
    const { now, cold } = await generatedTwice(
      changed(),
      changed((one) => put(visit(one), "broken", { $ref: "#/components/schemas/Nothing" })),
    );
    expect(now.hasErrors && cold.hasErrors).toBe(true);
    expect(now.warnings).toEqual(cold.warnings);
  });

  const second = changed((one) => put(list(one), "summary", "Another."));

  it("when what was remembered is gone, cut off or another's", async () => {
    const damages: readonly ((path: string) => void)[] = [
      (path) => rmSync(path),
      (path) => writeFileSync(path, readFileSync(path).subarray(0, -100)),
      (path) => writeFileSync(path, readFileSync(path).subarray(0, 300)),
      (path) => writeFileSync(path, "{}\n"),
      (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"origin":"GET /pets"', '"origin":"GET /pest"')),
      (path) => writeFileSync(path, readFileSync(path, "utf8").replace("Lists pets.", "Lists cats.")),
    ];
    for (const damage of damages) {
      const project = newProject();
      await project.generate(changed());
      damage(memoryOf(project));
      const now = await project.generate(second);
      expect(now.isUpdate).toBe(false);
      expect(now.files).toEqual((await newProject().generate(second)).files);
    }
  });

  it("when somebody has edited what was generated", async () => {
    const project = newProject();
    await project.generate(changed());
    const path = join(project.directory, "pets/src/gen/client.ts");
    writeFileSync(path, `${readFileSync(path, "utf8")}// mine\n`);
    expect((await project.generate(second)).notes.join()).toContain("edited");
  });
});

const handlers = { handlers: { directory: "handlers", context: "../context.ts#Context" } };

describe("a document with handlers", () => {
  it("knows operations by the same, wherever their defaults stand", async () => {
    const size: JsonObject = { name: "size", in: "query", schema: { type: "integer", default: 20 } };
    const first: Change = (one) => void parameters(one).push(size);
    const project = newProject(handlers);
    await project.generate(changed(first));
    const second = changed(first, (one) => put(list(one), "description", "Finds pets,\nand more."));
    const now = await project.generate(second);
    expect(now.isUpdate).toBe(true);
    const cold = newProject(handlers);
    await cold.generate(changed(first));
    rmSync(memoryOf(cold));
    expect(now.files).toEqual((await cold.generate(second)).files);
  });

  it("remembers what its operations are known by", async () => {
    const project = newProject(handlers);
    await project.generate(changed());
    const second = changed((one) => void parameters(one).pop());
    const now = await project.generate(second);
    expect(now.isUpdate).toBe(true);
    const cold = newProject(handlers);
    await cold.generate(changed());
    rmSync(memoryOf(cold));
    expect(now.files).toEqual((await cold.generate(second)).files);
  });
});

describe("any document", () => {
  it("gives the files and warnings of a run over the whole of it, whatever changed", async () => {
    const counts = { runs: 0, updates: 0 };
    const property = fc.asyncProperty(
      documents,
      fc.array(edits, { minLength: 1, maxLength: 3 }),
      async (first, all) => {
        const project = createTestProject(handlers);
        const forgetful = createTestProject(handlers);
        try {
          rmSync(join(forgetful.directory, "node_modules"), { recursive: true });
          let document = first;
          await forgetful.generate(textOf(document));
          if ((await project.generate(textOf(document))).hasErrors) return;
          for (const edit of all) {
            document = edit(document);
            const now = await project.generate(textOf(document));
            const whole = await forgetful.generate(textOf(document));
            expect(now.hasErrors).toBe(whole.hasErrors);
            expect(now.warnings).toEqual(whole.warnings);
            expect(now.files).toEqual(whole.files);
            if (whole.hasErrors) return;
            counts.runs += 1;
            if (now.isUpdate) counts.updates += 1;
          }
        } finally {
          project.remove();
          forgetful.remove();
        }
      },
    );
    await fc.assert(property, { numRuns: 30 });
    expect(counts.updates / counts.runs).toBeGreaterThan(0.25);
  });
});

function parameters(document: JsonObject): Json[] {
  return list(document)["parameters"] as Json[];
}

/** Returns the single cache file of a project. */
function memoryOf({ directory }: TestProject): string {
  const kept = join(directory, "node_modules/.cache/nodewright");
  const [name = "", ...others] = readdirSync(kept);
  expect(others).toEqual([]);
  return join(kept, name);
}
