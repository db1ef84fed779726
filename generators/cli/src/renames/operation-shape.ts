import type { ApiModel, Operation } from "@nodewright/model";
import { digestOf } from "@nodewright/output/write";

/**
 * Number of hexadecimal digits that are kept of a digest: a document of 1,200 operations has two equal ones with a probability below one in
 * a million.
 */
const digestLength = 10;

/** Members of a type that are not part of its shape: its documentation and its location. */
const wordsAboutTypes: ReadonlySet<string> = new Set([
  "source",
  "defaultSource",
  "documentation",
  "examples",
  "isUndescribed",
]);

/**
 * Returns the string that identifies an operation after it was renamed: its binding, and a digest of its inputs and responses. `GET
 * /pets/{} 1c8f0a94d2`, `rpc getblock 77f0c1a2b3`, `query block 0d9e8f7a6b`.
 */
function operationShape(operation: Operation): string {
  return `${bindingText(operation)} ${structureDigest(operation)}`;
}

/** Returns the shapes of all operations, by name. */
export function operationShapes({ operations }: Pick<ApiModel, "operations">): Readonly<Record<string, string>> {
  return Object.fromEntries(operations.map((operation) => [operation.name, operationShape(operation)]));
}

/** Splits a shape into its two parts: the binding, and the digest of inputs and responses. */
export function partsOfShape(shape: string): { readonly binding: string; readonly structure: string } {
  const end = shape.lastIndexOf(" ");
  return { binding: shape.slice(0, end), structure: shape.slice(end + 1) };
}

/** Returns the binding as a string. The names of path parameters are left out: they do not change the route. */
function bindingText({ binding }: Operation): string {
  switch (binding.kind) {
    case "http":
      return `${binding.method} ${binding.path.replaceAll(/\{[^}]*\}/g, "{}")}`;
    case "rpc":
      return `rpc ${binding.method}`;
    case "graphql":
      return `${binding.root} ${binding.field}`;
    default:
      return binding satisfies never;
  }
}

function structureDigest({ binding, parameters, body, successes }: Operation): string {
  const inputs = parameters
    .map(({ name, location, required, type }) => ({ name: location === "path" ? "" : name, location, required, type }))
    .toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
  const responses = successes.map(({ status, content, headers }) => ({
    status,
    form: content?.form,
    type: content?.type,
    headers: headers.map(({ name }) => name),
  }));
  const contents = body?.contents.map(({ form, type }) => ({ form, type }));
  const verb = binding.kind === "http" ? binding.method : binding.kind === "graphql" ? binding.root : "";
  const structure = { verb, inputs, required: body?.required, contents, responses };
  return digestOf(JSON.stringify(structure, withoutWords)).slice(0, digestLength);
}

function withoutWords(name: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return wordsAboutTypes.has(name) && typeof value === "object" ? undefined : value;
}
