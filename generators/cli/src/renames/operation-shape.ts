import type { ApiModel, Operation } from "@nodewright/model";
import { digestOf } from "@nodewright/output/write";

/** Hexadecimal digits that are kept of a digest: a document of 1,200 operations has two alike with a chance below one in a million. */
const digestLength = 10;

/** What people read of a type, and where it stands, is no part of its shape. */
const wordsAboutTypes: ReadonlySet<string> = new Set([
  "source",
  "defaultSource",
  "documentation",
  "examples",
  "isUndescribed",
]);

/**
 * What is remembered of an operation, to know it again under another name: how it is reached, and a digest of its inputs and
 * answers. `GET /pets/{} 1c8f0a94d2`, `rpc getblock 77f0c1a2b3`, `query block 0d9e8f7a6b`.
 */
function operationShape(operation: Operation): string {
  return `${bindingText(operation)} ${structureDigest(operation)}`;
}

/** The shapes of all operations, by name. */
export function operationShapes({ operations }: Pick<ApiModel, "operations">): Readonly<Record<string, string>> {
  return Object.fromEntries(operations.map((operation) => [operation.name, operationShape(operation)]));
}

/** The two parts of a shape: how the operation is reached, what it is given and answers. */
export function partsOfShape(shape: string): { readonly binding: string; readonly structure: string } {
  const end = shape.lastIndexOf(" ");
  return { binding: shape.slice(0, end), structure: shape.slice(end + 1) };
}

/** What a path's holes are called says nothing about where it leads. */
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
  const answers = successes.map(({ status, content, headers }) => ({
    status,
    form: content?.form,
    type: content?.type,
    headers: headers.map(({ name }) => name),
  }));
  const contents = body?.contents.map(({ form, type }) => ({ form, type }));
  const verb = binding.kind === "http" ? binding.method : binding.kind === "graphql" ? binding.root : "";
  const structure = { verb, inputs, required: body?.required, contents, answers };
  return digestOf(JSON.stringify(structure, withoutWords)).slice(0, digestLength);
}

function withoutWords(name: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return wordsAboutTypes.has(name) && typeof value === "object" ? undefined : value;
}
