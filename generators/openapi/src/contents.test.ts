// OpenAPI 3.1, sections 4.8.13 (Request Body Object), 4.8.14 (Media Type Object) and 4.8.15 (Encoding Object).
import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText, type TextOptions } from "./testing/read-text.ts";

function readBody(content: string, rest = "", options: TextOptions = {}) {
  return readText(`${onePath(`requestBody: { content: { ${content} } }\n${noResponse}`)}${rest}`, options);
}

const at = "/paths/~1pets/post/requestBody/content";

describe("the media types of a body", () => {
  it.each([
    ["application/json", "Application/JSON"],
    ["application/json", "application/json; charset=utf-8"],
    ["application/json;charset=utf-8", "application/json; CHARSET=iso-8859-1"],
    ["application/json", "application/json;"],
    ["a/b;x=1;y=2", "a/b; y=2; x=1"],
    ["a/b;x=1", "a/b; X=1; charset=utf-8"],
  ])("are the same: %s and %s", async (first, second) => {
    const { operation, diagnostics } = await readBody(`"${first}": {}, "${second}": {}`);
    expect(operation.body?.contents.map(({ mediaType }) => mediaType)).toEqual([first]);
    expect(diagnostics).toMatchObject([
      {
        code: "openapi/repeated-media-type",
        message: `"${second}" is the same media type as "${first}".`,
        source: { pointer: `${at}/${second.replaceAll("/", "~1")}` },
      },
    ]);
  });

  it.each([
    ["application/json", "text/json"],
    ["a/b;x=1", "a/b;x=2"],
    ["a/b;x=1", "a/b"],
    ["a/b;x", "a/bx"],
    ["a/b;xy", "a/b;x;y"],
    ["a/b;charsets=x", "a/b"],
  ])("are not the same: %s and %s", async (first, second) => {
    const { operation, codes } = await readBody(`"${first}": {}, "${second}": {}`);
    expect(operation.body?.contents.map(({ mediaType }) => mediaType)).toEqual([first, second]);
    expect(codes).toEqual([]);
  });

  it.each(["json", "a/", "/b", "a/b/c", "a b/c", "a/b, c/d"])("have two parts, unlike %s", async (mediaType) => {
    const { operation, diagnostics } = await readBody(`"${mediaType}": {}, a/b: {}`);
    expect(operation.body?.contents.map((one) => one.mediaType)).toEqual(["a/b"]);
    expect(diagnostics.map(({ message, source }) => [message, source.pointer])).toEqual([
      [`"${mediaType}" is not a media type.`, `${at}/${mediaType.replaceAll("/", "~1")}`],
    ]);
  });

  it("are left out where they lead nowhere", async () => {
    const { operation, codes } = await readBody('a/b: { $ref: "#/components/mediaTypes/A" }, c/d: {}', "", {
      version: "3.2.0",
    });
    expect(operation.body?.contents.map(({ mediaType }) => mediaType)).toEqual(["c/d"]);
    expect(codes).toEqual(["source/unresolved-reference"]);
  });
});

describe("a body whose schema cannot be applied", () => {
  const structure = "{ schema: { type: object } }";

  it.each([
    ["application/xml", "text"],
    ["application/pdf", "bytes"],
  ])("of %s is handed over as %s", async (mediaType, form) => {
    const { diagnostics } = await readBody(`${mediaType}: ${structure}`);
    expect(diagnostics.map(({ message, source }) => [message, source.pointer])).toEqual([
      [
        `Bodies of ${mediaType} are handed over as ${form}: their schema is not applied.`,
        `${at}/${mediaType.replace("/", "~1")}`,
      ],
    ]);
  });

  it("is reported once for each media type", async () => {
    const content = `content: { application/xml: ${structure}, text/csv: ${structure} }`;
    const { diagnostics } = await readText(
      onePath(`requestBody: { ${content} }\nresponses: { "200": { description: "", ${content} } }`),
    );
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "Bodies of application/xml are handed over as text: their schema is not applied (here and at 1 other place).",
      "Bodies of text/csv are handed over as text: their schema is not applied (here and at 1 other place).",
    ]);
  });

  it("has the mistakes in its schema reported all the same", async () => {
    const { codes } = await readBody(
      "application/pdf: { schema: { type: object, properties: { a: { type: strange } } } }",
    );
    expect(codes).toEqual(["json-schema/unknown-type", "openapi/opaque-content"]);
  });
});

describe("parts that are known by their position", () => {
  const parts = (members: string): string => `multipart/mixed: { ${members} }`;

  it.each([
    ["prefixEncoding", "prefixEncoding: []"],
    ["itemEncoding", "itemEncoding: {}"],
    ["itemSchema", "itemSchema: {}"],
    ["prefixEncoding", "itemEncoding: {}, prefixEncoding: []"],
  ])("are not supported in 3.2: %s", async (name, members) => {
    const { diagnostics } = await readBody(parts(members), "", { version: "3.2.0" });
    expect(diagnostics.map(({ message, source }) => [message, source.pointer])).toEqual([
      [
        "Parts of multipart/mixed that are known by their position are not supported.",
        `${at}/multipart~1mixed/${name}`,
      ],
    ]);
  });

  it("are unknown before, and parts of no other body", async () => {
    expect((await readBody(parts("itemEncoding: {}"))).codes).toEqual(["openapi/schema-violation"]);
    const other = "application/jsonl: { itemSchema: { type: integer } }";
    expect((await readBody(other, "", { version: "3.2.0" })).codes).toEqual([]);
  });
});

describe("a schema of one item", () => {
  it("is none before 3.2", async () => {
    const { operation } = await readBody("application/jsonl: { itemSchema: { type: integer } }");
    expect(operation.body?.contents[0]?.type.kind).toBe("any");
  });

  it("may give the JSON of some events and the value of others", async () => {
    const event = (data: string): string => `{ properties: { event: {}, data: ${data} } }`;
    const events = [event("{ type: string, contentSchema: { type: boolean } }"), event("{ type: integer }")];
    const { operation } = await readBody(`text/event-stream: { itemSchema: { oneOf: [${events.join()}] } }`, "", {
      version: "3.2.0",
    });
    expect(operation.body?.contents[0]?.type).toMatchObject({
      kind: "union",
      mode: "any-of",
      members: [{ kind: "boolean" }, { kind: "number" }],
      source: { pointer: `${at}/text~1event-stream/itemSchema` },
    });
  });
});

describe("the encoding of a property", () => {
  const form = (encoding: string, schema = "{ type: object, properties: { a: {} } }"): string =>
    `application/x-www-form-urlencoded: { schema: ${schema}, encoding: ${encoding} }`;

  async function encodingOf(content: string, rest = ""): Promise<unknown> {
    const { operation } = await readBody(content, rest);
    return operation.body?.contents[0]?.encoding;
  }

  it.each<[string, object]>([
    ["{}", {}],
    ["{ contentType: a/b }", { contentType: "a/b" }],
    ["{ style: deepObject }", { style: "deepObject" }],
    ["{ explode: false }", { explode: false }],
    ["{ allowReserved: true }", { allowReserved: true }],
    ["{ contentType: 5, explode: a, allowReserved: a }", {}],
    ["{ headers: {} }", {}],
    ['{ $ref: "#/components/x-encodings/A" }', { contentType: "c/d" }],
  ])("says what is written: %s", async (encoding, expected) => {
    const rest = "components: { x-encodings: { A: { contentType: c/d } } }\n";
    expect(await encodingOf(form(`{ a: ${encoding} }`), rest)).toEqual({ a: expected });
  });

  it("has no effect where the body has no such property", async () => {
    const { diagnostics } = await readBody(form("{ a: {}, b: {} }"));
    expect(diagnostics.map(({ message, source }) => [message, source.pointer])).toEqual([
      [
        'The encoding of "b" has no effect: the body has no such property.',
        `${at}/application~1x-www-form-urlencoded/encoding/b`,
      ],
    ]);
    expect((await readBody(form("{ b: {} }", "{ type: object }"))).codes).toEqual([]);
    const { codes, operation } = await readBody(
      "application/x-www-form-urlencoded: { encoding: { a: { explode: true } } }",
    );
    expect([codes, operation.body?.contents[0]?.encoding]).toEqual([[], { a: { explode: true } }]);
  });

  it("has the styles of a query parameter", async () => {
    const { diagnostics } = await readBody(form("{ a: { style: simple } }"));
    expect(diagnostics).toMatchObject([
      {
        message: 'The property "a" cannot have the style "simple".',
        hint: "Its styles are form, spaceDelimited, pipeDelimited, deepObject.",
      },
    ]);
  });

  it("counts for forms alone", async () => {
    expect(await encodingOf("application/json: { schema: {}, encoding: { a: { explode: true } } }")).toBeUndefined();
  });
});

describe("a file in a multipart body", () => {
  it("keeps what is said of its property", async () => {
    const { operation } = await readBody(
      "multipart/form-data: { schema: { type: object, required: [a], properties: { a: { type: string, format: binary, description: A photo. }, b: { type: array, minItems: 1, items: { type: string, format: binary } } } } }",
    );
    expect(operation.body?.contents[0]?.type).toMatchObject({
      members: [
        { name: "a", required: true, type: { kind: "bytes", documentation: { description: "A photo." } } },
        { name: "b", required: false, type: { kind: "list", minItems: 1, element: { kind: "bytes" } } },
      ],
    });
  });
});

describe("a request body", () => {
  it.each<[string, boolean]>([
    ["required: true", true],
    ["required: false", false],
    ["x-own: 1", false],
  ])("is required where it says so: %s", async (members, required) => {
    const { operation } = await readText(
      onePath(`requestBody: { ${members}, content: { application/json: {} } }\n${noResponse}`),
    );
    expect(operation.body?.required).toBe(required);
    expect(operation.body).not.toHaveProperty("documentation");
  });

  it.each([
    ["its content is empty", "requestBody: { content: {} }"],
    ["it leads nowhere", 'requestBody: { $ref: "#/components/requestBodies/None" }'],
  ])("is none where %s", async (_what, member) => {
    const { operation } = await readText(onePath(`${member}\n${noResponse}`));
    expect(operation).not.toHaveProperty("body");
  });

  it("gives the examples of JSON to cases, else those of the first media type", async () => {
    const response =
      'responses: { "200": { description: "", content: { application/json: { examples: { a: { value: 1 } } } } } }';
    const example = (value: string): string => `{ examples: { a: { value: ${value} } } }`;
    const inputs = async (content: string): Promise<unknown> => {
      const { operation } = await readText(
        onePath(`requestBody: { required: true, content: { ${content} } }\n${response}`),
      );
      return operation.examples.map(({ input }) => input);
    };
    expect(await inputs(`text/plain: ${example("t")}, application/json: ${example("j")}`)).toEqual([{ body: "j" }]);
    expect(await inputs(`text/plain: ${example("t")}, text/csv: ${example("c")}`)).toEqual([{ body: "t" }]);
  });
});

describe("a description", () => {
  const body = (members: string): string =>
    onePath(`requestBody: { $ref: "#/components/requestBodies/A"${members} }\n${noResponse}`);
  const components = (members: string): string =>
    `components: { requestBodies: { A: { ${members}content: { application/json: {} } } } }\n`;

  it.each([
    ["3.1.0", ", description: Ours.", "description: Theirs., ", "Ours."],
    ["3.1.0", "", "description: Theirs., ", "Theirs."],
    ["3.1.0", ", description: Ours.", "", "Ours."],
    ["3.0.3", ", description: Ours.", "description: Theirs., ", "Theirs."],
    ["3.0.3", ", description: Ours.", "", undefined],
  ])(
    "in %s is that of the reference (%s) before that of the component (%s)",
    async (version, ours, theirs, expected) => {
      const { operation } = await readText(`${body(ours)}${components(theirs)}`, { version });
      expect(operation.body?.documentation?.description).toBe(expected);
    },
  );
});

it("a reference that leads to what is no object is reported with what it leads to", async () => {
  const { diagnostics } = await readText(
    onePath(`parameters: [{ $ref: "#/info/title" }]\nrequestBody: { $ref: "#/tags" }\n${noResponse}`).concat(
      "tags: []\n",
    ),
  );
  expect(diagnostics.map(({ message, source }) => [message, source.pointer]).toSorted()).toEqual([
    [
      'The reference "#/info/title" leads to a string, where an object has to be.',
      "/paths/~1pets/post/parameters/0/$ref",
    ],
    ['The reference "#/tags" leads to an array, where an object has to be.', "/paths/~1pets/post/requestBody/$ref"],
  ]);
});
