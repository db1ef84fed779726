import { setImmediate as turnOfLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createStreamBody, startIterator } from "./stream-body.ts";

/** Creates endless items, which record their requests. */
function endless(size = 1) {
  const asked = { count: 0, returned: 0 };
  const iterator: AsyncIterator<string> = {
    async next() {
      asked.count += 1;
      return { done: false, value: "x".repeat(size) };
    },
    async return() {
      asked.returned += 1;
      return { done: true, value: undefined };
    },
  };
  return { asked, iterator };
}

/** Waits for turns of the event loop, on which streams depend, and not on its clock. */
async function passTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await turnOfLoop();
}

const options = { write: String, onStart: () => undefined, onError: () => undefined };

describe("a body of items", () => {
  it("requests no more than its reader takes", async () => {
    const { asked, iterator } = endless(1_000);
    const body = createStreamBody(iterator, options);
    body.read();
    await passTurns();
    expect(asked.count).toBeLessThan(30);
    body.destroy();
  });

  it("returns the items once, however it ends", async () => {
    const { asked, iterator } = endless();
    const body = createStreamBody(iterator, options);
    body.read();
    await passTurns();
    body.destroy();
    body.destroy(new Error("again"));
    await passTurns();
    expect(asked.returned).toBe(1);
  });

  it("returns the items when its reader goes away, even while one is awaited", async () => {
    let returned = 0;
    const pending = Promise.withResolvers<IteratorResult<string>>();
    const iterator: AsyncIterator<string> = {
      next: () => pending.promise,
      async return() {
        returned += 1;
        return { done: true, value: undefined };
      },
    };
    const body = createStreamBody(iterator, options);
    body.read();
    body.destroy();
    await passTurns();
    expect(returned).toBe(1);
    pending.resolve({ done: false, value: "late" });
    await passTurns();
    expect(returned).toBe(1);
  });

  it("ends before its time when an item fails, and tells of it", async () => {
    const reported: unknown[] = [];
    const failing = (async function* () {
      yield "one";
      await passTurns();
      throw new Error("gone");
    })();
    const body = createStreamBody(failing, { ...options, onError: (error) => reported.push(error) });
    const read: unknown[] = [];
    const reading = (async () => {
      for await (const chunk of body) read.push(String(chunk));
    })();
    await expect(reading).rejects.toThrow("has failed");
    expect([read, reported]).toEqual([["one"], [new Error("gone")]]);
  });

  it("returns the items when one of them can't be written", async () => {
    const { asked, iterator } = endless();
    const write = (): string => {
      throw new TypeError("no text");
    };
    const body = createStreamBody(iterator, { ...options, write });
    body.on("error", () => undefined).resume();
    await passTurns();
    expect(asked.returned).toBe(1);
  });

  it("fails before it begins when its first step does", async () => {
    const failing: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new RangeError("none")) }),
    };
    await expect(startIterator(failing)).rejects.toThrow(RangeError);
  });

  it("begins before a first item that takes its time, and gives every item once", async () => {
    const slow = (async function* () {
      await passTurns();
      yield 1;
      yield 2;
    })();
    const iterator = await startIterator(slow);
    expect([await iterator.next(), await iterator.next(), (await iterator.next()).done]).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      true,
    ]);
  });
});
