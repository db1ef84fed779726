import { ServiceError } from "@nodewright/runtime";
import { describe, expect, it } from "vitest";
import { type FailureKind, isUpstreamFailure, mayHaveArrived, UpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError, UpstreamRpcError } from "./upstream-rpc-error.ts";

const failure = (kind: FailureKind, retryAfterMilliseconds?: number): UpstreamFailure =>
  new UpstreamFailure("Failed", { kind, mayHaveArrived: true, retryAfterMilliseconds, cause: "why" }, { a: 1 });

describe("a failure to get a response", () => {
  it("tells callers by its code whether the time has passed", () => {
    expect(failure("timeout")).toMatchObject({ code: "upstream_timeout", message: "Failed", kind: "timeout" });
    for (const kind of ["unreachable", "broken", "busy", "unusable", "denied", "limit"] as const)
      expect(failure(kind)).toMatchObject({ code: "upstream_unavailable", kind, cause: "why", details: { a: 1 } });
  });

  it.each([
    [undefined, undefined],
    [0, 1],
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [90_000, 90],
  ])("that asks for %s ms until the next call tells %s whole seconds", (milliseconds, seconds) => {
    const { retryAfterMilliseconds, retryAfterSeconds } = failure("busy", milliseconds);
    expect([retryAfterMilliseconds, retryAfterSeconds]).toEqual([milliseconds, seconds]);
  });

  it("is known by what it holds, next to other errors", () => {
    const copy = Object.assign(new Error("Failed"), { name: "ServiceError", mayHaveArrived: true });
    expect([failure("broken"), copy].map(isUpstreamFailure)).toEqual([true, true]);
    const others = [
      new ServiceError("internal", "Ours"),
      Object.assign(new Error("Failed"), { mayHaveArrived: true }),
      { name: "ServiceError", mayHaveArrived: true },
      undefined,
    ];
    expect(others.map(isUpstreamFailure)).toEqual([false, false, false, false]);
  });

  it("may leave open whether the call was carried out; no other error does", () => {
    const refused = new UpstreamFailure("Busy", { kind: "busy", mayHaveArrived: false });
    expect([failure("broken"), refused, new Error("Failed")].map(mayHaveArrived)).toEqual([true, false, false]);
  });
});

describe("a node's own error", () => {
  it("has its code, message and data, and is known by its name", () => {
    const error = new UpstreamRpcError(-5, "Not found", { a: 1 });
    expect(error).toMatchObject({ name: "UpstreamRpcError", code: -5, message: "Not found", data: { a: 1 } });
    const copy = Object.assign(new Error("Not found"), { name: "UpstreamRpcError" });
    expect([error, copy].map(isUpstreamRpcError)).toEqual([true, true]);
    expect([new Error("Not found"), { name: "UpstreamRpcError" }, null].map(isUpstreamRpcError)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
