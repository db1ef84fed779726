import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallScope } from "./call-scope.ts";
import { ConnectionBound } from "./connection-bound.ts";

function scopeOf(signal?: AbortSignal): CallScope {
  const scope = new CallScope(60_000, signal);
  // Its timer alone would keep the test's process.
  scope.close();
  return scope;
}

/** Enters this often at once, and returns how often that was possible. */
function fill(bound: ConnectionBound, wanted: number): number {
  let entered = 0;
  while (entered < wanted && bound.tryEnter()) entered += 1;
  return entered;
}

describe("the bound on connections", () => {
  it("lets so many go at once, and others when these have ended, in their order", async () => {
    const bound = new ConnectionBound(2);
    expect(fill(bound, 5)).toBe(2);
    const order: string[] = [];
    const waits = ["first", "second", "urgent"].map((name) =>
      bound.enter({ scope: scopeOf(), isUrgent: name === "urgent" }).then(() => order.push(name)),
    );
    expect(bound.waiting).toBe(3);
    for (const wait of waits.keys()) {
      bound.leave(false);
      await Promise.any(waits.slice(wait));
    }
    await Promise.all(waits);
    expect(order).toEqual(["urgent", "first", "second"]);
  });

  it("lets the one that has the turn go first, also when all that are under way wait for it", async () => {
    let turn: string | undefined;
    const bound = new ConnectionBound(2, undefined, () => turn !== undefined);
    expect([fill(bound, 5), bound.tryEnter(true), bound.tryEnter(true)]).toEqual([2, true, false]);
    const order: string[] = [];
    const waits = ["first", "second", "third"].map((name) =>
      bound.enter({ scope: scopeOf(), isUrgent: false, hasTurn: () => turn === name }).then(() => order.push(name)),
    );
    turn = "second";
    bound.leave(false);
    await waits[1];
    turn = "third";
    bound.leave(false);
    await waits[2];
    // A request that has had the turn is one more than may be in flight.
    turn = undefined;
    bound.leave(false);
    expect([order, bound.waiting, bound.tryEnter()]).toEqual([["second", "third"], 1, false]);
    bound.leave(false);
    await waits[0];
    expect(order).toEqual(["second", "third", "first"]);
  });

  it("forgets who gives up waiting", async () => {
    const bound = new ConnectionBound(1);
    bound.tryEnter();
    const controller = new AbortController();
    const scope = new CallScope(60_000, controller.signal);
    const wait = bound.enter({ scope, isUrgent: false });
    controller.abort(new Error("Gone"));
    await expect(wait).rejects.toThrow("Gone");
    scope.close();
    expect(bound.waiting).toBe(0);
    bound.leave(false);
    expect(bound.tryEnter()).toBe(true);
  });

  it("ends nothing else for who gave up, and nothing for who has gone ahead", async () => {
    const bound = new ConnectionBound(1);
    bound.tryEnter();
    const controllers = [new AbortController(), new AbortController(), new AbortController()];
    const scopes = controllers.map(({ signal }) => new CallScope(60_000, signal));
    const waits = scopes.map((scope) => bound.enter({ scope, isUrgent: false }));
    controllers[1]?.abort(new Error("Gone"));
    await expect(waits[1]).rejects.toThrow("Gone");
    bound.leave(false);
    await waits[0];
    // It has entered, so it no longer waits.
    controllers[0]?.abort(new Error("Late"));
    expect(bound.waiting).toBe(1);
    bound.leave(false);
    await waits[2];
    for (const scope of scopes) scope.close();
    expect([bound.waiting, bound.tryEnter()]).toEqual([0, false]);
  });

  it("refuses to keep more waiting than memory should hold", async () => {
    const bound = new ConnectionBound(1);
    bound.tryEnter();
    const scope = scopeOf();
    for (let count = 0; count < 10_000; count += 1) void bound.enter({ scope, isUrgent: false });
    await expect(bound.enter({ scope, isUrgent: false })).rejects.toThrow(
      new RangeError("Too many requests are waiting"),
    );
    expect(bound.waiting).toBe(10_000);
  });

  it("falls when the node refuses, once for all that were under way", () => {
    const bound = new ConnectionBound(16);
    fill(bound, 16);
    for (let refusal = 0; refusal < 16; refusal += 1) bound.leave(true);
    expect(bound.bound).toBe(12);
    fill(bound, 12);
    bound.leave(true);
    expect(bound.bound).toBe(9);
  });

  it("rises again by one and one, not to where it was refused within a minute", () => {
    let time = 0;
    const bound = new ConnectionBound(16, () => time);
    fill(bound, 11);
    bound.leave(true);
    for (let left = 0; left < 10; left += 1) bound.leave(false);
    expect(bound.bound).toBe(8);
    const response = (count: number): void => {
      for (let each = 0; each < count; each += 1) {
        bound.tryEnter();
        bound.leave(false);
      }
    };
    response(10_000);
    expect(bound.bound).toBe(10);
    time = 61_000;
    response(10_000);
    expect(bound.bound).toBe(16);
  });

  it("rises after twenty answers in a row for each connection, and a refusal between counts anew", () => {
    let time = 0;
    const bound = new ConnectionBound(8, () => time);
    fill(bound, 8);
    for (let refusal = 0; refusal < 8; refusal += 1) bound.leave(true);
    expect(bound.bound).toBe(6);
    const end = (wasRefused: boolean, count: number): void => {
      for (let each = 0; each < count; each += 1) {
        fill(bound, 6);
        bound.leave(wasRefused);
      }
    };
    end(false, 119);
    expect(bound.bound).toBe(6);
    end(false, 1);
    expect(bound.bound).toBe(7);
    // It was refused at 8 within the minute.
    end(false, 1_000);
    expect(bound.bound).toBe(7);
    time = 60_000;
    end(false, 140);
    expect(bound.bound).toBe(8);
    // At its maximum nothing is counted.
    end(false, 1_000);
    expect(bound.bound).toBe(8);
  });

  it("falls no lower than one", () => {
    const bound = new ConnectionBound(3);
    for (let refusal = 0; refusal < 5; refusal += 1) {
      bound.tryEnter();
      bound.leave(true);
      expect(bound.bound).toBe(1);
    }
  });

  it("never lets more go than its maximum, nor nobody at all", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 300, size: "max" }),
        fc.integer({ min: 1, max: 8 }),
        (ends, maximum) => {
          const bound = new ConnectionBound(maximum);
          let running = 0;
          for (const wasRefused of ends) {
            while (bound.tryEnter()) running += 1;
            expect(running).toBeLessThanOrEqual(maximum);
            expect(running).toBeGreaterThan(0);
            bound.leave(wasRefused);
            running -= 1;
          }
        },
      ),
    );
  });
});
