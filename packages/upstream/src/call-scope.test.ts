import { describe, expect, it } from "vitest";
import { CallScope, DeadlinePassed } from "./call-scope.ts";

describe("the scope of a call", () => {
  it("ends with its caller, for the caller's reason", () => {
    const controller = new AbortController();
    const scope = new CallScope(60_000, controller.signal);
    const reasons: unknown[] = [];
    scope.listen((reason) => reasons.push(reason));
    const reason = new Error("No longer wanted");
    controller.abort(reason);
    scope.close();
    expect(reasons).toEqual([reason]);
    expect(() => scope.throwIfOver()).toThrow(reason);
  });

  it("has ended before it began when its caller has", () => {
    const reason = new Error("Gone");
    const scope = new CallScope(60_000, AbortSignal.abort(reason));
    const reasons: unknown[] = [];
    scope.listen((given) => reasons.push(given));
    scope.close();
    expect(reasons).toEqual([reason]);
  });

  it("ends at its deadline", async () => {
    const scope = new CallScope(5, undefined);
    expect(await new Promise((resolve) => scope.listen(resolve))).toBeInstanceOf(DeadlinePassed);
    scope.close();
  });

  it("keeps to its first reason, and ends no more once it is closed", () => {
    const controller = new AbortController();
    const scope = new CallScope(60_000, controller.signal);
    scope.end("first");
    scope.end("second");
    expect(() => scope.throwIfOver()).toThrow("first");
    const closed = new CallScope(60_000, controller.signal);
    closed.close();
    controller.abort(new Error("Too late"));
    expect(() => closed.throwIfOver()).not.toThrow();
    const reasons: unknown[] = [];
    closed.listen((reason) => reasons.push(reason));
    closed.close();
    closed.end("later");
    expect(reasons).toEqual([]);
  });

  it("tells the last listener alone, and nobody when there is none", () => {
    const scope = new CallScope(60_000, undefined);
    const heard: unknown[] = [];
    scope.listen((reason) => heard.push(["first", reason]));
    scope.listen((reason) => heard.push(["second", reason]));
    scope.end("over");
    scope.listen(undefined);
    scope.end("again");
    scope.close();
    expect(heard).toEqual([["second", "over"]]);
  });

  it("says of its deadline what has passed", async () => {
    const scope = new CallScope(1, undefined);
    const reason = await new Promise((resolve) => scope.listen(resolve));
    scope.close();
    expect(reason).toMatchObject({ name: "TimeoutError", message: "The deadline has passed" });
  });
});
