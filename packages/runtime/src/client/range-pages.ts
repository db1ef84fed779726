import type { GraphqlDocumentFacts, PageRangeFacts } from "../operations/operation.ts";
import { InvalidResponseError } from "./client-errors.ts";
import type { CallOptions } from "./client-options.ts";
import { createPageLength, type PageLength } from "./page-length.ts";
import {
  markFailedRange,
  memberAt,
  type PageRange,
  readRangeValue,
  withMemberAt,
  writeRangeValue,
} from "./page-ranges.ts";

/** Options of an operation that is called page by page; the call options apply to each page. */
export interface PageOptions extends CallOptions {
  /** Maximum length of one page, at least 1. Absent: the value of the operation's document. */
  readonly pageLength?: number | undefined;
}

/** A page, with its part of the range. */
export interface RangePage<Data> extends PageRange {
  readonly data: Data;
}

/**
 * Results over a range, in ascending order, each requested when it is consumed; a further iteration sends the requests again. Two pages may
 * come from two states of the service's data: each comes from one state.
 *
 * A range that the service rejects because it is too long, or contains too much, is requested in shorter pieces; nothing is skipped or
 * repeated. Any other error of a call ends the iteration, and `failedRange` returns its range; an aborted signal's reason ends it too.
 * `RangeError` for bounds that are not integers or missing, and for a `pageLength` below 1. A range whose first integer comes after its
 * last has no pages.
 */
export interface RangePages<Data, Item> extends AsyncIterable<Data, void, undefined> {
  /** Pages with their ranges, for a consumer that continues later from the end of this one. */
  readonly ranges: AsyncIterable<RangePage<Data>, void, undefined>;
  /** Elements of the pages' lists, as one list. */
  readonly items: AsyncIterable<Item, void, undefined>;
}

/** Function that requests the pages of an operation. `Path` leads to the list in `Data`: `logs`, `block.logs`. */
export type RangePagesCall<Variables, Data, Path extends string> = (
  input: Variables,
  options?: PageOptions,
) => RangePages<Data, ItemAt<Data, Path>>;

/** Element type of the list at a path. */
export type ItemAt<Data, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? ItemAt<MemberOf<Data, Name>, Rest>
  : ElementOf<MemberOf<Data, Path>>;

type ElementOf<List> = List extends readonly (infer Item)[] ? Item : never;

type MemberOf<Value, Name extends string> = Name extends keyof NonNullable<Value>
  ? NonNullable<NonNullable<Value>[Name]>
  : never;

/** A paged operation before any request. */
export interface RangeRequest<Data> {
  readonly document: GraphqlDocumentFacts<unknown, Data>;
  /** Document whose result is the end of an open range. */
  readonly endDocument: GraphqlDocumentFacts | undefined;
  readonly variables: unknown;
  readonly options: PageOptions | undefined;
  call<Result>(document: GraphqlDocumentFacts<unknown, Result>, variables: unknown): Promise<Result>;
}

export function createRangePages<Data, Item>(request: RangeRequest<Data>): RangePages<Data, Item> {
  return {
    [Symbol.asyncIterator]: () => dataOf(request),
    ranges: { [Symbol.asyncIterator]: () => pagesOf(request) },
    items: { [Symbol.asyncIterator]: () => itemsOf<Data, Item>(request) },
  };
}

async function* dataOf<Data>(request: RangeRequest<Data>): AsyncGenerator<Data, void, undefined> {
  for await (const { data } of pagesOf(request)) yield data;
}

async function* itemsOf<Data, Item>(request: RangeRequest<Data>): AsyncGenerator<Item, void, undefined> {
  const { items } = factsOf(request);
  for await (const { data } of pagesOf(request)) {
    const list = memberAt(data, items);
    // The type of the operation's result is a list, or null.
    if (Array.isArray(list)) yield* list as readonly Item[];
  }
}

async function* pagesOf<Data>(request: RangeRequest<Data>): AsyncGenerator<RangePage<Data>, void, undefined> {
  const facts = factsOf(request);
  const length = createPageLength(pageLengthOf(request, facts));
  const bounds = await settleBounds(request, facts);
  let { from } = bounds;
  while (from <= bounds.to) {
    const to = smaller(bounds.to, from + BigInt(length.next - 1));
    const data = await fetchPage(request, length, { from, to }, bounds);
    if (data === undefined) continue;
    yield { from, to, data: data.response };
    from = to + 1n;
  }
}

/** Requests a page; `undefined` when the range must be requested in shorter pieces. */
async function fetchPage<Data>(
  { call, document, options }: RangeRequest<Data>,
  length: PageLength,
  range: PageRange,
  { variables }: Bounds,
): Promise<{ readonly response: Data } | undefined> {
  const size = Number(range.to - range.from) + 1;
  try {
    const response = await call(document, variables(range));
    length.accept(size);
    return { response };
  } catch (error) {
    options?.signal?.throwIfAborted();
    if (length.reject(size, error)) return undefined;
    markFailedRange(error, range);
    throw error;
  }
}

interface Bounds extends PageRange {
  /** Returns the variables of a page. */
  variables(page: PageRange): unknown;
}

/** Resolves the bounds. An open end is requested once: later growth is not part of the range. */
async function settleBounds<Data>(request: RangeRequest<Data>, facts: PageRangeFacts): Promise<Bounds> {
  const { document, variables } = request;
  const first = memberAt(variables, facts.from) ?? undefined;
  const last = memberAt(variables, facts.to) ?? undefined;
  const from = integerOf(document.name, facts.from, first);
  const to = last === undefined ? await fetchEnd(request, facts) : integerOf(document.name, facts.to, last);
  return {
    from,
    to,
    variables(page) {
      const begun = withMemberAt(variables, facts.from, writeRangeValue(page.from, first));
      return withMemberAt(begun, facts.to, writeRangeValue(page.to, last ?? first));
    },
  };
}

function integerOf(operation: string, path: readonly string[], value: unknown): bigint {
  const integer = readRangeValue(value);
  if (integer !== undefined) return integer;
  throw new RangeError(`The pages of ${operation} need an integer at ${path.join(".")}`);
}

async function fetchEnd<Data>(
  { document, endDocument, call }: RangeRequest<Data>,
  facts: PageRangeFacts,
): Promise<bigint> {
  const { end, to } = facts;
  if (end === undefined || endDocument === undefined) return integerOf(document.name, to, undefined);
  const response = await call(endDocument, {});
  const integer = readRangeValue(memberAt(response, end));
  if (integer !== undefined) return integer;
  throw new InvalidResponseError(endDocument.name, `the response has no integer at ${end.join(".")}`);
}

function pageLengthOf<Data>({ options }: RangeRequest<Data>, { length }: PageRangeFacts): number {
  const given = options?.pageLength ?? length;
  if (Number.isSafeInteger(given) && given >= 1) return given;
  throw new RangeError("pageLength must be an integer of at least 1");
}

function factsOf<Data>({ document }: RangeRequest<Data>): PageRangeFacts {
  if (document.pages === undefined) throw new Error(`The document of ${document.name} declares no pages`);
  return document.pages;
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
