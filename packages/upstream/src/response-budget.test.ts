import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  createResponseHold,
  ResponseBudget,
  type ResponseLease,
  responseBudget,
  TooManyResponses,
  withResponseHold,
} from "./response-budget.ts";

describe("the memory of outstanding responses", () => {
  it("is bounded by giving up the largest, whichever grows", () => {
    const given: string[] = [];
    const budget = new ResponseBudget(1_000);
    const acquire = (name: string) =>
      budget.acquire((reason) => {
        expect(reason).toBeInstanceOf(TooManyResponses);
        given.push(name);
      });
    const [small, large] = [acquire("small"), acquire("large")];
    large.grow(700, 0);
    small.grow(200, 0);
    small.grow(150, 0);
    expect([given, budget.bytes]).toEqual([["large"], 350]);
    // Later growth counts for nothing.
    large.grow(700, 0);
    large.release();
    expect(budget.bytes).toBe(350);
    const other = acquire("other");
    expect(() => other.grow(900, 0)).toThrow(TooManyResponses);
    expect([given, budget.bytes]).toEqual([["large"], 350]);
    small.release();
    expect(budget.bytes).toBe(0);
  });

  it("gives up nothing that fits to the byte", () => {
    const budget = new ResponseBudget(1_000);
    const given: unknown[] = [];
    const [one, other] = [budget.acquire((reason) => given.push(reason)), budget.acquire(() => expect.unreachable())];
    one.grow(600, 0);
    other.grow(400, 0);
    expect([given, budget.bytes]).toEqual([[], 1_000]);
    other.grow(1, 0);
    expect([given, budget.bytes]).toEqual([
      [expect.objectContaining({ message: "Too many large responses are outstanding" })],
      401,
    ]);
  });

  it("gives up the one that grows where none is larger, and as many as it takes", () => {
    const budget = new ResponseBudget(1_000);
    const given: string[] = [];
    const [one, other, last] = ["one", "other", "last"].map((name) => budget.acquire(() => given.push(name)));
    one?.grow(400, 0);
    other?.grow(400, 0);
    expect(() => last?.grow(400, 0)).toThrow(TooManyResponses);
    expect([given, budget.bytes]).toEqual([[], 800]);
    last?.release();
    other?.grow(-100, 0);
    one?.grow(250, 0);
    expect(budget.bytes).toBe(950);
    const small = budget.acquire(() => given.push("small"));
    small.grow(300, 0);
    expect([given, budget.bytes]).toEqual([["one"], 600]);
  });

  it("is 100 MiB where nothing else is said, for all upstreams of the process", () => {
    const budget = new ResponseBudget();
    const lease = budget.acquire(() => expect.unreachable());
    lease.grow(100 * 1_048_576, 0);
    expect(budget.bytes).toBe(100 * 1_048_576);
    expect(() => lease.grow(1, 0)).toThrow(TooManyResponses);
    expect(responseBudget).toBeInstanceOf(ResponseBudget);
  });

  it("counts values next to the bytes of their text", () => {
    const budget = new ResponseBudget(10_000);
    budget.acquire(() => undefined).grow(100, 10);
    expect(budget.bytes).toBe(100 + 10 * 96);
  });

  describe("of a request", () => {
    it("counts what was delivered, without the garbage of its text, until the request is over", () => {
      const budget = new ResponseBudget(10_000, 10_000);
      const hold = budget.createHold(() => expect.unreachable());
      for (const bytes of [300, 400]) {
        const lease = budget.acquire(() => expect.unreachable(), hold);
        lease.grow(bytes, 1);
        lease.grow(-100, 0);
        lease.deliver();
        lease.release();
      }
      expect(budget.bytes).toBe(200 / 2 + 300 / 2 + 2 * 96);
      const failed = budget.acquire(() => expect.unreachable(), hold);
      failed.grow(100, 0);
      failed.release();
      hold.add(58);
      expect(budget.bytes).toBe(500);
      const late = budget.acquire(() => expect.unreachable(), hold);
      late.grow(10, 0);
      hold.release();
      hold.release();
      hold.add(1_000);
      expect(budget.bytes).toBe(10);
      // No owner is left who could release it.
      late.deliver();
      expect(budget.bytes).toBe(0);
      const alone = budget.acquire(() => expect.unreachable());
      alone.grow(10, 0);
      alone.deliver();
      expect(budget.bytes).toBe(0);
    });

    it("gives them up together when they are the largest together", () => {
      const budget = new ResponseBudget(1_000, 1_000);
      const given: string[] = [];
      const hold = budget.createHold(() => given.push("hold"));
      const acquire = (name: string) => budget.acquire(() => given.push(name), hold);
      const [one, other] = [acquire("one"), acquire("other")];
      one.grow(600, 0);
      one.deliver();
      other.grow(300, 0);
      const small = budget.acquire(() => expect.unreachable());
      small.grow(450, 0);
      expect([given, budget.bytes]).toEqual([["other", "hold"], 450]);
      expect(() => acquire("late")).toThrow(TooManyResponses);
      other.grow(1, 0);
      hold.add(1_000);
      hold.release();
      small.release();
      expect(budget.bytes).toBe(0);
    });

    it("gives them up for values of others, too", () => {
      const budget = new ResponseBudget(1_000, 1_000);
      const given: string[] = [];
      const [one, other] = ["one", "other"].map((name) => budget.createHold(() => given.push(name)));
      one?.add(600);
      other?.add(401);
      expect([given, budget.bytes]).toEqual([["one"], 401]);
      other?.add(600);
      expect([given, budget.bytes]).toEqual([["one", "other"], 0]);
    });

    it("keeps the hold that is given for work, or creates one, and releases it when the work fails", async () => {
      const fail = withResponseHold(undefined, (hold) => {
        const lease = responseBudget.acquire(() => expect.unreachable(), hold);
        lease.grow(100, 0);
        lease.deliver();
        expect(responseBudget.bytes).toBe(50);
        return Promise.reject(new Error("Failed"));
      });
      await expect(fail).rejects.toThrow("Failed");
      expect(responseBudget.bytes).toBe(0);
      const given = createResponseHold(() => expect.unreachable());
      given.add(10);
      expect(await withResponseHold(given, (hold) => Promise.resolve(hold === given))).toBe(true);
      expect(responseBudget.bytes).toBe(10);
      given.release();
    });
  });

  describe("beyond what is shared", () => {
    /** Records the name when the response may be read on. */
    const follow = (lease: ResponseLease, name: string, seen: string[]) =>
      void lease.waitForTurn().then(() => seen.push(name));

    beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));

    afterEach(() => {
      expect(vi.getTimerCount()).toBe(0);
      vi.useRealTimers();
    });

    it("is that of one request at a time, in the order in which they came, until it is shared again", async () => {
      const budget = new ResponseBudget(1_000, 100);
      const seen: string[] = [];
      const [first, second, third, fourth] = [1, 2, 3, 4].map(() => budget.acquire(() => expect.unreachable()));
      if (first === undefined || second === undefined || third === undefined || fourth === undefined) return;
      for (const lease of [first, second, third, fourth]) {
        lease.grow(25, 0);
        expect(lease.mayReadOn()).toBe(true);
      }
      second.grow(1, 0);
      // Not the oldest: the one that was read on.
      expect([second, first, third, fourth].map((lease) => lease.mayReadOn())).toEqual([true, false, false, false]);
      follow(first, "first", seen);
      follow(third, "third", seen);
      follow(fourth, "fourth", seen);
      second.grow(800, 0);
      await Promise.resolve();
      expect(seen).toEqual([]);
      first.grow(40, 0);
      second.release();
      await Promise.resolve();
      expect([seen, third.mayReadOn()]).toEqual([["first"], false]);
      first.release();
      await Promise.resolve();
      expect([seen, budget.bytes]).toEqual([["first", "third", "fourth"], 50]);
    });

    it("is that of all responses of the request until it is over", async () => {
      const budget = new ResponseBudget(1_000, 100);
      const seen: string[] = [];
      const hold = budget.createHold(() => expect.unreachable());
      const [one, other] = [1, 2].map(() => budget.acquire(() => expect.unreachable(), hold));
      const next = budget.acquire(() => expect.unreachable());
      one?.grow(120, 0);
      other?.grow(120, 0);
      next.grow(60, 0);
      expect([one, other, next].map((lease) => lease?.mayReadOn())).toEqual([true, true, false]);
      expect([one, next].map((lease) => lease?.hasTurn())).toEqual([true, false]);
      follow(next, "next", seen);
      one?.deliver();
      other?.deliver();
      await Promise.resolve();
      expect(seen).toEqual([]);
      hold.release();
      await Promise.resolve();
      expect([seen, budget.bytes]).toEqual([["next"], 60]);
      next.release();
      expect(budget.hasTurn).toBe(false);
    });

    it("is first that of the request for whose responses another one waits", async () => {
      const budget = new ResponseBudget(1_000, 100);
      const seen: string[] = [];
      const [joined, own] = [1, 2].map(() => budget.createHold(() => expect.unreachable()));
      if (joined === undefined || own === undefined) return;
      const [one, other] = [joined, own].map((hold) => budget.acquire(() => expect.unreachable(), hold));
      if (one === undefined || other === undefined) return;
      own.join(joined);
      one.grow(10, 0);
      other.grow(110, 0);
      expect([other.mayReadOn(), one.mayReadOn()]).toEqual([false, true]);
      follow(other, "other", seen);
      one.deliver();
      joined.release();
      await Promise.resolve();
      expect([seen, other.hasTurn()]).toEqual([["other"], true]);
      // A request that has begun to wait for another one lets that one continue; also when each waits for the other.
      const late = budget.createHold(() => expect.unreachable());
      const last = budget.acquire(() => expect.unreachable(), late);
      last.grow(10, 0);
      late.join(own);
      expect(last.mayReadOn()).toBe(false);
      follow(last, "last", seen);
      own.join(late);
      other.deliver();
      await Promise.resolve();
      expect([seen, last.hasTurn()]).toEqual([["other", "last"], true]);
      last.deliver();
      for (const hold of [own, late]) hold.release();
      expect([budget.bytes, budget.hasTurn]).toEqual([0, false]);
    });

    it("ends the waiting of what has ended, and never lets wait what takes no memory", async () => {
      const budget = new ResponseBudget(1_000, 100);
      const seen: string[] = [];
      const [turn, ended, list] = [1, 2, 3].map(() => budget.acquire(() => expect.unreachable()));
      turn?.grow(200, 0);
      ended?.grow(1, 0);
      expect([turn, ended, list].map((lease) => lease?.mayReadOn())).toEqual([true, false, true]);
      if (ended !== undefined) follow(ended, "ended", seen);
      ended?.release();
      await Promise.resolve();
      expect(seen).toEqual(["ended"]);
    });

    it("passes on when the response trickles, and comes back to it behind those who wait", async () => {
      const budget = new ResponseBudget(1_000, 160);
      const seen: string[] = [];
      const [trickling, other] = [1, 2].map(() => budget.acquire(() => expect.unreachable()));
      if (trickling === undefined || other === undefined) return;
      trickling.grow(150, 0);
      other.grow(20, 0);
      expect([trickling.mayReadOn(), other.mayReadOn()]).toEqual([true, false]);
      follow(other, "other", seen);
      // A sixteenth of what is shared is progress.
      trickling.grow(10, 0);
      await vi.advanceTimersByTimeAsync(1_000);
      for (const bytes of [9, 9]) {
        expect(seen).toEqual([]);
        trickling.grow(bytes, 0);
        await vi.advanceTimersByTimeAsync(1_000);
      }
      expect([seen, trickling.mayReadOn(), other.mayReadOn()]).toEqual([["other"], false, true]);
      follow(trickling, "trickling", seen);
      other.deliver();
      await Promise.resolve();
      expect([seen, trickling.mayReadOn()]).toEqual([["other", "trickling"], true]);
      trickling.release();
    });

    it("stays with a request that works with its values for some seconds", async () => {
      const budget = new ResponseBudget(1_000, 100);
      const seen: string[] = [];
      const hold = budget.createHold(() => expect.unreachable());
      const lease = budget.acquire(() => expect.unreachable(), hold);
      lease.grow(240, 0);
      expect(lease.mayReadOn()).toBe(true);
      lease.deliver();
      const next = budget.acquire(() => expect.unreachable());
      next.grow(20, 0);
      expect(next.mayReadOn()).toBe(false);
      follow(next, "next", seen);
      await vi.advanceTimersByTimeAsync(7_000);
      expect(seen).toEqual([]);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(seen).toEqual(["next"]);
      hold.release();
      next.release();
    });
  });
});
