import { type DemoChain, startDemoChain } from "@nodewright/ethereum-graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertSafeFailure, secrets } from "./assert-safe-failure.ts";
import { type FaultProxy, type ProxiedCall, startFaultProxy } from "./fault-proxy.ts";
import { queryKinds, transactionQuery } from "./query-kinds.ts";
import { type GraphqlReply, type ServedService, serveOver } from "./served-service.ts";
import { changeAt, pathsOf, spoilings, type ValuePath } from "./spoilt-values.ts";

let chain: DemoChain;
let proxy: FaultProxy;
let service: ServedService;

beforeAll(async () => {
  const started = await startDemoChain({ miningIntervalMilliseconds: 0 });
  if (started === undefined) throw new Error("This test needs anvil");
  chain = started;
  proxy = await startFaultProxy(chain.url);
  // The tracker would ask beside the queries.
  service = await serveOver([proxy.url], { upstream: { heads: { words: "ethereum", pollMilliseconds: 60_000 } } });
  await service.forget();
});

afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await chain?.stop();
});

/** Everything is spoilt in every way only where there is time for it. */
const isLong = process.env["NODEWRIGHT_LONG"] === "1";
const kinds = [...Object.keys(queryKinds), "transaction"];

describe.each(kinds)("a value that a node gets wrong, requested by: %s", (kind) => {
  it("is a failure of the node, or makes no difference, and is not kept", { timeout: 600_000 }, async () => {
    const query = queryKinds[kind] ?? (await someTransactionQuery());
    const results = await recordResults(query);
    const { data: healthy } = await askAnew(query);
    let turn = 0;
    for (const { call, result, path } of placesOf(results)) {
      const ways = Object.keys(spoilings);
      const chosen = isLong ? ways : [ways[turn++ % ways.length] ?? "null"];
      for (const way of chosen) {
        const what = `${call.method} ${path.join(".")} ${way}`;
        proxy.spoil = (asked, answer) =>
          nameOf(asked) === nameOf(call) ? { ...answer, result: spoil(result, path, way) } : answer;
        const reply = await askAnew(query);
        proxy.heal();
        if (isHeld(call.method, path, way) && kind !== "raw block") assertSafeFailure(reply, healthy, what);
        else assertOwned(reply, kind, what);
        if (reply.status === 200) continue;
        const after = await service.ask(query);
        expect(after.data, `after ${what}`).toEqual(healthy);
      }
    }
    expect(service.internalErrors).toEqual([]);
  });
});

function spoil(result: unknown, path: ValuePath, way: string): unknown {
  return changeAt(result, path, spoilings[way] ?? (() => null)) ?? null;
}

async function someTransactionQuery(): Promise<string> {
  const { data } = await service.ask("{ block(number: 5) { transactionAt(index: 1) { hash } } }");
  return transactionQuery((data as { block: { transactionAt: { hash: string } } }).block.transactionAt.hash);
}

async function askAnew(query: string): Promise<GraphqlReply> {
  service.forgetChain();
  return await service.ask(query);
}

interface Recorded {
  readonly call: ProxiedCall;
  readonly result: unknown;
}

async function recordResults(query: string): Promise<readonly Recorded[]> {
  const recorded = new Map<string, Recorded>();
  proxy.spoil = (call, answer) => {
    if (answer["result"] !== undefined) recorded.set(nameOf(call), { call, result: answer["result"] });
    return answer;
  };
  await askAnew(query);
  proxy.heal();
  return [...recorded.values()];
}

/** Each place once for each method: the next block of a range has the same ones. */
function placesOf(results: readonly Recorded[]): readonly (Recorded & { readonly path: ValuePath })[] {
  const seen = new Set<string>();
  return results.flatMap(({ call, result }) =>
    pathsOf(result).flatMap((path) => {
      const place = `${call.method} ${path.join(".")}`;
      if (seen.has(place)) return [];
      seen.add(place);
      return [{ call, result, path }];
    }),
  );
}

function nameOf({ method, params }: ProxiedCall): string {
  return `${method} ${JSON.stringify(params)}`;
}

/** What names something else, or stands in a header, which has a hash. */
const names = /^(?:hash|number|blockHash|blockNumber|transactionHash|transactionIndex|logIndex|removed)$/;
/** Of a block, what its header's hash does not cover, or covers by way of another hash. */
const beside = /^(?:size|totalDifficulty|transactions|uncles|withdrawals)$/;

/** Whether the service can know that a value is wrong; anything else that has the right form is taken at the node's word. */
function isHeld(method: string, path: ValuePath, way: string): boolean {
  const [first, ...rest] = path;
  const last = path.at(-1);
  // Of one log of a range nothing else tells where it stands.
  if (method === "eth_getLogs" && way === "another value") return last === "removed";
  if (first === undefined) return /^eth_getBlock/.test(method);
  if (/^eth_getBlockBy/.test(method) && rest.length === 0) return !beside.test(String(first));
  return typeof last === "string" && names.test(last) && !method.startsWith("txpool_");
}

function assertOwned({ status, text, errors }: GraphqlReply, kind: string, what: string): void {
  expect(text, what).not.toMatch(secrets);
  expect([200, 400, 503], `${what}: ${text}`).toContain(status);
  // Encodings that can't be made are asked of the node, and this one has none.
  const allowed = ["UPSTREAM_UNAVAILABLE", ...(kind === "raw block" ? ["NOT_IMPLEMENTED"] : [])];
  for (const { extensions } of errors) expect(allowed, `${what}: ${text}`).toContain(extensions.code);
}
