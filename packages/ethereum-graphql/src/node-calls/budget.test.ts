import { setTimeout as sleep } from "node:timers/promises";
import { isServiceError, ServiceError } from "@nodewright/runtime";
import { expect, test } from "vitest";
import { Budget } from "./budget.ts";

/** Simulates a call of the node that never ends by itself. */
function waitFor(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

test("what is known at once is given at once", () => {
  expect(new Budget().spend(() => "answer")).toBe("answer");
});

test("what stays within the limits is counted and nothing else happens", async () => {
  const budget = new Budget({ calls: 3 });
  const response = await budget.spend(async () => {
    budget.take("calls", 1);
    budget.take("calls", 2);
    return "answer";
  });
  expect(response).toBe("answer");
  expect(budget.used("calls")).toBe(3);
  expect(budget.failure).toBeUndefined();
});

test("the first limit that is passed ends the calls under way, and its error is all that is thrown from then on", async () => {
  const budget = new Budget({ calls: 3, objects: 1 });
  const call = waitFor(budget.signal);
  expect(() => budget.take("calls", 4)).toThrow("more calls of the node than 3");
  const { failure } = budget;
  expect(isServiceError(failure) && failure.details).toEqual({ limit: "calls", maximum: 3, actual: 4 });
  expect(() => budget.take("objects", 2)).toThrow(failure as ServiceError);
  await expect(call).rejects.toBe(failure);
});

test("a response that was gathered after a limit was passed is not given out", async () => {
  const budget = new Budget({ objects: 1 });
  const gather = () => {
    try {
      budget.take("objects", 2);
    } catch {
      return "partial";
    }
    return "whole";
  };
  const refusal = { code: "invalid_input", details: { limit: "objects" } };
  expect(() => budget.spend(gather)).toThrow("more blocks, transactions and logs than 1");
  await expect(budget.spend(async () => gather())).rejects.toMatchObject(refusal);
});

test("the time that is over ends the calls under way and the waiting", async () => {
  const budget = new Budget({ milliseconds: 5 });
  let call: Promise<never> | undefined;
  const response = budget.spend(async () => {
    // Calls are sent some turns after they are made.
    await sleep(1);
    call = waitFor(budget.signal);
    call.catch(() => undefined);
    await new Promise(() => undefined);
  });
  await expect(response).rejects.toMatchObject({
    code: "upstream_timeout",
    details: { limit: "milliseconds", maximum: 5 },
  });
  await expect(call).rejects.toBe(budget.failure);
});

test("the caller who goes away ends the calls under way, unless it was answered before", async () => {
  const reason = new ServiceError("invalid_request", "gone");
  const caller = new AbortController();
  const [waiting, answered] = [new Budget({}, () => caller.signal), new Budget({}, () => caller.signal)];
  const response = waiting.spend(() => waitFor(waiting.signal));
  await answered.spend(async () => answered.signal);
  caller.abort(reason);
  await expect(response).rejects.toBe(reason);
  expect(answered.failure).toBeUndefined();
  const late = new Budget({}, () => caller.signal);
  expect(late.signal.reason).toBe(reason);
  expect(late.failure).toBe(reason);
});

test("whoever waits for the end is told once, whether the request is finished or not, and at once when it is over", async () => {
  const reported: string[] = [];
  const finished = new Budget();
  finished.whenOver(() => reported.push("finished"));
  expect(finished.spend(() => reported.length)).toBe(0);
  finished.whenOver(() => reported.push("late"));
  const ended = new Budget();
  ended.whenOver(() => reported.push("ended"));
  const response = ended.spend(() => new Promise(() => undefined));
  const failure = new ServiceError("upstream_unavailable", "Too many large responses are outstanding");
  ended.end(failure);
  expect(reported).toEqual(["finished", "late", "ended"]);
  await expect(response).rejects.toBe(failure);
  expect(reported).toHaveLength(3);
});
