// OpenAPI 3.1, section 4.8.12 (Parameter Object): diagnostics about parameters, and the sources of their members.
import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText } from "./testing/read-text.ts";

const at = "/paths/~1pets/post/parameters";

async function readParameters(parameters: string, version = "3.1.0") {
  const { operation, diagnostics } = await readText(onePath(`parameters: [${parameters}]\n${noResponse}`), { version });
  return {
    parameters: operation.parameters,
    reported: diagnostics.map(({ message, source }) => [message, source.pointer]),
    hints: diagnostics.map(({ hint }) => hint),
  };
}

describe("a parameter that is described twice", () => {
  it.each([
    ["{ name: a, in: query, schema: {} }", "{ name: a, in: query, schema: {} }", "query"],
    ["{ name: X-A, in: header, schema: {} }", "{ name: x-a, in: header, schema: {} }", "header"],
  ])("is the first of them: %s, %s", async (first, second, location) => {
    const { parameters, reported } = await readParameters(`${first}, ${second}`);
    const [name = ""] = /(?<=name: )[\w-]+/.exec(second) ?? [];
    expect(parameters).toHaveLength(1);
    expect(reported).toEqual([[`The ${location} parameter "${name}" is described twice.`, `${at}/1`]]);
  });

  it.each([
    ["{ name: a, in: query, schema: {} }", "{ name: A, in: query, schema: {} }"],
    ["{ name: a, in: query, schema: {} }", "{ name: a, in: header, schema: {} }"],
    ["{ name: a, in: query, schema: {} }", "{ name: a, in: cookie, schema: {} }"],
  ])("is not: %s, %s", async (first, second) => {
    const { parameters, reported } = await readParameters(`${first}, ${second}`);
    expect([parameters.length, reported]).toEqual([2, []]);
  });

  it("replaces that of the path, wherever the letters of a header are capitals", async () => {
    const { operation, codes } = await readText(`paths:
  /a:
    parameters: [{ name: X-A, in: header, schema: { type: string } }, { name: b, in: query, schema: {} }]
    get: { operationId: a, parameters: [{ name: x-a, in: header, schema: { type: boolean } }], ${noResponse} }
`);
    expect(codes).toEqual([]);
    expect(operation.parameters.map(({ name, type }) => [name, type.kind])).toEqual([
      ["x-a", "boolean"],
      ["b", "any"],
    ]);
  });
});

describe("the holes of a path", () => {
  const path = (parameters: string): string =>
    `paths: { "/p/{id}": { get: { operationId: a, parameters: [${parameters}], ${noResponse} } } }\n`;
  const reportedOf = async (parameters: string) => {
    const { diagnostics } = await readText(path(parameters));
    return diagnostics.map(({ message, hint }) => [message, hint]);
  };

  it("are described by path parameters", async () => {
    expect(await reportedOf("{ name: id, in: path, required: true, schema: {} }")).toEqual([]);
    expect(await reportedOf("{ name: id, in: query, schema: {} }")).toEqual([
      [
        'The path contains the parameter "id", and the operation has no path parameter of that name.',
        "Add the parameter to the operation or to its path item.",
      ],
    ]);
  });

  it("are those that parameters fill", async () => {
    const reported = await reportedOf(
      "{ name: id, in: path, required: true, schema: {} }, { name: other, in: path, required: true, schema: {} }",
    );
    expect(reported).toEqual([['The path "/p/{id}" does not contain the path parameter "other".', undefined]]);
  });

  it("are not reported where the location of their parameter is a slip", async () => {
    expect(await reportedOf("{ name: id, in: pth, required: true, schema: {} }")).toEqual([
      [
        '"pth" is not a location of parameters (did you mean "path"?).',
        "Parameters are located in path, query, header or cookie.",
      ],
    ]);
    expect(await reportedOf("{ name: other, in: pth, required: true, schema: {} }")).toHaveLength(2);
    expect(await reportedOf("{ name: id, in: nowhere, required: true, schema: {} }")).toHaveLength(2);
  });

  it.each(["required: false, ", ""])("need their values: %s", async (required) => {
    const { diagnostics } = await readText(path(`{ name: id, in: path, ${required}schema: {} }`));
    expect(diagnostics).toMatchObject([
      {
        message: 'The path parameter "id" is without "required: true".',
        hint: "A path without the value would be another path.",
        source: { pointer: `/paths/~1p~1{id}/get/parameters/0${required === "" ? "" : "/required"}` },
      },
    ]);
  });

  it("are not looked for where the API itself makes the request", async () => {
    const { codes } = await readText(
      `webhooks: { a: { post: { parameters: [{ name: id, in: path, required: true, schema: {} }], ${noResponse} } } }\n`,
    );
    expect(codes).toEqual([]);
  });
});

describe("the style of a parameter", () => {
  it.each([
    ["path", "simple, label, matrix"],
    ["query", "form, spaceDelimited, pipeDelimited, deepObject"],
    ["header", "simple"],
    ["cookie", "form"],
  ])("in %s is one of %s", async (location, styles) => {
    const { diagnostics, operation } = await readText(
      `webhooks: {}\n${onePath(`parameters: [{ name: a, in: ${location}, required: true, style: strange, schema: {} }]\n${noResponse}`)}`,
    );
    const [style] = styles.split(", ");
    expect(operation.parameters).toMatchObject([{ style }]);
    expect(diagnostics[0]).toMatchObject({
      message: `A ${location} parameter cannot have the style "strange".`,
      hint: `Its styles are ${styles}.`,
      source: { pointer: `${at}/0/style` },
    });
  });

  it("is that of cookies in 3.2 alone", async () => {
    const cookie = "{ name: a, in: cookie, style: cookie, schema: {} }";
    const known = await readParameters(cookie, "3.2.0");
    expect(known.reported).toEqual([]);
    expect(known.parameters).toMatchObject([{ style: "form", explode: true, allowReserved: true }]);
    const unknown = await readParameters(cookie);
    expect(unknown.reported).toEqual([['A cookie parameter cannot have the style "cookie".', `${at}/0/style`]]);
    expect(unknown.parameters[0]).not.toHaveProperty("allowReserved");
    const query = await readParameters("{ name: a, in: query, style: cookie, schema: {} }", "3.2.0");
    expect(query.reported).toHaveLength(1);
  });

  it.each([
    ["form", "x-own: 1", true],
    ["form", "explode: false", false],
    ["pipeDelimited", "explode: true", true],
    ["pipeDelimited", "x-own: 1", false],
  ])("%s with %s explodes: %s", async (style, members, explode) => {
    const { parameters } = await readParameters(`{ name: a, in: query, style: ${style}, ${members}, schema: {} }`);
    expect(parameters).toMatchObject([{ explode }]);
  });

  it.each([
    ["query", "allowReserved: true", true],
    ["query", "allowReserved: false", undefined],
    ["header", "allowReserved: true", undefined],
  ])("in %s with %s takes reserved characters: %s", async (location, members, allowReserved) => {
    const { parameters } = await readParameters(`{ name: a, in: ${location}, ${members}, schema: {} }`);
    expect(parameters[0]?.allowReserved).toBe(allowReserved);
  });
});

describe("an empty value of a parameter", () => {
  it.each([
    ["query", "true", "integer", true],
    ["query", "true", "boolean", true],
    ["query", "true", "string", false],
    ["query", "true", "object", false],
    ["query", "false", "integer", false],
    ["header", "true", "integer", false],
  ])(
    "in %s, where allowEmptyValue is %s and the type %s, is a value of its own: %s",
    async (location, flag, type, expected) => {
      const { parameters } = await readParameters(
        `{ name: a, in: ${location}, allowEmptyValue: ${flag}, schema: { type: ${type} } }`,
      );
      expect(parameters[0]?.type.kind === "union").toBe(expected);
      if (expected)
        expect(parameters[0]?.type).toMatchObject({
          mode: "any-of",
          members: [{}, { kind: "enumeration", values: [""], source: { pointer: `${at}/0/allowEmptyValue` } }],
          source: { pointer: `${at}/0/allowEmptyValue` },
        });
    },
  );
});

describe("a parameter that is a document", () => {
  it("has the type and the default of its schema", async () => {
    const { parameters } = await readParameters(
      "{ name: a, in: query, content: { application/json: { schema: { type: boolean, default: false } } } }",
    );
    expect(parameters).toMatchObject([{ mediaType: "application/json", type: { kind: "boolean" }, default: false }]);
  });

  it("may be anything without a schema, or in a media type that leads nowhere", async () => {
    const open = await readParameters("{ name: a, in: query, content: { application/json: {} } }");
    expect([open.parameters[0]?.type.kind, open.reported]).toEqual(["any", []]);
    const lost = await readParameters(
      '{ name: a, in: query, content: { a/b: { $ref: "#/components/mediaTypes/A" } } }',
      "3.2.0",
    );
    expect(lost.parameters[0]).not.toHaveProperty("mediaType");
    expect(lost.parameters[0]?.type.kind).toBe("any");
  });

  it("is not given by a schema as well", async () => {
    const { reported, parameters } = await readParameters(
      "{ name: a, in: query, schema: { type: boolean }, content: { a/b: { schema: { type: integer } } } }",
    );
    expect(parameters[0]?.type.kind).toBe("boolean");
    expect(reported).toEqual([['The parameter "a" has either "schema" or "content", not both.', `${at}/0/content`]]);
  });

  it.each([
    ["{}", "none"],
    ["{ a/b: {}, c/d: {} }", "2"],
  ])("is written in one media type, not in %s", async (content, count) => {
    const { reported } = await readParameters(`{ name: a, in: query, content: ${content} }`);
    expect(reported).toContainEqual([
      `The parameter "a" is written in one media type, not in ${count}.`,
      `${at}/0/content`,
    ]);
  });
});

describe("a complete query string", () => {
  const querystring = (content: string): string => `{ name: q, in: querystring, ${content} }`;

  it("may be a form in 3.2, and nothing else", async () => {
    const form = await readParameters(
      querystring('content: { "application/x-www-form-urlencoded; charset=utf-8": { schema: { type: object } } }'),
      "3.2.0",
    );
    expect([form.parameters.length, form.reported]).toEqual([1, []]);
    const json = await readParameters(querystring("content: { application/json: { schema: {} } }"), "3.2.0");
    expect(json.parameters).toEqual([]);
    expect(json.reported).toEqual([
      [
        "A parameter for the complete query string as application/json is not supported.",
        `${at}/0/content/application~1json`,
      ],
    ]);
    const old = await readParameters(querystring("content: { application/json: { schema: {} } }"));
    expect(old.reported).toEqual([['"querystring" is not a location of parameters.', `${at}/0/in`]]);
  });

  it("is none without a media type", async () => {
    expect((await readParameters(querystring("schema: {}"), "3.2.0")).parameters).toEqual([]);
  });
});

describe("what is said of a parameter", () => {
  it.each([
    ["x-own: 1", {}],
    ["description: A.", { description: "A." }],
    ["deprecated: true", { deprecated: true }],
    ["deprecated: false", {}],
    ["deprecated: true, description: A.", { deprecated: true, description: "A." }],
  ])("is its documentation: %s", async (members, documentation) => {
    const { parameters } = await readParameters(`{ name: a, in: query, ${members}, schema: {} }`);
    expect(parameters[0]?.documentation).toEqual(documentation);
  });

  it("has nothing that is not said", async () => {
    const { parameters } = await readParameters("{ name: a, in: query, schema: {} }");
    for (const name of ["default", "allowReserved", "mediaType", "invalidMessage", "examples"])
      expect(parameters[0]).not.toHaveProperty(name);
  });

  it("has its extensions checked, and its schema where it is of no use", async () => {
    const { reported } = await readParameters(
      "{ name: a, in: query, x-unit: 1, schema: {} }, { in: query, schema: { type: strange } }, { name: Accept, in: header, schema: { type: odd } }",
    );
    expect(reported.map(([, pointer]) => pointer)).toEqual([
      `${at}/0/x-unit`,
      `${at}/1`,
      `${at}/1/schema/type`,
      `${at}/2/schema/type`,
    ]);
  });

  it.each(["Accept", "CONTENT-TYPE", "authorization"])("in a query is not described elsewhere: %s", async (name) => {
    expect((await readParameters(`{ name: ${name}, in: query, schema: {} }`)).parameters).toHaveLength(1);
    expect((await readParameters(`{ name: ${name}, in: header, schema: {} }`)).parameters).toHaveLength(0);
  });

  it("is read once where several operations refer to it, each with a description of its own", async () => {
    const reference = (description: string): string =>
      `parameters: [{ $ref: "#/components/parameters/A"${description} }], ${noResponse}`;
    const { model, diagnostics } = await readText(`paths:
  /a: { get: { operationId: a, ${reference(", description: First.")} } }
  /b: { get: { operationId: b, ${reference(", description: Second.")} } }
  /c: { get: { operationId: c, ${reference("")} } }
components: { parameters: { A: { name: a, in: query, deprecated: true, schema: { type: strange } } } }
`);
    expect(diagnostics).toHaveLength(1);
    expect(model.operations.map(({ parameters: [one] }) => one?.documentation)).toEqual([
      { deprecated: true, description: "First." },
      { deprecated: true, description: "Second." },
      { deprecated: true },
    ]);
  });
});

describe("a link to an operation", () => {
  const target = (parameters: string, body = ""): string =>
    `/b/{id}: { post: { operationId: b, parameters: [{ name: id, in: path, required: true, schema: {} }, ${parameters}], ${body} ${noResponse} } }`;
  const inputsOf = async (parameters: string, members: string, body?: string) => {
    const { operation, diagnostics } = await readText(
      `paths:\n  /a: { get: { operationId: a, responses: { "200": { description: "", links: { next: { operationId: b, ${members} } } } } } }\n  ${target(parameters, body)}\n`,
    );
    return { inputs: operation.links[0]?.inputs, diagnostics };
  };

  it.each([
    ["{ name: id, in: query, schema: {} }", "query.id: 1", { idInQuery: 1 }],
    ["{ name: id, in: header, schema: {} }", "header.id: 1", { idInHeader: 1 }],
    ["{ name: id, in: cookie, schema: {} }", "cookie.id: 1", { idInCookie: 1 }],
    ["{ name: a.b, in: query, schema: {} }", "query.a.b: 1", { aB: 1 }],
    ["{ name: path.x, in: query, schema: {} }", "path.x: 1", { pathX: 1 }],
    ["{ name: path.id, in: query, schema: {} }", "path.id: 1", { id: 1 }],
    [
      "{ name: c, in: query, schema: {} }",
      "c: { d: [1] }, id: $response.body",
      { c: { d: [1] }, id: "$response.body" },
    ],
  ])("gives values by name, or by place and name: %s, %s", async (parameters, given, expected) => {
    const { inputs, diagnostics } = await inputsOf(parameters, `parameters: { ${given} }`);
    expect(diagnostics).toEqual([]);
    expect(inputs).toEqual(expected);
  });

  it("gives no value to what is no parameter", async () => {
    const { inputs, diagnostics } = await inputsOf(
      "{ name: c, in: query, schema: {} }",
      "parameters: { xpath.id: 1, c: 2 }",
    );
    expect(inputs).toEqual({ c: 2 });
    expect(diagnostics).toMatchObject([
      {
        message: 'The link "next" has a value for "xpath.id", which is not a parameter of POST /b/{id}.',
        source: { pointer: "/paths/~1a/get/responses/200/links/next/parameters/xpath.id" },
      },
    ]);
    expect(diagnostics[0]?.source.end).toBeGreaterThan(diagnostics[0]?.source.start ?? 0);
  });

  it("gives a body where the operation takes one", async () => {
    const body = "requestBody: { content: { application/json: {} } },";
    const c = "{ name: c, in: query, schema: {} }";
    expect((await inputsOf(c, "requestBody: { a: 1 }", body)).inputs).toEqual({ body: { a: 1 } });
    expect((await inputsOf(c, "requestBody: { a: 1 }")).inputs).toEqual({});
    expect((await inputsOf(c, "description: A.", body)).inputs).toEqual({});
  });
});
