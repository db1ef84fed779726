import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphqlDocumentFacts, PageRangeFacts } from "../operations/operation.ts";
import { isGraphqlError, isInvalidResponseError, isTransportError } from "./client-errors.ts";
import type { ClientOptions, Transport } from "./client-options.ts";
import { createGraphqlClient } from "./graphql-client.ts";
import { failedRange } from "./page-ranges.ts";
import type { PageOptions, RangePages } from "./range-pages.ts";

interface Log {
  readonly block: string;
}

interface Logs {
  readonly logs: readonly Log[] | null;
}

interface Asked {
  readonly filter: { readonly from: number | string | bigint; readonly to: number | string | bigint };
}

type Variables = Readonly<Record<string, unknown>>;

const facts = { is: () => true, violationsOf: () => [] };
const pages: PageRangeFacts = { from: ["filter", "from"], to: ["filter", "to"], items: ["logs"], length: 100 };
const logs: GraphqlDocumentFacts<Variables, Logs> = {
  kind: "graphql-document",
  name: "logs",
  root: "query",
  text: "query logs($filter: Filter!) { logs(filter: $filter) { block } }",
  input: facts,
  output: facts,
  pages,
};
const latest: GraphqlDocumentFacts = {
  kind: "graphql-document",
  name: "latest",
  root: "query",
  text: "query latest { block { number } }",
  input: facts,
  output: facts,
};
const openLogs = { ...logs, pages: { ...pages, end: ["block", "number"] } };

/** Details with which a service rejects a range. */
type Refusal = Readonly<Record<string, unknown>> | undefined;

interface Service {
  readonly transport: Transport;
  /** Requested lengths, in order, rejected ones with a minus. */
  readonly lengths: number[];
  readonly asked: Asked[];
}

/** Creates a service with one log in each block, whose head is block 1000. */
function service(refuse: (from: bigint, to: bigint) => Refusal = () => undefined): Service {
  const lengths: number[] = [];
  const asked: Asked[] = [];
  const transport: Transport = async ({ body }) => {
    const { query, variables } = JSON.parse(String(body)) as { query: string; variables: Asked };
    if (query === latest.text) return response(200, { data: { block: { number: "0x3e8" } } });
    const [from, to] = [BigInt(variables.filter.from), BigInt(variables.filter.to)];
    const extensions = refuse(from, to);
    lengths.push(Number(to - from + 1n) * (extensions === undefined ? 1 : -1));
    asked.push(variables);
    if (extensions !== undefined) return response(400, { data: null, errors: [{ message: "Too much", extensions }] });
    const found = Array.from({ length: Number(to - from) + 1 }, (_, index) => ({
      block: String(from + BigInt(index)),
    }));
    return response(200, { data: { logs: found } });
  };
  return { transport, lengths, asked };
}

function response(status: number, body: unknown) {
  const header = (name: string) => (name === "content-type" ? "application/json" : undefined);
  return { status, body: new TextEncoder().encode(JSON.stringify(body)), header };
}

function pagesOf(
  { transport }: Pick<Service, "transport">,
  variables: Variables,
  options?: PageOptions,
  { document = openLogs, client = {} }: { document?: typeof logs; client?: Partial<ClientOptions> } = {},
): RangePages<Logs, Log> {
  const created = createGraphqlClient(
    { baseUrl: "http://service.example/", transport, retryDelayMilliseconds: 1, ...client },
    { query: "apikey", header: "X-API-Key" },
  );
  return created.pages<Variables, Logs, Log>(document, latest, variables, options);
}

const range = (from: unknown, to?: unknown): Variables => ({ filter: { from, ...(to === undefined ? {} : { to }) } });
const blocksOf = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index));

async function itemsOf(asked: RangePages<Logs, Log>): Promise<readonly string[]> {
  return (await Array.fromAsync(asked.items)).map(({ block }) => block);
}

async function failureOf(asked: RangePages<Logs, Log>): Promise<unknown> {
  return itemsOf(asked).then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => error,
  );
}

/** Rejects ranges of more blocks than that, in the form of this project's own service. */
const longest =
  (maximum: number) =>
  (from: bigint, to: bigint): Refusal =>
    to - from >= maximum
      ? { code: "BAD_USER_INPUT", limit: "logBlocks", maximum, actual: Number(to - from) + 1 }
      : undefined;

/** Rejects ranges with more than so many logs, the blocks of `dense` having a thousand each, without figures. */
const most =
  (maximum: number, dense: readonly [number, number]) =>
  (from: bigint, to: bigint): Refusal => {
    let size = 0;
    for (let block = from; block <= to; block += 1n) size += block >= dense[0] && block <= dense[1] ? 1000 : 1;
    return size > maximum && to > from ? { limit: "responseBytes" } : undefined;
  };

describe("the pages of a range", () => {
  it("are as long as the document says or the caller, in ascending order, and each requested when it is wanted", async () => {
    const first = service();
    const ranges = await Array.fromAsync(pagesOf(first, range(1, 250)).ranges);
    expect(ranges.map(({ from, to, data }) => [from, to, data.logs?.length])).toEqual([
      [1n, 100n, 100],
      [101n, 200n, 100],
      [201n, 250n, 50],
    ]);
    const second = service();
    for await (const { logs: found } of pagesOf(second, range(0, 99), { pageLength: 10 })) {
      expect(found).toHaveLength(10);
      if (second.lengths.length === 3) break;
    }
    expect(second.lengths).toEqual([10, 10, 10]);
    expect(await itemsOf(pagesOf(service(), range(7, 7)))).toEqual(["7"]);
  });

  it("write their bounds as the caller has written his, and leave the other variables alone", async () => {
    const given = { topic: "0xaa", nested: { from: 1 } };
    for (const [from, to, bounds] of [
      [0, 1, [0, 0, 1, 1]],
      ["0", "1", ["0", "0", "1", "1"]],
      ["0x9", "0xA", ["0x9", "0x9", "0xa", "0xa"]],
      [-1, "0x0", [-1, "-1", 0, "0x0"]],
      [2n ** 60n, 2n ** 60n + 1n, [2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60]],
    ] as const) {
      const { transport, asked } = service();
      const variables = { other: given, filter: { from, to, topics: [given] } };
      const before = structuredClone(variables);
      await Array.fromAsync(pagesOf({ transport }, variables, { pageLength: 1 }));
      expect(asked.flatMap(({ filter }) => [filter.from, filter.to])).toEqual(bounds);
      expect(asked[0]).toEqual({ other: given, filter: { ...asked[0]?.filter, topics: [given] } });
      expect(variables).toEqual(before);
    }
  });

  it("end where another operation says when their end is left open, which is queried once", async () => {
    for (const to of [undefined, null]) {
      const { transport, lengths } = service();
      expect(await itemsOf(pagesOf({ transport }, range("0x320", to)))).toEqual(blocksOf(800, 1000));
      expect(lengths).toEqual([100, 100, 1]);
    }
    const nowhere: Transport = async () => response(200, { data: { block: null } });
    expect(isInvalidResponseError(await failureOf(pagesOf({ transport: nowhere }, range(1))))).toBe(true);
  });

  it("are none where the first integer comes after the last", async () => {
    const { transport, lengths } = service();
    expect(await itemsOf(pagesOf({ transport }, range(5, 4)))).toEqual([]);
    expect(await itemsOf(pagesOf({ transport }, range(1001)))).toEqual([]);
    expect(lengths).toEqual([]);
  });

  it("are refused before anything is asked where bounds or length make no sense", async () => {
    const { transport, lengths } = service();
    const wrong: readonly (readonly [Variables, PageOptions?])[] = [
      [{}],
      [range(undefined, 5)],
      [range("latest", 5)],
      [range(1.5, 5)],
      [range(2 ** 53, 2 ** 53)],
      [range(0, "0x")],
      [range(0, `0x${"f".repeat(101)}`)],
      [range(0, 5), { pageLength: 0 }],
      [range(0, 5), { pageLength: 1.5 }],
    ];
    for (const [variables, options] of wrong)
      expect(await failureOf(pagesOf({ transport }, variables, options))).toBeInstanceOf(RangeError);
    expect(await failureOf(pagesOf({ transport }, range(0), undefined, { document: logs }))).toBeInstanceOf(RangeError);
    expect(lengths).toEqual([]);
  });

  it("take the length that the service says it takes at most", async () => {
    const { transport, lengths } = service(longest(30));
    expect(await itemsOf(pagesOf({ transport }, range(0, 99)))).toEqual(blocksOf(0, 99));
    expect(lengths).toEqual([-100, 30, 30, 30, 10]);
  });

  it("get shorter by halves down to one, and longer again behind what was too much", async () => {
    const { transport, lengths } = service(most(200, [200, 202]));
    expect(await itemsOf(pagesOf({ transport }, range(0, 999), { pageLength: 64 }))).toEqual(blocksOf(0, 999));
    expect(Math.min(...lengths.map(Math.abs))).toBe(1);
    expect(lengths.at(-2)).toBe(64);
    expect(lengths.filter((length) => length < 0).length).toBeLessThan(15);
  });

  it("are shorter by as much as the service says that a limit was passed", async () => {
    const cost = (from: bigint, to: bigint): Refusal => {
      const actual = Number(to - from + 1n) * 7;
      return actual > 70 ? { limit: "cost", maximum: 70, actual } : undefined;
    };
    const { transport, lengths } = service(cost);
    expect(await itemsOf(pagesOf({ transport }, range(0, 29)))).toEqual(blocksOf(0, 29));
    expect(lengths).toEqual([-30, 10, 10, 10]);
  });

  it("hold everything once, whatever is refused", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 150 }),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        async (first, count, pageLength, maximum, tells) => {
          const refuse = tells ? longest(maximum) : most(maximum, [first + 20, first + 40]);
          const { transport, lengths } = service(refuse);
          const found = await itemsOf(pagesOf({ transport }, range(first, first + count), { pageLength }));
          expect(found).toEqual(blocksOf(first, first + count));
          expect(Math.max(...lengths)).toBeLessThanOrEqual(pageLength);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("fail with the service's own error where a range can't be shortened, and say which it was", async () => {
    const single = service(() => ({ limit: "objects", maximum: 1 }));
    const error = await failureOf(pagesOf(single, range(40, 43)));
    expect(isGraphqlError(error)).toBe(true);
    expect(failedRange(error)).toEqual({ from: 40n, to: 40n });
    expect(single.lengths).toEqual([-4, -2, -1]);
    // A limit on the document is exceeded by the shortest range as well.
    for (const limit of ["depth", "variables", "addresses"]) {
      const refusing = service(() => ({ limit, maximum: 20, actual: 21 }));
      expect(failedRange(await failureOf(pagesOf(refusing, range(40, 43))))).toEqual({ from: 40n, to: 43n });
      expect(refusing.lengths).toEqual([-4]);
    }
    const other = service((from) => (from > 100n ? { code: "UPSTREAM_UNAVAILABLE" } : undefined));
    const given: string[] = [];
    const reason = await (async () => {
      for await (const { block } of pagesOf(other, range(0, 300)).items) given.push(block);
    })().catch((thrown: unknown) => thrown);
    expect(isGraphqlError(reason) && reason.errors[0]?.extensions).toEqual({ code: "UPSTREAM_UNAVAILABLE" });
    expect(failedRange(reason)).toEqual({ from: 200n, to: 299n });
    expect(given).toEqual(blocksOf(0, 199));
    expect(failedRange(new Error("another"))).toBeUndefined();
    expect(failedRange("no error")).toBeUndefined();
  });

  it("are requested again as often as the options allow, each on its own", async () => {
    const { transport } = service();
    let attempts = 0;
    const shaky: Transport = async (request) => {
      attempts += 1;
      if (attempts % 2 === 1) throw new Error("away");
      return transport(request);
    };
    expect(await itemsOf(pagesOf({ transport: shaky }, range(0, 299), { retries: 1 }))).toEqual(blocksOf(0, 299));
    expect(attempts).toBe(6);
    const error = await failureOf(pagesOf({ transport: shaky }, range(0, 299), { retries: 0 }));
    expect(isTransportError(error)).toBe(true);
    expect(failedRange(error)).toEqual({ from: 0n, to: 99n });
  });

  it("end with the signal's reason, between two pages and while one is under way", async () => {
    const between = new AbortController();
    const calm = service();
    const reason = new Error("enough");
    const ended = (async () => {
      for await (const page of pagesOf(calm, range(0, 999), { signal: between.signal })) {
        expect(page.logs).toHaveLength(100);
        between.abort(reason);
      }
    })();
    await expect(ended).rejects.toBe(reason);
    expect(calm.lengths).toEqual([100]);
    expect(failedRange(reason)).toBeUndefined();
    const during = new AbortController();
    const hanging: Transport = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
        during.abort(reason);
      });
    expect(await failureOf(pagesOf({ transport: hanging }, range(0, 9), { signal: during.signal }))).toBe(reason);
  });

  it("hand on headers and key, and show neither in an error", async () => {
    const seen: unknown[] = [];
    const transport: Transport = async ({ url, headers }) => {
      seen.push([new URL(url).searchParams.get("apikey"), headers["x-trace"]]);
      return response(400, { errors: [{ message: "no s3cret-k3y for t-1" }] });
    };
    const options = { headers: { "x-trace": "t-1" } };
    const error = await failureOf(pagesOf({ transport }, range(0, 9), options, { client: { apiKey: "s3cret-k3y" } }));
    expect(seen).toEqual([["s3cret-k3y", "t-1"]]);
    expect(String(error)).not.toMatch(/s3cret-k3y|t-1/);
    expect(failedRange(error)).toEqual({ from: 0n, to: 9n });
  });
});
