import fc from "fast-check";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

/** An OpenAPI document whose paths and components use only a few names, so that many parts are similar. */
export interface RandomDocument {
  readonly version: "3.0.3" | "3.1.0";
  readonly schemas: JsonObject;
  readonly parameters: JsonObject;
  readonly responses: JsonObject;
  /** Operations by method and path. */
  readonly operations: Readonly<Record<string, JsonObject>>;
}

const schemaNames = ["Pet", "pet-owner", "Error", "GetThingOutput", "Tag", "PetInput"] as const;
const memberNames = ["id", "name", "owner", "tags", "size", "state", "next", "note"] as const;
const responseNames = ["Failed", "Gone"] as const;
const parameterNames = ["limit", "filter"] as const;

/** Schemas that occur unchanged in several places. */
const fixedSchemas: readonly JsonObject[] = [
  { type: "string" },
  { type: "string", enum: ["open", "closed", "waiting", "lost", "found", "sold", "gone", "new", "old", "odd"] },
  { type: "string", pattern: "^[0-9a-f]{4}-[a-z]+$" },
  { type: "string", format: "date-time" },
  { type: "integer", format: "int64" },
  { type: "integer", minimum: 0, maximum: 100 },
  { type: "number" },
  { type: "boolean", default: true },
  {
    type: "object",
    required: ["street", "town"],
    properties: {
      street: { type: "string" },
      town: { type: "string" },
      country: { type: "string" },
      code: { type: "integer", minimum: 1, maximum: 99 },
      box: { type: "string" },
      since: { type: "integer", format: "int64" },
    },
  },
];

const reference: fc.Arbitrary<JsonObject> = fc
  .constantFrom(...schemaNames)
  .map((name) => ({ $ref: `#/components/schemas/${name}` }));

const { schema } = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...fixedSchemas),
    reference,
    tie("object"),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ allOf: fc.array(tie("object"), { minLength: 1, maxLength: 2 }) }),
  ),
  object: fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...memberNames), tie("schema"), { maxKeys: 4 }),
      required: fc.uniqueArray(fc.constantFrom(...memberNames), { maxLength: 2 }),
      readOnly: fc.boolean(),
      isClosed: fc.boolean(),
    })
    .map(({ properties, required, readOnly, isClosed }): JsonObject => {
      const names = Object.keys(properties);
      const [first] = names;
      const wanted = required.filter((name) => names.includes(name));
      const marked = readOnly && first !== undefined ? { [first]: { type: "string", readOnly: true } } : {};
      return {
        type: "object",
        properties: { ...properties, ...marked },
        ...(wanted.length === 0 ? {} : { required: wanted }),
        ...(isClosed ? { additionalProperties: false } : {}),
      };
    }),
}));

const parameter: fc.Arbitrary<JsonObject> = fc.record(
  {
    name: fc.constantFrom(...memberNames),
    in: fc.constantFrom("query", "header"),
    schema,
    required: fc.boolean(),
    description: fc.constantFrom("One.", "Another."),
    example: fc.constantFrom<Json>("open", 7, true),
  },
  { requiredKeys: ["name", "in", "schema"] },
);

const content: fc.Arbitrary<JsonObject> = fc
  .record({ schema, example: fc.constantFrom<Json>("text", 1, {}) }, { requiredKeys: ["schema"] })
  .map((media) => ({ "application/json": media }));

const answer: fc.Arbitrary<JsonObject> = fc.record(
  { description: fc.constantFrom("Done.", "Well."), content },
  { requiredKeys: ["description"] },
);

const failure: fc.Arbitrary<JsonObject> = fc.oneof(
  answer,
  fc.constantFrom(...responseNames).map((name) => ({ $ref: `#/components/responses/${name}` })),
);

const parameters = fc.uniqueArray(
  fc.oneof(
    parameter,
    fc.constantFrom(...parameterNames).map((name): JsonObject => ({ $ref: `#/components/parameters/${name}` })),
  ),
  { maxLength: 3, selector: (one) => `${String(one["in"])} ${String(one["name"] ?? one["$ref"])}` },
);

const operation: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      summary: fc.constantFrom("Looks.", "Finds all."),
      description: fc.constantFrom("It looks\n\nagain.", "It finds."),
      deprecated: fc.boolean(),
      tags: fc.constantFrom<Json>([], ["pets"]),
      parameters,
      requestBody: fc.record({ content }),
      success: answer,
      404: failure,
      500: failure,
      security: fc.constantFrom<Json>([], [{ key: [] }]),
    },
    { requiredKeys: ["success"] },
  )
  .map(
    ({ success, 404: notFound, 500: broken, ...rest }): JsonObject => ({
      ...rest,
      responses: {
        "200": success,
        ...(notFound === undefined ? {} : { "404": notFound }),
        ...(broken === undefined ? {} : { "500": broken }),
      },
    }),
  );

const places = ["get /things", "post /things", "get /things/{id}", "put /things/{id}", "delete /other"] as const;

/** Documents of one to five operations. */
export const documents: fc.Arbitrary<RandomDocument> = fc.record({
  version: fc.constantFrom("3.0.3", "3.1.0"),
  schemas: fc.tuple(...schemaNames.map(() => schema)).map((all) => named(schemaNames, all.map(withoutCircle))),
  parameters: fc.tuple(...parameterNames.map(() => schema)).map((all) =>
    named(
      parameterNames,
      all.map((one, index) => ({ name: `shared${index}`, in: "query", schema: one })),
    ),
  ),
  responses: fc.tuple(...responseNames.map(() => answer)).map((all) => named(responseNames, all)),
  operations: fc
    .tuple(fc.uniqueArray(fc.constantFrom(...places), { minLength: 2 }), fc.tuple(...places.map(() => operation)))
    .map(([chosen, all]) => Object.fromEntries(chosen.map((place, index) => [place, all[index] ?? {}]))),
});

/** A change of a document, usually of one operation. */
export type Edit = (document: RandomDocument) => RandomDocument;

const operationEdit: fc.Arbitrary<(operation: JsonObject) => JsonObject> = fc.oneof(
  fc.constantFrom("A new summary.", "Looks.").map((summary) => (one: JsonObject) => ({ ...one, summary })),
  fc.constantFrom("A new\n\ndescription.", "*/ `").map((description) => (one: JsonObject) => ({ ...one, description })),
  parameters.map((all) => (one: JsonObject) => ({ ...one, parameters: all })),
  parameter.map((added) => (one: JsonObject) => ({
    ...one,
    parameters: [...((one["parameters"] ?? []) as readonly Json[]), { ...added, name: "added" }],
  })),
  fc.record({ content }).map((requestBody) => (one: JsonObject) => ({ ...one, requestBody })),
  fc.tuple(fc.constantFrom("200", "404", "418"), answer).map(([status, response]) => (one: JsonObject) => ({
    ...one,
    responses: { ...(one["responses"] as JsonObject), [status]: response },
  })),
  fc.constant((one: JsonObject) => ({ ...one, deprecated: one["deprecated"] !== true })),
);

const otherEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.constantFrom(...schemaNames), schema).map(
    ([name, one]): Edit =>
      (document) => ({
        ...document,
        schemas: { ...document.schemas, [name]: withoutCircle(one) },
      }),
  ),
  fc.tuple(fc.constantFrom(...places), operation).map(
    ([place, one]): Edit =>
      (document) => ({
        ...document,
        operations: { ...document.operations, [place]: one },
      }),
  ),
  fc.tuple(fc.nat(4), fc.constantFrom<Json>([], [{ key: [] }])).map(
    ([index, security]): Edit =>
      (document) =>
        withOperation(document, index, (one) => ({ ...one, security })),
  ),
  fc.tuple(fc.nat(4), fc.constantFrom("getThing", "listPets", "get-thing")).map(
    ([index, operationId]): Edit =>
      (document) =>
        withOperation(document, index, (one) => ({ ...one, operationId })),
  ),
);

/** Edits, four in five of which change one operation. */
export const edits: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat(4), operationEdit).map(
      ([index, change]): Edit =>
        (document) =>
          withOperation(document, index, change),
    ),
  },
  { weight: 1, arbitrary: otherEdit },
);

/** Returns the text of a document. */
export function textOf({ version, schemas, parameters: shared, responses, operations }: RandomDocument): string {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [place, one] of Object.entries(operations)) {
    const [method = "", path = ""] = place.split(" ");
    const own = path.includes("{id}") ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : [];
    const given = (one["parameters"] ?? []) as readonly Json[];
    paths[path] = { ...paths[path], [method]: { ...one, parameters: [...own, ...given] } };
  }
  const securitySchemes = { key: { type: "apiKey", in: "header", name: "X-Key" } };
  const components = { schemas, parameters: shared, responses, securitySchemes };
  return JSON.stringify({ openapi: version, info: { title: "Things", version: "1" }, paths, components }, null, 2);
}

function withOperation(
  document: RandomDocument,
  index: number,
  change: (operation: JsonObject) => JsonObject,
): RandomDocument {
  const entries = Object.entries(document.operations);
  const chosen = index % entries.length;
  const operations = entries.map(([place, one], at) => [place, at === chosen ? change(one) : one] as const);
  return { ...document, operations: Object.fromEntries(operations) };
}

/** Wraps a component that is only a reference, or a choice of references, in a member: otherwise it might be defined as itself. */
function withoutCircle(one: JsonObject): JsonObject {
  return one["type"] === undefined ? { type: "object", properties: { held: one } } : one;
}

function named(names: readonly string[], values: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? {}]));
}
