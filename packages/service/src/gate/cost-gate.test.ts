import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "@nodewright/runtime";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { CostGate, type ReleaseCost } from "./cost-gate.ts";

const never = (): AbortSignal => new AbortController().signal;
const options = { capacity: 10, minimumCost: 1, maximumWaiting: 2, maximumWaitMilliseconds: 10_000 };

async function enter(gate: CostGate, cost: number, getSignal = never): Promise<ReleaseCost> {
  const leave = await gate.enter(cost, getSignal);
  if (leave === undefined) throw new Error("It was not counted");
  return leave;
}

it("lets in at once what there is room for, and what is light always", () => {
  const gate = new CostGate(options);
  const leave = gate.enter(10, never);
  expect(leave).toBeTypeOf("function");
  expect(gate.enter(0.5, never)).toBeUndefined();
  expect(gate.admittedCost).toBe(10);
  (leave as ReleaseCost)();
  expect(gate.admittedCost).toBe(0);
});

it("lets in the others as those before them leave, in their order", async () => {
  const gate = new CostGate(options);
  const first = await enter(gate, 8);
  const entered: string[] = [];
  const heavy = enter(gate, 9).then((leave) => {
    entered.push("heavy");
    return leave;
  });
  const light = enter(gate, 1).then((leave) => {
    entered.push("light");
    return leave;
  });
  await sleep(1);
  expect(entered).toEqual([]);
  first();
  const leaves = [await heavy, await light];
  expect(entered).toEqual(["heavy", "light"]);
  for (const leave of leaves) leave();
  expect(gate.admittedCost).toBe(0);
});

it("lets in what is heavier than all it has room for, alone", async () => {
  const gate = new CostGate(options);
  const leave = await enter(gate, 1_000);
  expect(gate.admittedCost).toBe(10);
  leave();
});

it("refuses who would stand behind too many, and who has waited too long, with when to come again", async () => {
  const gate = new CostGate({ ...options, maximumWaiting: 1, maximumWaitMilliseconds: 5 });
  const leave = await enter(gate, 10);
  const waiting = enter(gate, 1);
  const refusal = { code: "overloaded", httpStatus: 503, retryAfterSeconds: 2 };
  let refused: unknown;
  try {
    await enter(gate, 1);
  } catch (reason) {
    refused = reason;
  }
  expect(refused).toMatchObject(refusal);
  await expect(waiting).rejects.toMatchObject(refusal);
  leave();
  expect(gate.admittedCost).toBe(0);
});

it("forgets a caller who goes away, and lets in who stood behind", async () => {
  const gate = new CostGate(options);
  const leave = await enter(gate, 5);
  const caller = new AbortController();
  const gone = enter(gate, 9, () => caller.signal);
  const behind = enter(gate, 5);
  caller.abort(new ServiceError("invalid_request", "gone"));
  await expect(gone).rejects.toThrow("gone");
  (await behind)();
  leave();
  expect(gate.admittedCost).toBe(0);
});

it("counts what is not lighter than the lightest", () => {
  const gate = new CostGate({ ...options, minimumCost: 3 });
  expect(gate.enter(2.9, never)).toBeUndefined();
  expect(gate.enter(3, never)).toBeTypeOf("function");
  expect(gate.admittedCost).toBe(3);
});

it("has work wait behind others that wait, although there is room for it", async () => {
  const gate = new CostGate(options);
  const first = await enter(gate, 5);
  const heavy = enter(gate, 6);
  const small = gate.enter(5, never);
  expect(small).toBeInstanceOf(Promise);
  expect(gate.admittedCost).toBe(5);
  first();
  (await heavy)();
  (await small)?.();
  expect(gate.admittedCost).toBe(0);
});

it("lets in several that wait as soon as there is room for all of them, and no more", async () => {
  const gate = new CostGate({ ...options, maximumWaiting: 3 });
  const first = await enter(gate, 10);
  const waiting = [4, 6, 1].map((cost) => enter(gate, cost));
  first();
  expect(gate.admittedCost).toBe(10);
  for (const leave of [await waiting[0], await waiting[1]]) leave?.();
  expect(gate.admittedCost).toBe(1);
  (await waiting[2])?.();
});

it("refuses only who would stand behind as many as may wait", async () => {
  const gate = new CostGate({ ...options, maximumWaiting: 2 });
  const first = await enter(gate, 10);
  const waiting = [enter(gate, 1), enter(gate, 1)];
  expect(() => gate.enter(1, never)).toThrow(
    "Too many expensive queries are running; try again, or request less at once",
  );
  expect(gate.enter(0.5, never)).toBeUndefined();
  first();
  for (const leave of waiting) (await leave)();
});

it("does not let a caller wait who has gone already", async () => {
  const gate = new CostGate(options);
  const leave = await enter(gate, 10);
  await expect(enter(gate, 1, () => AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  leave();
  expect(gate.admittedCost).toBe(0);
});

it("leaves neither a timer nor a listener behind, whether it lets in, refuses or forgets", async () => {
  vi.useFakeTimers();
  try {
    const gate = new CostGate({ ...options, maximumWaiting: 3 });
    const leave = await enter(gate, 10);
    const callers = [0, 1, 2].map(() => new AbortController());
    const removals = callers.map(({ signal }) => vi.spyOn(signal, "removeEventListener"));
    const [forgotten, letIn, late] = callers.map(({ signal }, index) =>
      enter(gate, index === 2 ? 10 : 1, () => signal),
    );
    expect(vi.getTimerCount()).toBe(3);
    callers[0]?.abort(new Error("gone"));
    await expect(forgotten).rejects.toThrow("gone");
    expect(vi.getTimerCount()).toBe(2);
    leave();
    const leaveAgain = await letIn;
    expect([vi.getTimerCount(), gate.admittedCost]).toEqual([1, 1]);
    const refused = expect(late).rejects.toMatchObject({ code: "overloaded" });
    vi.advanceTimersByTime(options.maximumWaitMilliseconds);
    await refused;
    leaveAgain?.();

    expect([vi.getTimerCount(), gate.admittedCost]).toEqual([0, 0]);
    for (const removal of removals) expect(removal).toHaveBeenCalledWith("abort", expect.any(Function));
  } finally {
    vi.useRealTimers();
  }
});

it("lets in who stands behind a caller that has waited too long", async () => {
  vi.useFakeTimers();
  try {
    const gate = new CostGate(options);
    const leave = await enter(gate, 5);
    const late = expect(enter(gate, 9)).rejects.toMatchObject({ code: "overloaded" });
    vi.advanceTimersByTime(options.maximumWaitMilliseconds - 1);
    const behind = enter(gate, 5);
    vi.advanceTimersByTime(1);
    await late;
    (await behind)();
    leave();
    expect(gate.admittedCost).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it("never has more in than its capacity, and lets everybody in in the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 30, size: "max" }), async (costs) => {
      const gate = new CostGate({ ...options, maximumWaiting: 100 });
      await Promise.all(
        costs.map(async (cost) => {
          const leave = await enter(gate, cost);
          expect(gate.admittedCost).toBeLessThanOrEqual(10);
          await Promise.resolve();
          leave();
        }),
      );
      expect(gate.admittedCost).toBe(0);
    }),
  );
});
