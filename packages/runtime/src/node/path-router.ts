import { matchSegment, type PathTemplate, readPathTemplate, type SegmentPart } from "./path-template.ts";

/** Properties by which a router finds operations. */
export interface RoutedOperation {
  readonly method: string;
  /** Path with `{name}` parameters. */
  readonly path: string;
}

/** An operation that matches a path. */
export interface RouteMatch<Operation> {
  readonly operation: Operation;
  /** Values of the path parameters by name, percent-encoded as they were sent. */
  readonly parameterNames: Readonly<Record<string, string>>;
}

/** A path that is known, but not with this method. */
export interface MethodMismatch {
  /** Methods of the path, in document order. */
  readonly allowed: readonly string[];
}

/** Lookup of operations by method and path. */
export interface PathRouter<Operation> {
  /** Finds an operation. `path` is percent-encoded and begins with a slash; undefined when no operation has it. Throws `URIError`. */
  find(method: string, path: string): RouteMatch<Operation> | MethodMismatch | undefined;
}

/** A node in the tree of segments. */
interface Place<Operation> {
  /** Child nodes by literal, percent-decoded. */
  readonly literals: Map<string, Place<Operation>>;
  /** Child nodes for segments of literals and parameters, by their shape. */
  readonly mixed: Map<string, { readonly parts: readonly SegmentPart[]; readonly place: Place<Operation> }>;
  /** Child node for a segment that is one parameter. */
  parameter: Place<Operation> | undefined;
  /** Operations that end here, by method; undefined where none does. */
  ends: Map<string, { readonly operation: Operation; readonly names: readonly string[] }> | undefined;
}

interface End<Operation> {
  readonly ends: NonNullable<Place<Operation>["ends"]>;
  readonly texts: readonly string[];
}

export interface PathRouterOptions {
  /** Whether the last segment of a path may be an empty parameter, as in `/blocks/`. Absent: a parameter is never empty. */
  readonly emptyLastParameters?: boolean | undefined;
}

/**
 * Creates a router over path templates. Literals precede parameters, segment by segment from the left (OpenAPI 3.1, section 4.8.8.1); a
 * path without the method leaves the request to the next match.
 */
export function createPathRouter<Operation extends RoutedOperation>(
  operations: Iterable<Operation>,
  { emptyLastParameters = false }: PathRouterOptions = {},
): PathRouter<Operation> {
  const root = createPlace<Operation>();
  for (const operation of operations) addOperation(root, operation, readPathTemplate(operation.path));
  return {
    find(method, path) {
      const segments = path.split("/");
      const plain = findPlain(root, method, segments);
      if (plain !== undefined) return plain;
      segments.shift();
      const allowed = new Set<string>();
      for (const { ends, texts } of endsOf(root, segments, 0, [], emptyLastParameters)) {
        const end = ends.get(method) ?? (method === "HEAD" ? ends.get("GET") : undefined);
        if (end !== undefined) return { operation: end.operation, parameterNames: namedTexts(end.names, texts) };
        for (const known of ends.keys()) allowed.add(known);
      }
      if (allowed.size === 0) return undefined;
      // A document's GET serves HEAD too (RFC 9110, section 9.3.2).
      return { allowed: [...allowed, ...(allowed.has("GET") && !allowed.has("HEAD") ? ["HEAD"] : [])] };
    },
  };
}

export function isMethodMismatch<Operation>(match: RouteMatch<Operation> | MethodMismatch): match is MethodMismatch {
  return "allowed" in match;
}

function createPlace<Operation>(): Place<Operation> {
  return { literals: new Map(), mixed: new Map(), parameter: undefined, ends: undefined };
}

function addOperation<Operation extends RoutedOperation>(
  root: Place<Operation>,
  operation: Operation,
  { segments, parameterNames }: PathTemplate,
): void {
  let place = root;
  for (const parts of segments) place = nextPlace(place, parts);
  place.ends ??= new Map();
  if (!place.ends.has(operation.method)) place.ends.set(operation.method, { operation, names: parameterNames });
}

function nextPlace<Operation>(place: Place<Operation>, parts: readonly SegmentPart[]): Place<Operation> {
  const [first = ""] = parts;
  if (parts.length <= 1) {
    if (typeof first === "string") return placeIn(place.literals, decodeLiteral(first), createPlace<Operation>);
    place.parameter ??= createPlace();
    return place.parameter;
  }
  const shape = JSON.stringify(parts.map((part) => (typeof part === "number" ? 0 : part)));
  return placeIn(place.mixed, shape, () => ({ parts, place: createPlace<Operation>() })).place;
}

function placeIn<Value>(places: Map<string, Value>, key: string, create: () => Value): Value {
  const known = places.get(key);
  if (known !== undefined) return known;
  const created = create();
  places.set(key, created);
  return created;
}

/**
 * Finds the match of nearly every request, without escapes and steps back: the first one that `endsOf` would try. Undefined says nothing
 * about the path.
 */
function findPlain<Operation>(
  root: Place<Operation>,
  method: string,
  segments: readonly string[],
): RouteMatch<Operation> | undefined {
  let place: Place<Operation> | undefined = root;
  const texts: string[] = [];
  for (let position = 1; position < segments.length; position += 1) {
    const segment = segments[position] ?? "";
    if (segment === "" || segment.includes("%")) return undefined;
    const literal: Place<Operation> | undefined = place.literals.get(segment);
    if (literal === undefined) {
      if (place.mixed.size > 0) return undefined;
      texts.push(segment);
    }
    place = literal ?? place.parameter;
    if (place === undefined) return undefined;
  }
  const end = place.ends?.get(method);
  return end === undefined ? undefined : { operation: end.operation, parameterNames: namedTexts(end.names, texts) };
}

/** Yields all matches, the most literal first. The number of tried nodes is bounded by that of the document's paths. */
function* endsOf<Operation>(
  place: Place<Operation>,
  segments: readonly string[],
  position: number,
  texts: readonly string[],
  emptyLastParameters: boolean,
): Generator<End<Operation>> {
  const segment = segments[position];
  if (segment === undefined) {
    if (place.ends !== undefined) yield { ends: place.ends, texts };
    return;
  }
  const decoded = decodeURIComponent(segment);
  const literal = place.literals.get(decoded);
  if (literal !== undefined) yield* endsOf(literal, segments, position + 1, texts, emptyLastParameters);
  for (const { parts, place: next } of place.mixed.values()) {
    // An escaped character belongs to a value; nevertheless, a literal of the template may be escaped.
    const found = matchSegment(parts, segment) ?? matchDecoded(parts, segment, decoded);
    if (found !== undefined) yield* endsOf(next, segments, position + 1, [...texts, ...found], emptyLastParameters);
  }
  if (place.parameter !== undefined && (segment !== "" || (emptyLastParameters && position === segments.length - 1))) {
    yield* endsOf(place.parameter, segments, position + 1, [...texts, segment], emptyLastParameters);
  }
}

function matchDecoded(parts: readonly SegmentPart[], segment: string, decoded: string): readonly string[] | undefined {
  if (segment === decoded) return undefined;
  return matchSegment(
    parts.map((part) => (typeof part === "number" ? part : decodeLiteral(part))),
    decoded,
  )?.map(encodeURIComponent);
}

const noParameters: Readonly<Record<string, string>> = {};

function namedTexts(names: readonly string[], texts: readonly string[]): Readonly<Record<string, string>> {
  if (names.length === 0) return noParameters;
  // `fromEntries` defines members, so that a parameter called `__proto__` is one like any other.
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

/** Decodes a literal of a document where possible: `%20` and a space mean the same. */
function decodeLiteral(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
