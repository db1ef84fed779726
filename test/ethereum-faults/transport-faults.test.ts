import { demoChainId, type DemoChain, startDemoChain } from "@nodewright/ethereum-graphql";
import { type Fault, faults } from "@nodewright/upstream/testing";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSigner, signTransaction } from "../../packages/ethereum-graphql/test-support/sign-transaction.ts";
import { assertSafeFailure, secrets } from "./assert-safe-failure.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { queryKinds, transactionQuery } from "./query-kinds.ts";
import { askUntilAnswered, type ServedService, serveOver } from "./served-service.ts";

let chain: DemoChain;
let proxy: FaultProxy;
let service: ServedService;
const queries = new Map(Object.entries(queryKinds));
const healthy = new Map<string, unknown>();

beforeAll(async () => {
  const started = await startDemoChain({ miningIntervalMilliseconds: 0 });
  if (started === undefined) throw new Error("This test needs anvil");
  chain = started;
  proxy = await startFaultProxy(chain.url);
  service = await serveOver([proxy.url], {
    connection: { maximumResponseBytes: 8 << 20 },
    upstream: { timeoutMilliseconds: 1_500, breaker: { failureThreshold: 1_000, cooldownMilliseconds: 50 } },
  });
  const { data } = await service.ask("{ block(number: 5) { transactionAt(index: 1) { hash } } }");
  const { hash } = (data as { block: { transactionAt: { hash: string } } }).block.transactionAt;
  queries.set("transaction", transactionQuery(hash));
  for (const [name, query] of queries) {
    const reply = await service.ask(query);
    expect([name, reply.status, reply.errors]).toEqual([name, 200, []]);
    healthy.set(name, reply.data);
  }
});

afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await chain?.stop();
  console.info(["fault: outcomes by kind of query", ...outcomes].join("\n"));
});

beforeEach(async () => {
  proxy.heal();
  await service.forget();
});

const outcomes: string[] = [];
const names = [...Object.keys(queryKinds), "transaction"];

/** Rewrites the members of an answer, or the answer that is none of a batch. */
function changing(change: (members: readonly Record<string, unknown>[]) => unknown): Fault {
  return (response, answer) => {
    const value: unknown = JSON.parse(answer);
    const members = (Array.isArray(value) ? value : [value]) as Record<string, unknown>[];
    const changed = change(members);
    response.end(JSON.stringify(Array.isArray(value) || !Array.isArray(changed) ? changed : changed[0]));
  };
}

const wireFaults: Readonly<Record<string, Fault>> = {
  ...faults,
  drips(response, answer) {
    response.setHeader("content-length", answer.length);
    let sent = 0;
    const timer = setInterval(() => response.write(answer.charAt(sent++)), 50);
    response.on("close", () => clearInterval(timer));
  },
  "500 as text": (response) =>
    response.writeHead(500).end("Error: boom at http://admin:secret@10.0.0.7:8545/\n    at f (/srv/x.js:1:1)"),
  "500 as JSON-RPC": (response, answer) => response.writeHead(500).end(answer),
  "empty batch": changing(() => []),
  "empty object": changing(() => ({})),
  "null for all": (response) => response.end("null"),
  "members that are null": changing((members) => members.map(() => null)),
  "members that are texts": changing((members) => members.map(() => "result")),
  "ids doubled": changing((members) => [...members, ...members]),
  "one member alone": changing((members) => members.slice(0, 1)),
  "ids of others": changing((members) => members.map((member) => ({ ...member, id: Number(member["id"]) + 1_000 }))),
  "ids missing": changing((members) => members.map(({ id: _, ...member }) => member)),
  "ids shifted by one": changing((members) => members.map((member) => ({ ...member, id: Number(member["id"]) + 1 }))),
  "neither result nor error": changing((members) => members.map(({ id }) => ({ jsonrpc: "2.0", id }))),
  "errors that are texts": changing((members) => members.map(({ id }) => ({ jsonrpc: "2.0", id, error: "no" }))),
  "errors without code": changing((members) => members.map(({ id }) => ({ id, error: { message: "no" } }))),
  "internal errors": changing((members) =>
    members.map(({ id }) => ({
      id,
      error: { code: -32_603, message: "goroutine 7 [running] http://10.0.0.7:8545/key" },
    })),
  ),
  "one error for the batch": changing(() => ({ id: null, error: { code: -32_603, message: "Internal error" } })),
  "rate limited in JSON-RPC": changing((members) =>
    members.map(({ id }) => ({ id, error: { code: -32_005, message: "daily request count exceeded" } })),
  ),
};

describe.each(Object.keys(wireFaults))("a node whose response is spoilt: %s", (faultName) => {
  it("is reported as such, harms nothing else, and is forgotten when it is over", async () => {
    const found = new Map<string, number>();
    proxy.fault = wireFaults[faultName];
    const replies = await Promise.all(names.map((name) => service.ask(queries.get(name) ?? "")));
    for (const [position, reply] of replies.entries()) {
      const name = names[position] ?? "";
      const outcome = assertSafeFailure(reply, healthy.get(name), `${faultName}, ${name}`);
      found.set(outcome, (found.get(outcome) ?? 0) + 1);
    }
    proxy.heal();
    for (const name of names) {
      const after = await askUntilAnswered(() => service.ask(queries.get(name) ?? ""));
      expect([name, after.status, after.data]).toEqual([name, 200, healthy.get(name)]);
    }
    expect(service.internalErrors).toEqual([]);
    outcomes.push(`${faultName}: ${[...found].map(([outcome, count]) => `${outcome} (${count})`).join(", ")}`);
  });
});

describe.each(Object.keys(wireFaults))(
  "a transaction that is handed in to a node whose answer is spoilt: %s",
  (faultName) => {
    it("is sent once, and its sender told what became of it", async () => {
      proxy.fault = wireFaults[faultName];
      const transaction = signTransaction(
        { type: 2, chainId: demoChainId, nonce: 0, to: signer.address, gas: 21_000, price: 3_000_000_000n },
        signer,
      );
      const sentBefore = countSent();
      const reply = await service.ask("mutation ($data: Bytes!) { sendRawTransaction(data: $data) }", {
        data: transaction,
      });
      const [error] = reply.errors;
      expect(countSent() - sentBefore).toBe(1);
      expect(reply.text).not.toMatch(secrets);
      expect(reply.data ?? null).toBeNull();
      expect([400, 503, 504]).toContain(reply.status);
      // The account has no means, which the node says where it is understood.
      if (reply.status === 400) expect(error?.message).toMatch(/insufficient funds/i);
      else expect(error?.extensions.code).toMatch(/^UPSTREAM_/);
      expect(service.internalErrors).toEqual([]);
    });
  },
);

it("answers rightly again after whatever has gone wrong before", { timeout: 120_000 }, async () => {
  const faultNames = Object.keys(wireFaults).filter((name) => !/hangs|stalls|drips/.test(name));
  const step = fc.record({
    fault: fc.constantFrom("none", ...faultNames),
    kinds: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }),
    isAlone: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      for (const { fault, kinds, isAlone } of steps) {
        proxy.fault = wireFaults[fault];
        proxy.faultyMethods = isAlone ? new Set(["eth_getBlockReceipts", "eth_getLogs", "eth_call"]) : undefined;
        const replies = await Promise.all(kinds.map((kind) => service.ask(queries.get(kind) ?? "")));
        for (const [position, reply] of replies.entries()) {
          const kind = kinds[position] ?? "";
          assertSafeFailure(reply, healthy.get(kind), `${fault}, ${kind}`);
        }
      }
      proxy.heal();
      for (const name of names) {
        const reply = await askUntilAnswered(() => service.ask(queries.get(name) ?? ""));
        expect([name, reply.data]).toEqual([name, healthy.get(name)]);
      }
      service.forgetChain();
    }),
    { seed: 7, numRuns: 15 },
  );
  expect(service.internalErrors).toEqual([]);
});

it("takes no response that is longer than it can be", async () => {
  const part = " ".repeat(1 << 20);
  proxy.fault = (response) => {
    let sent = 0;
    const write = (): void => {
      while (sent++ < 2_000) if (!response.write(part)) return void response.once("drain", write);
    };
    write();
  };
  const query = queries.get("full block") ?? "";
  const reply = await service.ask(query);
  expect(assertSafeFailure(reply, healthy.get("full block"), "gigantic")).toBe("503 UPSTREAM_UNAVAILABLE");
  expect(reply.errors[0]?.message).toBe("The node's response has too many, too deep or too long values");
  proxy.heal();
  const after = await askUntilAnswered(() => service.ask(query));
  expect(after.data).toEqual(healthy.get("full block"));
});

it("waits no longer than it may for a node that is silent from the beginning", async () => {
  proxy.fault = faults["hangs"];
  const forgetting = service.forget().catch(() => undefined);
  // The node never answers: that a reply comes, and this one, is the limit of time.
  const reply = await service.ask("{ block { hash } }");
  expect(reply.status).toBe(504);
  await forgetting;
});

it("answers other queries while one method of the node hangs", async () => {
  proxy.fault = faults["hangs"];
  proxy.faultyMethods = new Set(["eth_getLogs"]);
  const hanging = service.ask(queries.get("logs of a range") ?? "");
  const others = names.filter((name) => !name.startsWith("logs"));
  const replies = await Promise.all(others.map((name) => service.ask(queries.get(name) ?? "")));
  expect(replies.map(({ status, data }) => ({ status, data }))).toEqual(
    others.map((name) => ({ status: 200, data: healthy.get(name) })),
  );
  expect((await hanging).status).toBe(504);
});

const signer = openSigner("an account without means");

function countSent(): number {
  return proxy.calls.filter(({ method }) => method === "eth_sendRawTransaction").length;
}
