/** An example that a document gives, with the schema that it is an example of. */
export interface DocumentedExample {
  /** JSON Pointer of the schema. */
  readonly schema: string;
  readonly value: unknown;
  readonly of:
    | { readonly kind: "declaration"; readonly name: string }
    | { readonly kind: "response"; readonly origin: string }
    | { readonly kind: "body"; readonly origin: string };
}

type Json = unknown;
type Place = { readonly value: Json; readonly pointer: string };

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Examples of components, answers and bodies of an OpenAPI document whose media type is JSON. */
export function* openapiExamples(document: Json): Generator<DocumentedExample> {
  const at = (pointer: string): Place => ({ value: valueAt(document, pointer), pointer });
  const resolve = (place: Place): Place => {
    const reference = member(place, "$ref").value;
    return typeof reference === "string" && reference.startsWith("#")
      ? resolve(at(decodeURIComponent(reference.slice(1))))
      : place;
  };
  for (const [name, schema] of members(at("/components/schemas"))) {
    for (const value of examplesOfSchema(schema))
      yield { schema: schema.pointer, value, of: { kind: "declaration", name } };
  }
  for (const [path, item] of members(at("/paths"))) {
    for (const [method, operation] of members(resolve(item))) {
      if (!methods.includes(method)) continue;
      const origin = `${method.toUpperCase()} ${path}`;
      const answers = members(member(operation, "responses")).filter(([status]) => /^2/.test(status));
      const contents = answers.flatMap(([, answer]) => jsonContents(resolve(answer)));
      // An operation's output is any of its answers: with several of them no schema of the document says what it is.
      const [only, ...others] = contents;
      const isOnly = only !== undefined && others.length === 0 && answers.length === 1;
      if (isOnly) yield* ofContent(only, resolve, { kind: "response", origin });
      const bodies = jsonContents(resolve(member(operation, "requestBody")));
      if (bodies.length === 1) yield* ofContent(bodies[0] as Place, resolve, { kind: "body", origin });
    }
  }
}

/** Examples of results of an OpenRPC document. */
export function* openrpcExamples(document: Json): Generator<DocumentedExample> {
  const root: Place = { value: document, pointer: "" };
  const resolve = (place: Place): Place => {
    const reference = member(place, "$ref").value;
    return typeof reference === "string" && reference.startsWith("#")
      ? resolve({ value: valueAt(document, reference.slice(1)), pointer: reference.slice(1) })
      : place;
  };
  for (const [, item] of members(member(root, "methods"))) {
    const method = resolve(item);
    const result = member(resolve(member(method, "result")), "schema");
    if (result.value === undefined) continue;
    for (const [, pairing] of members(member(method, "examples"))) {
      const example = member(resolve(member(resolve(pairing), "result")), "value");
      if (example.value === undefined) continue;
      yield {
        schema: result.pointer,
        value: example.value,
        of: { kind: "response", origin: String(member(method, "name").value) },
      };
    }
  }
}

function* ofContent(
  content: Place,
  resolve: (place: Place) => Place,
  of: DocumentedExample["of"],
): Generator<DocumentedExample> {
  const schema = member(content, "schema");
  if (schema.value === undefined) return;
  const named = members(member(content, "examples")).map(([, example]) => member(resolve(example), "value").value);
  for (const value of [member(content, "example").value, ...named])
    if (value !== undefined) yield { schema: schema.pointer, value, of };
}

function jsonContents(owner: Place): readonly Place[] {
  return members(member(owner, "content"))
    .filter(([mediaType]) => /^application\/(.*\+)?json\b/.test(mediaType))
    .map(([, content]) => content);
}

function examplesOfSchema(schema: Place): readonly Json[] {
  const list = member(schema, "examples").value;
  const single = member(schema, "example").value;
  return [...(single === undefined ? [] : [single]), ...(Array.isArray(list) ? list : [])];
}

function member({ value, pointer }: Place, name: string): Place {
  const found = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return {
    value: found ? (value as Record<string, Json>)[name] : undefined,
    pointer: `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
  };
}

function members(place: Place): readonly (readonly [string, Place])[] {
  const { value } = place;
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).map((name) => [name, member(place, name)] as const);
}

function valueAt(document: Json, pointer: string): Json {
  let value = document;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    value = typeof value === "object" && value !== null ? (value as Record<string, Json>)[name] : undefined;
  }
  return value;
}
