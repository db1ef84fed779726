import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CostGate } from "./cost-gate.ts";
import { executeInTurn, type HeavyGates } from "./execute-in-turn.ts";
import { TurnQueue } from "@nodewright/runtime/node";

const createGates = (): HeavyGates => ({
  gate: new CostGate({ capacity: 10, minimumCost: 2, maximumWaiting: 5, maximumWaitMilliseconds: 60_000 }),
  queue: new TurnQueue(),
});
const never = (): AbortSignal => new AbortController().signal;
const heavy = { cost: 4, getSignal: never };
const light = { cost: 1, getSignal: never };

describe("executeInTurn", () => {
  it("runs light work at once, whatever else is under way", () => {
    const gates = createGates();
    void executeInTurn(gates, () => new Promise(() => {}), { ...heavy, cost: 10 });

    expect(executeInTurn(gates, () => "done", light)).toBe("done");
    expect(gates.gate.admittedCost).toBe(10);
  });

  it("runs the first heavy work at once, and releases its cost when it returns", () => {
    const gates = createGates();

    expect(executeInTurn(gates, () => gates.gate.admittedCost, heavy)).toBe(4);
    expect(gates.gate.admittedCost).toBe(0);
  });

  it("keeps the cost until a promised result is there", async () => {
    const gates = createGates();
    let finish = (_result: string): void => {};
    const result = executeInTurn(gates, () => new Promise<string>((resolve) => (finish = resolve)), heavy);
    await nextTimeSlice();
    expect(gates.gate.admittedCost).toBe(4);
    finish("done");

    expect(await result).toBe("done");
    expect(gates.gate.admittedCost).toBe(0);
  });

  it("releases the cost when work throws or rejects", async () => {
    const gates = createGates();
    const fail = (): never => {
      throw new Error("failed");
    };
    expect(() => executeInTurn(gates, fail, heavy)).toThrow("failed");
    expect(gates.gate.admittedCost).toBe(0);
    await nextTimeSlice();
    await expect(executeInTurn(gates, async () => fail(), heavy)).rejects.toThrow("failed");
    expect(gates.gate.admittedCost).toBe(0);
  });

  it("begins further heavy work one turn of the event loop after the other", async () => {
    const gates = createGates();
    const begun: number[] = [];
    const results = [0, 1, 2].map((position) =>
      executeInTurn(gates, () => begun.push(position), { ...heavy, cost: 2 }),
    );
    expect(begun).toEqual([0]);
    await nextTimeSlice();
    expect(begun).toEqual([0, 1]);
    await nextTimeSlice();
    expect(begun).toEqual([0, 1, 2]);

    expect(await Promise.all(results)).toEqual([1, 2, 3]);
    expect(gates.gate.admittedCost).toBe(0);
  });

  it("waits for room in the gate, and takes a turn then", async () => {
    const gates = createGates();
    let finish = (): void => {};
    const first = executeInTurn(gates, () => new Promise<void>((resolve) => (finish = resolve)), { ...heavy, cost: 8 });
    let isRun = false;
    const second = executeInTurn(gates, () => (isRun = true), heavy);
    await nextTimeSlice();
    expect(isRun).toBe(false);
    finish();
    await first;

    expect(await second).toBe(true);
    expect(gates.gate.admittedCost).toBe(0);
  });

  it("does not run work whose client goes while it waits for its turn", async () => {
    const gates = createGates();
    executeInTurn(gates, () => "first", heavy);
    const client = new AbortController();
    let isRun = false;
    const second = executeInTurn(gates, () => (isRun = true), { ...heavy, getSignal: () => client.signal });
    client.abort(new Error("gone"));

    await expect(second).rejects.toThrow("gone");
    expect([isRun, gates.gate.admittedCost]).toEqual([false, 0]);
  });
});
