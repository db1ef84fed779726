import type { ResponseHold, Upstream, UpstreamCall, UpstreamResult } from "@nodewright/upstream";
import { describe, expect, it, vi } from "vitest";
import { type Reader, SharedReads } from "./shared-reads.ts";

interface Batch {
  readonly methods: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly hold: ResponseHold | undefined;
  response(...results: readonly unknown[]): void;
}

/** Creates an upstream whose batches the test completes. */
function createHandUpstream(): { reads: SharedReads; batches: Batch[]; failures: () => number } {
  const batches: Batch[] = [];
  let failures = 0;
  const batch: Upstream["batch"] = (calls, options = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly UpstreamResult[]>();
    options.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    batches.push({
      methods: calls.map(({ method }: UpstreamCall) => method),
      signal: options.signal,
      hold: options.hold,
      response: (...results) => resolve(results.map((result) => ({ ok: true, result }))),
    });
    return promise;
  };
  const upstream = { batch } as unknown as Upstream;
  return { reads: new SharedReads(upstream, () => (failures += 1)), batches, failures: () => failures };
}

interface Told extends Reader {
  readonly reported: Promise<unknown>;
}

function createReader(): Told {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  promise.catch(() => undefined);
  return { reported: promise, resolve, reject };
}

function send(reads: SharedReads, reader: Reader, ...methods: readonly string[]): void {
  reads.send(
    methods.map((method) => ({
      call: { method, params: [] },
      key: method,
      reader: method === methods[0] ? reader : createReader(),
    })),
    createTestHold(),
  );
}

function createTestHold() {
  return { join: vi.fn<ResponseHold["join"]>(), add: vi.fn<ResponseHold["add"]>(), release: vi.fn() };
}

describe("reads under way", () => {
  it("are made once for all who ask for the same, and told to all", async () => {
    const { reads, batches } = createHandUpstream();
    const [one, other] = [createReader(), createReader()];
    send(reads, one, "a", "b");
    send(reads, other, "a");
    expect(batches.map(({ methods }) => methods)).toEqual([["a", "b"]]);
    expect(reads.size).toBe(2);
    batches[0]?.response("A", "B");
    expect(await Promise.all([one.reported, other.reported])).toEqual(["A", "A"]);
    expect(reads.size).toBe(0);
  });

  it("are counted with the request that has sent them, and their values with each that joins them", async () => {
    const { reads, batches } = createHandUpstream();
    const [one, other] = [createTestHold(), createTestHold()];
    const ask = (hold: ResponseHold, ...methods: readonly string[]): void =>
      reads.send(
        methods.map((method) => ({ call: { method, params: [] }, key: method, reader: createReader() })),
        hold,
      );
    ask(one, "a");
    ask(other, "b");
    ask(other, "a", "b", "c");
    expect(batches.map(({ hold }) => (hold === one ? "one" : "other"))).toEqual(["one", "other", "other"]);
    expect([one.join.mock.calls.length, other.join.mock.calls.length]).toEqual([0, 1]);
    expect(other.join.mock.calls[0]?.[0]).toBe(one);
    batches[0]?.response("A".repeat(100));
    batches[1]?.response("B");
    await expect.poll(() => reads.size).toBe(1);
    expect([one.add.mock.calls, other.add.mock.calls]).toEqual([[], [[116]]]);
  });

  it("are made anew once they are answered", async () => {
    const { reads, batches } = createHandUpstream();
    const one = createReader();
    send(reads, one, "a");
    batches[0]?.response("A");
    await one.reported;
    send(reads, createReader(), "a");
    expect(batches).toHaveLength(2);
  });

  it("go on for the others when one gives up, and end with the last", () => {
    const { reads, batches } = createHandUpstream();
    const [one, other] = [createReader(), createReader()];
    send(reads, one, "a");
    send(reads, other, "a");
    reads.leave(one);
    expect(batches[0]?.signal?.aborted).toBe(false);
    reads.leave(other);
    reads.leave(other);
    expect(batches[0]?.signal?.aborted).toBe(true);
    send(reads, createReader(), "a");
    expect(batches).toHaveLength(2);
  });

  it("end as a batch only when nobody waits for any of its calls", () => {
    const { reads, batches } = createHandUpstream();
    const [a, b] = [createReader(), createReader()];
    reads.send(
      [
        { call: { method: "a", params: [] }, key: "a", reader: a },
        { call: { method: "b", params: [] }, key: "b", reader: b },
      ],
      createTestHold(),
    );
    reads.leave(a);
    expect(batches[0]?.signal?.aborted).toBe(false);
    reads.leave(b);
    expect(batches[0]?.signal?.aborted).toBe(true);
  });

  it("are not joined by who asks after something was changed", () => {
    const { reads, batches } = createHandUpstream();
    send(reads, createReader(), "a");
    reads.forget();
    send(reads, createReader(), "a");
    expect(batches).toHaveLength(2);
  });

  it("that have to be made now are neither joined nor shared", () => {
    const { reads, batches } = createHandUpstream();
    reads.send(
      [
        { call: { method: "a", params: [] }, key: "a", reader: createReader() },
        { call: { method: "a", params: [] }, key: undefined, reader: createReader() },
      ],
      createTestHold(),
    );
    expect(batches[0]?.methods).toEqual(["a", "a"]);
  });

  it("that fail are told to all who wait, and are not kept", async () => {
    const { reads, batches } = createHandUpstream();
    const [one, other] = [createReader(), createReader()];
    send(reads, one, "a");
    send(reads, other, "a");
    batches[0]?.response();
    await expect(one.reported).rejects.toThrow("Expected a result");
    await expect(other.reported).rejects.toThrow("Expected a result");
    expect(reads.size).toBe(0);
  });
});
