// Documents for measurements: an OpenAPI document that is several times as long, and one of which one operation is changed.

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

/** An OpenAPI document as `JSON.parse` gives it. */
export type OpenApiValue = JsonObject;

/** The document with its paths and components `times` times, each time under other names, which its references follow. */
export function growDocument(document: OpenApiValue, times: number): OpenApiValue {
  const paths: JsonObject = {};
  const components: JsonObject = {};
  for (let copy = 1; copy <= times; copy += 1) {
    const suffix = copy === 1 ? "" : `-copy${copy}`;
    const renamed = suffix === "" ? document : (renameReferences(document, suffix) as JsonObject);
    for (const [path, item] of Object.entries(objectAt(renamed, "paths"))) {
      paths[suffix === "" ? path : `/${suffix.slice(1)}${path}`] = suffix === "" ? item : withOtherIds(item, suffix);
    }
    for (const [section, entries] of Object.entries(objectAt(renamed, "components"))) {
      const target = objectAt(components, section);
      components[section] = target;
      for (const [name, entry] of Object.entries(entries as JsonObject)) {
        target[section === "securitySchemes" ? name : name + suffix] = entry;
      }
    }
  }
  return { ...document, paths, components };
}

/** The document with a parameter more in its operation number `index`, from 0. */
export function changeOperation(document: OpenApiValue, index: number, parameter: string): OpenApiValue {
  const changed = structuredClone(document);
  const operations = Object.values(objectAt(changed, "paths")).flatMap((item) =>
    Object.entries(item as JsonObject).flatMap(([method, operation]) => (methods.has(method) ? [operation] : [])),
  );
  const operation = operations[index % operations.length] as JsonObject;
  const parameters = (operation["parameters"] ?? []) as Json[];
  operation["parameters"] = [...parameters, { name: parameter, in: "query", schema: { type: "string" } }];
  return changed;
}

const methods: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

function objectAt(value: JsonObject, name: string): JsonObject {
  return (value[name] ?? {}) as JsonObject;
}

function renameReferences(value: Json, suffix: string): Json {
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, suffix));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isReference = name === "$ref" && typeof member === "string" && member.startsWith("#/components/");
      const isMapping = name === "mapping" && typeof member === "object" && !Array.isArray(member) && member !== null;
      if (isReference) return [name, renamed(member, suffix)];
      if (isMapping)
        return [name, Object.fromEntries(Object.entries(member).map(([key, to]) => [key, renamed(to, suffix)]))];
      return [name, renameReferences(member, suffix)];
    }),
  );
}

/** `#/components/schemas/pet/properties/name` gives `#/components/schemas/pet-copy2/properties/name`. */
function renamed(reference: Json, suffix: string): Json {
  if (typeof reference !== "string") return reference;
  return reference.replace(/^(#\/components\/(?!securitySchemes)[^/]+\/[^/]+)/, `$1${suffix}`);
}

function withOtherIds(item: Json, suffix: string): Json {
  const operations = Object.entries(item as JsonObject).map(([method, operation]): [string, Json] => {
    if (typeof operation !== "object" || operation === null || Array.isArray(operation)) return [method, operation];
    const id = operation["operationId"];
    return [method, typeof id === "string" ? { ...operation, operationId: id + suffix } : operation];
  });
  return Object.fromEntries(operations);
}
