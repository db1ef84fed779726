// OpenAPI 3.1, sections 4.8.12.2.2, 4.8.14.1 and 4.8.19: examples of parameters and bodies.
import { describe, expect, it } from "vitest";
import { onePath, readText } from "./testing/read-text.ts";

const json = (members: string): string => `content: { application/json: { ${members} } }`;

function pairing(parameters: string, responses: string, body = ""): string {
  return onePath(`parameters: [${parameters}]\n${body}\nresponses: { ${responses} }`);
}

const parameter = (members: string): string => `{ name: a, in: query, schema: { type: string }, ${members} }`;
const found = (examples: string): string => `"200": { description: Found., ${json(`examples: { ${examples} }`)} }`;
const missing = (examples: string): string => `"404": { description: Missing., ${json(`examples: { ${examples} }`)} }`;

describe("an example of a parameter or a body", () => {
  it("has a name where it is one of several, and none where it stands alone", async () => {
    const { operation } = await readText(
      onePath(`
parameters: [${parameter("example: x")}, { name: b, in: query, schema: {}, examples: { one: { value: 1 }, two: { value: 2 } } }]
requestBody: { ${json("example: { a: 1 }, schema: { type: object }")} }
responses: { "200": { description: "", ${json("example: [], schema: {}")} } }`),
    );
    expect(operation.parameters.map(({ examples }) => examples)).toMatchObject([
      [{ value: "x", source: { pointer: "/paths/~1pets/post/parameters/0/example" } }],
      [
        { name: "one", value: 1, source: { pointer: "/paths/~1pets/post/parameters/1/examples/one" } },
        { name: "two", value: 2 },
      ],
    ]);
    expect(operation.parameters[0]?.examples?.[0]).not.toHaveProperty("name");
    expect(operation.body?.contents[0]?.examples).toMatchObject([{ value: { a: 1 } }]);
    expect(operation.successes[0].content?.examples).toMatchObject([{ value: [] }]);
  });

  it("is none where no value is given in the document", async () => {
    const { operation } = await readText(
      pairing(parameter("examples: { a: { externalValue: https://example.com }, b: { summary: B. } }"), found("")),
    );
    expect(operation.parameters[0]).not.toHaveProperty("examples");
    expect(operation.successes[0].content).not.toHaveProperty("examples");
  });

  it("may be given as data in 3.2", async () => {
    const { operation } = await readText(
      pairing(parameter("examples: { a: { dataValue: x }, b: { serializedValue: y } }"), found("")),
      { version: "3.2.0" },
    );
    expect(operation.parameters[0]?.examples).toMatchObject([{ name: "a", value: "x" }]);
    expect(operation.parameters[0]?.examples).toHaveLength(1);
  });
});

describe("a case", () => {
  it("is not missed where the examples of a document make none", async () => {
    const { operation, codes } = await readText(
      pairing(
        `${parameter("examples: { one: { value: x }, two: { value: y } }")}, { name: b, in: query, required: true, schema: { type: string } }`,
        found("one: { value: 1 }"),
      ),
    );
    expect([operation.examples, codes]).toEqual([[], []]);
  });

  it("is made of the inputs and the response of one name, each with what is said of it", async () => {
    const { operation, codes } = await readText(
      pairing(
        parameter("required: true, examples: { first: { value: x }, none: { value: y } }"),
        `${found("first: { value: 1, summary: The first., x-live: true }")}, ${missing("none: { value: No such pet. }")}`,
      ),
    );
    expect(codes).toEqual([]);
    expect(operation.examples).toMatchObject([
      {
        name: "first",
        input: { a: "x" },
        isLive: true,
        summary: "The first.",
        outcome: { kind: "success", status: 200, value: 1 },
      },
      {
        name: "none",
        input: { a: "y" },
        isLive: false,
        outcome: { kind: "failure", status: 404, message: "No such pet." },
      },
    ]);
    expect(operation.examples[1]).not.toHaveProperty("summary");
    expect(operation.examples[1]?.outcome).not.toHaveProperty("value");
  });

  it("has no message where the body of a failure is no text", async () => {
    const { operation } = await readText(pairing(parameter(""), missing("none: { value: { code: 1 } }")));
    expect(operation.examples.map(({ outcome }) => outcome)).toEqual([{ kind: "failure", status: 404 }]);
  });

  it("leaves out an optional input that has no example of its name, and needs a required one", async () => {
    const optional = await readText(
      pairing(parameter("examples: { other: { value: x } }"), found("first: { value: 1 }")),
    );
    expect(optional.operation.examples.map(({ input }) => input)).toEqual([{}]);
    const required = await readText(pairing(parameter("required: true"), found("first: { value: 1 }")));
    expect(required.operation.examples).toEqual([]);
    const ofSchema = parameter("required: true").replace("type: string", "type: string, example: x");
    expect((await readText(pairing(ofSchema, found("first: { value: 1 }")))).operation.examples).toMatchObject([
      { input: { a: "x" } },
    ]);
  });

  it.each([
    ["example", "example: x"],
    ["the first of examples", "examples: [x, y]"],
    ["default", "default: x"],
    ["example before examples and default", "example: x, examples: [y], default: z"],
  ])("takes the value of a schema for a required parameter: %s", async (_what, members) => {
    const required = parameter("required: true").replace("type: string", `type: string, ${members}`);
    const { operation } = await readText(pairing(required, found("first: { value: 1 }")));
    expect(operation.examples).toMatchObject([{ name: "first", input: { a: "x" } }]);
  });

  it("has the body of its name, and is none without one where a body is required", async () => {
    const body = (isRequired: boolean, examples: string): string =>
      `requestBody: { required: ${isRequired}, ${json(`schema: {}, examples: { ${examples} }`)} }`;
    const inputs = async (isRequired: boolean, examples: string): Promise<unknown> => {
      const { operation } = await readText(pairing("", found("first: { value: 1 }"), body(isRequired, examples)));
      return operation.examples.map(({ input }) => input);
    };
    expect(await inputs(true, "first: { value: 5 }")).toEqual([{ body: 5 }]);
    expect(await inputs(false, "first: { value: 5 }")).toEqual([{ body: 5 }]);
    expect(await inputs(true, "other: { value: 5 }")).toEqual([]);
    expect(await inputs(false, "other: { value: 5 }")).toEqual([{}]);
  });

  it("takes the examples of JSON, and those of any media type for a failure", async () => {
    const text = "text/plain: { schema: { type: string }, examples: { text: { value: t } } }";
    const response = (status: string, ...contents: readonly string[]): string =>
      `"${status}": { description: "", content: { ${contents.join()} } }`;
    const bare = "application/json: { schema: {} }";
    const success = await readText(pairing("", response("200", text, bare)));
    expect(success.operation.examples).toEqual([]);
    for (const contents of [
      [text, bare],
      [bare, text],
    ]) {
      const { operation } = await readText(pairing("", `"204": { description: "" }, ${response("404", ...contents)}`));
      expect(operation.examples).toMatchObject([{ name: "text", outcome: { message: "t" } }]);
    }
  });

  it("is none for statuses that are no numbers", async () => {
    const responses = `default: { description: "", ${json("examples: { first: { value: 1 } }")} }`;
    const { operation } = await readText(pairing(parameter(""), responses));
    expect(operation.examples).toEqual([]);
  });

  it("has a name of its own, in kebab case", async () => {
    const { operation } = await readText(
      pairing("", `${found("First One: { value: 1 }")}, ${missing("firstOne: { value: x }")}`),
    );
    expect(operation.examples.map(({ name }) => name)).toEqual(["first-one", "first-one2"]);
  });

  it("that lacks an input, or an input that has no case, is reported at its place", async () => {
    const { diagnostics } = await readText(
      pairing(
        parameter("required: true, examples: { one: { value: x }, tow: { value: y } }"),
        found("one: { value: 1 }, two: { value: 2 }"),
      ),
    );
    expect(diagnostics.map(({ code, source }) => [code, source.pointer.split("/").at(-1)])).toEqual([
      ["openapi/example-lacks-input", "two"],
      ["openapi/unpaired-example", "tow"],
    ]);
    for (const { message } of diagnostics) expect(message).toContain("POST /pets");
  });

  it("says nothing of examples that are not paired by name", async () => {
    const { codes } = await readText(
      pairing(parameter("required: true, example: x"), found("one: { value: 1 }, two: { value: 2 }")),
    );
    expect(codes).toEqual([]);
  });
});
