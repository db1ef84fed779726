import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText } from "./testing/read-text.ts";

/** Returns paths with one operation each, from origins such as `GET /a` and operationIds. */
function pathsOf(operations: readonly (readonly [origin: string, id?: string])[]): string {
  const lines = operations.map(([origin, id]) => {
    const [method = "", path = ""] = origin.split(" ");
    const name = id === undefined ? "" : `operationId: ${JSON.stringify(id)}, `;
    const holes = [...path.matchAll(/\{(.*?)\}/g)].map(
      ([, hole]) => `{ name: ${hole}, in: path, required: true, schema: {} }`,
    );
    return `  ${path}: { ${method.toLowerCase()}: { ${name}parameters: [${holes.join()}], ${noResponse} } }`;
  });
  return `paths:\n${lines.join("\n")}\n`;
}

async function namesOf(operations: Parameters<typeof pathsOf>[0]) {
  const { model, diagnostics } = await readText(pathsOf(operations));
  return {
    names: model.operations.map(({ name }) => name),
    reported: diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    messages: diagnostics.map(({ message }) => message),
  };
}

describe("the name of an operation", () => {
  it("is made from any operationId", async () => {
    const { names, reported } = await namesOf([
      ["GET /a", "repos/get-content"],
      ["GET /b", "list all 'pets'"],
      ["GET /c", "2fa.enable"],
      ["GET /d", "получить питомца"],
      ["GET /e", "a*/b"],
    ]);
    expect(reported).toEqual([]);
    expect(names).toEqual(["reposGetContent", "listAllPets", "_2faEnable", "получитьПитомца", "aB"]);
  });

  it("is made from method and path where it is missing, which is reported once", async () => {
    const { names, reported, messages } = await namesOf([["GET /a/{b}"], ["GET /c"], ["GET /d", "!!"]]);
    expect(names).toEqual(["getAByB", "getC", "getD"]);
    expect(reported).toEqual(["warning openapi/missing-operation-id"]);
    expect(messages[0]).toContain("(here and at 2 other places)");
  });

  it("is that of the operationId that is spelled like it, whatever comes before", async () => {
    const { names, reported } = await namesOf([
      ["GET /a", "get-pet"],
      ["GET /b", "getPet"],
      ["GET /c", "get_pet"],
    ]);
    expect(names).toEqual(["getPet2", "getPet", "getPet3"]);
    expect(reported).toEqual(["warning openapi/operation-name-clash", "warning openapi/operation-name-clash"]);
  });

  it("is no mistake where paths differ only in the names of holes and in the method", async () => {
    const { reported } = await namesOf([
      ["DELETE /users/{name}", "removeUser"],
      ["GET /users/{id}", "getUser"],
    ]);
    expect(reported).toEqual([]);
  });
});

describe("what a configuration says of operations", () => {
  const text = `
paths:
  /pets:
    get: { operationId: list-pets, responses: { "200": { description: Pets., content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } } } }
    post: { operationId: add-pet, requestBody: { $ref: "#/components/requestBodies/New" }, responses: { "204": { description: Done., links: { list: { operationId: list-pets } } } } }
components:
  requestBodies: { New: { content: { application/json: { schema: { $ref: "#/components/schemas/NewPet" } } } } }
  schemas:
    NewPet: { type: object, properties: { kind: { $ref: "#/components/schemas/Kind" }, only: { $ref: "#/components/schemas/Only" } } }
    Only: { type: strange, minLength: -1 }
    Kind: { type: string }
    Pet: { type: object, properties: { kind: { $ref: "#/components/schemas/Kind" } } }
    Unused: { type: string }
`;

  it("gives them other names, by operationId or by method and path", async () => {
    const { model } = await readText(text.replace("strange, minLength: -1", "string"), {
      readOptions: { operations: { "list-pets": { name: "allPets" }, "POST /pets": { name: "createPet" } } },
    });
    expect(model.operations.map(({ name }) => name)).toEqual(["allPets", "createPet"]);
    expect(model.operations[1]?.links).toMatchObject([{ operation: "allPets" }]);
  });

  it("leaves them out with what only they refer to, mistakes and all", async () => {
    const { model, codes } = await readText(text, { readOptions: { operations: { "add-pet": { skip: true } } } });
    expect(codes).toEqual([]);
    expect(model.operations.map(({ name }) => name)).toEqual(["listPets"]);
    expect(model.declarations.map(({ name }) => name).toSorted()).toEqual(["Kind", "Pet", "Unused"]);
  });

  it("keeps quiet about links to what is left out", async () => {
    const { model, codes } = await readText(text.replace("strange, minLength: -1", "string"), {
      readOptions: { operations: { "list-pets": { skip: true } } },
    });
    expect(codes).toEqual([]);
    expect(model.operations[0]?.links).toEqual([]);
  });

  it("leaves out what is not supported with a warning", async () => {
    const parts = `
paths:
  /pets:
    additionalOperations: { LINK: { operationId: linkPets, ${noResponse} } }
    post:
      operationId: addPets
      requestBody: { content: { multipart/mixed: { schema: { type: array }, itemEncoding: {} } } }
      ${noResponse}
    query: { operationId: queryPets, ${noResponse} }
`;
    const refused = await readText(parts, { version: "3.2.0" });
    expect(refused.diagnostics).toMatchObject([
      { code: "openapi/unsupported-method", severity: "error" },
      { code: "openapi/unsupported-parts", severity: "error", hint: expect.stringContaining("skipUnsupported") },
    ]);
    const skipped = await readText(parts, { version: "3.2.0", readOptions: { skipUnsupported: true } });
    expect(skipped.diagnostics.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
    expect(skipped.model.operations.map(({ name, binding }) => [name, binding])).toEqual([
      ["queryPets", { kind: "http", method: "QUERY", path: "/pets" }],
    ]);
  });
});

describe("requests that the API makes", () => {
  it("are operations whose types go the other way, with names of their own", async () => {
    const pet =
      'responses: { "200": { description: A pet., content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } } }';
    const { model, codes } = await readText(`
paths:
  /pets:
    post:
      operationId: newPet
      callbacks:
        sold:
          "{$request.body#/url}":
            post: { requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }, ${noResponse} }
            put: { operationId: soldAgain, ${noResponse} }
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
      ${pet}
webhooks:
  new pet:
    post: { parameters: [{ name: X-Signature, in: header, schema: { type: string } }], ${pet} }
components:
  schemas: { Pet: { type: object, required: [id], properties: { id: { type: integer, readOnly: true } } } }
`);
    expect(codes).toEqual([]);
    expect(model.incoming?.map(({ name, binding, trigger }) => ({ name, binding, trigger }))).toEqual([
      {
        name: "newPet2",
        binding: { kind: "http", method: "POST", path: "/newPet2" },
        trigger: { kind: "webhook", name: "new pet" },
      },
      {
        name: "newPetSoldPost",
        binding: { kind: "http", method: "POST", path: "/newPetSoldPost" },
        trigger: { kind: "callback", name: "sold", expression: "{$request.body#/url}", operation: "newPet" },
      },
      {
        name: "soldAgain",
        binding: { kind: "http", method: "PUT", path: "/soldAgain" },
        trigger: { kind: "callback", name: "sold", expression: "{$request.body#/url}", operation: "newPet" },
      },
    ]);
    expect(model.operations[0]?.body?.contents[0]?.type).toMatchObject({ target: "PetInput" });
    expect(model.incoming?.[1]?.body?.contents[0]?.type).toMatchObject({ target: "Pet" });
    expect(model.operations[0]?.successes[0].content?.type).toMatchObject({ target: "Pet" });
    expect(model.incoming?.[0]?.successes[0].content?.type).toMatchObject({ target: "PetInput" });
  });
});

describe("examples", () => {
  const answers = 'responses: { "200": { description: x, content: { application/json: { examples: { ANSWERS } } } } }';
  const withAnswers = (parameters: string, names: readonly string[]): string =>
    onePath(
      `parameters: [${parameters}]\n${answers.replace("ANSWERS", names.map((name) => `${name}: { value: 1 }`).join())}`,
    );

  it("of responses alone are documentation", async () => {
    const { operation, codes } = await readText(
      withAnswers("{ name: a, in: query, required: true, schema: { type: string } }", ["default", "named"]),
    );
    expect([operation.examples, codes]).toEqual([[], []]);
  });

  it("take what stands for all cases where no name says otherwise", async () => {
    const { operation } = await readText(
      withAnswers("{ name: a, in: query, required: true, schema: { type: string, examples: [x] } }", ["named"]),
    );
    expect(operation.examples).toMatchObject([{ name: "named", input: { a: "x" } }]);
  });

  it("that do not meet are reported where others of the same operation do", async () => {
    const { codes } = await readText(
      withAnswers(
        "{ name: a, in: query, required: true, schema: {}, examples: { one: { value: 1 }, tow: { value: 2 } } }",
        ["one", "two"],
      ),
    );
    expect(codes.toSorted()).toEqual(["openapi/example-lacks-input", "openapi/unpaired-example"]);
  });
});

it("what an operation says about conformance runs is read with it", async () => {
  const marked =
    "x-immutable: true, x-relations: [{ name: Own hash, holds: hash = $input.hash, because: It was asked for. }]";
  const schema =
    "{ type: object, properties: { hash: { type: string }, confirmations: { type: integer, x-volatile: true } } }";
  const { model, diagnostics } = await readText(
    `paths:\n  /a: { get: { operationId: a, ${marked}, responses: { "200": { description: "", content: { application/json: { schema: ${schema} } } } } } }\n  /b: { get: { operationId: b, ${noResponse} } }\n`,
  );
  expect(diagnostics).toEqual([]);
  const [marking, plain] = model.operations;
  expect(marking?.extensions.immutable).toBe(true);
  expect(marking?.relations).toMatchObject([
    {
      name: "own-hash",
      holds: "hash = $input.hash",
      because: "It was asked for.",
      source: { line: expect.any(Number) },
    },
  ]);
  expect(marking?.successes[0].content?.type).toMatchObject({
    members: [{ name: "hash" }, { name: "confirmations", isVolatile: true }],
  });
  expect(JSON.stringify(marking?.successes[0].content?.type).match(/isVolatile/g)).toHaveLength(1);
  expect(plain).not.toHaveProperty("relations");
  expect(plain?.extensions).not.toHaveProperty("immutable");
});
