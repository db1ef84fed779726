import { partsOfType } from "@nodewright/api-model";
import type { ApiModel, Content, Failure, Operation, RequestBody, TypeNode } from "@nodewright/model";

/** Returns whether `calls.ts` has a table of security schemes: if requests carry credentials. */
export function hasSecuritySchemes(model: ApiModel): boolean {
  return model.protocol === "http" && model.security.length > 0;
}

/**
 * Returns whether handlers return `{ status?, contentType?, headers?, body? }` instead of the body alone: the first success declares
 * headers or is of a range of statuses or media types, or there are several successes.
 */
export function hasReplyEnvelope({ successes }: Operation): boolean {
  const [first] = successes;
  const isRange =
    typeof first.status !== "number" || (first.content !== undefined && isMediaRange(first.content.mediaType));
  return successes.length > 1 || isRange || first.headers.length > 0;
}

/** Returns every operation of a model that has an input and a response: those that it serves, and those that its clients serve. */
export function allOperations(model: ApiModel): readonly Operation[] {
  return [...model.operations, ...(model.incoming ?? [])];
}

/** Returns whether a body is a sequence of items: an `AsyncIterable` in memory, whose validators are those of an item. */
export function isItemSequence({ form }: Content): boolean {
  return form === "event-stream" || form === "json-lines";
}

/** Returns whether a media type is a range, such as `image/*`. */
export function isMediaRange(mediaType: string): boolean {
  return mediaType.includes("*");
}

/** Returns whether the input selects the form of the body by its `contentType`: there are several forms, or a range of them. */
export function selectsContentType({ body }: Operation): boolean {
  if (body === undefined) return false;
  return body.contents.length > 1 || body.contents.some(({ mediaType }) => isMediaRange(mediaType));
}

/** Returns the media types among which a response is negotiated, as the input's `accept`: those of statuses that have several. */
export function negotiatedTypes({ successes }: Operation): readonly string[] {
  const statuses = new Set<Operation["successes"][number]["status"]>();
  const repeated = new Set<Operation["successes"][number]["status"]>();
  for (const { status } of successes) (statuses.has(status) ? repeated : statuses).add(status);
  const types = successes.flatMap(({ status, content }) => (repeated.has(status) ? (content?.mediaType ?? []) : []));
  return [...new Set(types)];
}

/** Returns whether any success has a body; without one the output is `undefined` and has neither validator nor codec. */
export function hasOutputBody(operation: Operation): boolean {
  return operation.successes.some((success) => success.content !== undefined);
}

/** Returns the content in which clients send a body and whose type the input's `body` has: the first in JSON, otherwise the first. */
export function preferredContent(body: RequestBody): Content | undefined {
  return body.contents.find((content) => content.form === "json") ?? body.contents[0];
}

/** Returns the types of all bodies of an operation's successes, each node once. */
export function outputTypes(operation: Operation): readonly TypeNode[] {
  return [...new Set(operation.successes.flatMap(({ content }) => (content === undefined ? [] : [content.type])))];
}

/** Returns the bodies of a failure that clients read: those in JSON and in plain text. */
export function failureContents({ contents }: Failure): readonly Content[] {
  return contents.filter(({ form, mediaType }) => form === "json" || isPlainText(mediaType));
}

/** Returns the declaration whose codec reads the body of a failure, where wire and memory differ; other types get no codec. */
export function failureCodec(failure: Failure, model: ApiModel): string | undefined {
  const types = failure.contents.filter(({ form }) => form === "json").map(({ type }) => type);
  const targets = new Set(types.map((type) => (type.kind === "reference" ? type.target : undefined)));
  const [target] = targets;
  const [first] = types;
  return targets.size === 1 && first !== undefined && needsCodec(first, model) ? target : undefined;
}

function isPlainText(mediaType: string): boolean {
  return mediaType.startsWith("text/");
}

/** Returns the types of the items of an operation's request body, if it is a sequence. */
export function inputItemTypes({ body }: Operation): readonly TypeNode[] {
  return (body?.contents ?? []).filter(isItemSequence).map(({ type }) => type);
}

/** Returns whether an item of a streamed request body differs between wire and memory, so that it needs a codec. */
export function inputItemNeedsCodec(operation: Operation, model: ApiModel): boolean {
  return inputItemTypes(operation).some((type) => needsCodec(type, model));
}

/** Returns the types of an operation's inputs: those of its parameters and of its body in each of its forms. */
function inputTypes(operation: Operation): readonly TypeNode[] {
  const contents = (operation.body?.contents ?? []).filter((content) => !isItemSequence(content));
  return [...operation.parameters, ...contents].map(({ type }) => type);
}

/** Returns whether wire and memory differ: the type contains, itself or through references, a `bigint` or a `bitcoin-amount`. */
export function needsCodec(type: TypeNode, model: ApiModel): boolean {
  return nodeNeedsCodec(type, codecDeclarations(model));
}

/** Returns whether an input of an operation differs between wire and memory, so that it needs a codec. */
export function inputNeedsCodec(operation: Operation, model: ApiModel): boolean {
  return inputTypes(operation).some((type) => needsCodec(type, model));
}

/** Returns whether the result of an operation differs between wire and memory, so that it needs a codec. */
export function outputNeedsCodec(operation: Operation, model: ApiModel): boolean {
  return outputTypes(operation).some((type) => needsCodec(type, model));
}

const codecDeclarationsOfModels = new WeakMap<ApiModel, ReadonlySet<string>>();

/** Returns the names of the declarations that need a codec: repeats over all declarations until none is added. */
function codecDeclarations(model: ApiModel): ReadonlySet<string> {
  const known = codecDeclarationsOfModels.get(model);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { name, type } of model.declarations) {
      if (!found.has(name) && nodeNeedsCodec(type, found)) found.add(name);
    }
  }
  codecDeclarationsOfModels.set(model, found);
  return found;
}

function nodeNeedsCodec(type: TypeNode, declarations: ReadonlySet<string>): boolean {
  switch (type.kind) {
    case "number":
      return (type.representation ?? "number") !== "number";
    case "reference":
      return declarations.has(type.target);
    case "list":
    case "record":
    case "union":
    case "intersection":
    case "unevaluated":
      return partsOfType(type).some((part) => nodeNeedsCodec(part, declarations));
    case "conditional":
      return [type.consequence, type.alternative].some((member) => nodeNeedsCodec(member, declarations));
    case "any":
    case "never":
    case "null":
    case "boolean":
    case "string":
    case "bytes":
    case "enumeration":
    case "not":
      return false;
    default:
      return type satisfies never;
  }
}
