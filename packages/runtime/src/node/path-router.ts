import { matchSegment, type PathTemplate, readPathTemplate, type SegmentPart } from "./path-template.ts";

/** What a router finds operations by. */
export interface RoutedOperation {
  readonly method: string;
  /** With `{name}` holes. */
  readonly path: string;
}

/** An operation that a path leads to. */
export interface RouteMatch<Operation> {
  readonly operation: Operation;
  /** What stands in the holes of its path by name, percent-encoded as it was sent. */
  readonly holes: Readonly<Record<string, string>>;
}

/** A path that is known, though not with this method. */
export interface MethodMismatch {
  /** Methods that the path has, in document order. */
  readonly allowed: readonly string[];
}

/** Finds operations by method and path. */
export interface PathRouter<Operation> {
  /** `path` is percent-encoded and begins with a slash; undefined when no operation has it. Throws `URIError`. */
  find(method: string, path: string): RouteMatch<Operation> | MethodMismatch | undefined;
}

/** A place in the tree of segments. */
interface Place<Operation> {
  /** By text, percent-decoded. */
  readonly literals: Map<string, Place<Operation>>;
  /** Segments of texts and holes, by their shape. */
  readonly mixed: Map<string, { readonly parts: readonly SegmentPart[]; readonly place: Place<Operation> }>;
  /** A segment that is one hole. */
  hole: Place<Operation> | undefined;
  /** What ends here, by method; undefined where nothing does. */
  ends: Map<string, { readonly operation: Operation; readonly names: readonly string[] }> | undefined;
}

interface End<Operation> {
  readonly ends: NonNullable<Place<Operation>["ends"]>;
  readonly texts: readonly string[];
}

export interface PathRouterOptions {
  /** True when the last segment of a path may leave a hole empty, as in `/blocks/`. Absent: a hole is never empty. */
  readonly emptyLastHoles?: boolean | undefined;
}

/**
 * Creates a router over path templates. Texts go before holes, segment by segment from the left (OpenAPI 3.1, section
 * 4.8.8.1); a path that is there without the method leaves the request to the next that matches.
 */
export function createPathRouter<Operation extends RoutedOperation>(
  operations: Iterable<Operation>,
  { emptyLastHoles = false }: PathRouterOptions = {},
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
      for (const { ends, texts } of endsOf(root, segments, 0, [], emptyLastHoles)) {
        const end = ends.get(method) ?? (method === "HEAD" ? ends.get("GET") : undefined);
        if (end !== undefined) return { operation: end.operation, holes: namedTexts(end.names, texts) };
        for (const known of ends.keys()) allowed.add(known);
      }
      if (allowed.size === 0) return undefined;
      // A document's GET answers HEAD too (RFC 9110, section 9.3.2).
      return { allowed: [...allowed, ...(allowed.has("GET") && !allowed.has("HEAD") ? ["HEAD"] : [])] };
    },
  };
}

export function isMethodMismatch<Operation>(match: RouteMatch<Operation> | MethodMismatch): match is MethodMismatch {
  return "allowed" in match;
}

function createPlace<Operation>(): Place<Operation> {
  return { literals: new Map(), mixed: new Map(), hole: undefined, ends: undefined };
}

function addOperation<Operation extends RoutedOperation>(
  root: Place<Operation>,
  operation: Operation,
  { segments, holes }: PathTemplate,
): void {
  let place = root;
  for (const parts of segments) place = nextPlace(place, parts);
  place.ends ??= new Map();
  if (!place.ends.has(operation.method)) place.ends.set(operation.method, { operation, names: holes });
}

function nextPlace<Operation>(place: Place<Operation>, parts: readonly SegmentPart[]): Place<Operation> {
  const [first = ""] = parts;
  if (parts.length <= 1) {
    if (typeof first === "string") return placeIn(place.literals, decodeLiteral(first), createPlace<Operation>);
    place.hole ??= createPlace();
    return place.hole;
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
 * The way of nearly every request, without escapes and steps back: the first of those that `endsOf` would try. Undefined says
 * nothing about the path.
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
    place = literal ?? place.hole;
    if (place === undefined) return undefined;
  }
  const end = place.ends?.get(method);
  return end === undefined ? undefined : { operation: end.operation, holes: namedTexts(end.names, texts) };
}

/** Whatever matches, the most literal first. The number of places tried is bounded by that of the document's paths. */
function* endsOf<Operation>(
  place: Place<Operation>,
  segments: readonly string[],
  position: number,
  texts: readonly string[],
  emptyLastHoles: boolean,
): Generator<End<Operation>> {
  const segment = segments[position];
  if (segment === undefined) {
    if (place.ends !== undefined) yield { ends: place.ends, texts };
    return;
  }
  const decoded = decodeURIComponent(segment);
  const literal = place.literals.get(decoded);
  if (literal !== undefined) yield* endsOf(literal, segments, position + 1, texts, emptyLastHoles);
  for (const { parts, place: next } of place.mixed.values()) {
    // What a caller escaped belongs to a value; a text of the template may be escaped all the same.
    const found = matchSegment(parts, segment) ?? matchDecoded(parts, segment, decoded);
    if (found !== undefined) yield* endsOf(next, segments, position + 1, [...texts, ...found], emptyLastHoles);
  }
  if (place.hole !== undefined && (segment !== "" || (emptyLastHoles && position === segments.length - 1))) {
    yield* endsOf(place.hole, segments, position + 1, [...texts, segment], emptyLastHoles);
  }
}

function matchDecoded(parts: readonly SegmentPart[], segment: string, decoded: string): readonly string[] | undefined {
  if (segment === decoded) return undefined;
  return matchSegment(
    parts.map((part) => (typeof part === "number" ? part : decodeLiteral(part))),
    decoded,
  )?.map(encodeURIComponent);
}

const noHoles: Readonly<Record<string, string>> = {};

function namedTexts(names: readonly string[], texts: readonly string[]): Readonly<Record<string, string>> {
  if (names.length === 0) return noHoles;
  // `fromEntries` defines members, so that a hole called `__proto__` is one like any other.
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

/** A text of a document is taken as escaped where it can be: `%20` and a space mean the same. */
function decodeLiteral(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
