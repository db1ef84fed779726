import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "@nodewright/runtime";
import fc from "fast-check";
import { expect, it } from "vitest";
import { CostGate, type Leave } from "./cost-gate.ts";

const never = (): AbortSignal => new AbortController().signal;
const options = { capacity: 10, lightest: 1, waiting: 2, waitMilliseconds: 10_000 };

async function enter(gate: CostGate, cost: number, getSignal = never): Promise<Leave> {
  const leave = await gate.enter(cost, getSignal);
  if (leave === undefined) throw new Error("It was not counted");
  return leave;
}

it("lets in at once what there is room for, and what is light always", () => {
  const gate = new CostGate(options);
  const leave = gate.enter(10, never);
  expect(leave).toBeTypeOf("function");
  expect(gate.enter(0.5, never)).toBeUndefined();
  expect(gate.taken).toBe(10);
  (leave as Leave)();
  expect(gate.taken).toBe(0);
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
  expect(gate.taken).toBe(0);
});

it("lets in what is heavier than all it has room for, alone", async () => {
  const gate = new CostGate(options);
  const leave = await enter(gate, 1_000);
  expect(gate.taken).toBe(10);
  leave();
});

it("refuses who would stand behind too many, and who has waited too long, with when to come again", async () => {
  const gate = new CostGate({ ...options, waiting: 1, waitMilliseconds: 5 });
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
  expect(gate.taken).toBe(0);
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
  expect(gate.taken).toBe(0);
});

it("never has more in than its capacity, and lets everybody in in the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 30 }), async (costs) => {
      const gate = new CostGate({ ...options, waiting: 100 });
      await Promise.all(
        costs.map(async (cost) => {
          const leave = await enter(gate, cost);
          expect(gate.taken).toBeLessThanOrEqual(10);
          await Promise.resolve();
          leave();
        }),
      );
      expect(gate.taken).toBe(0);
    }),
  );
});
