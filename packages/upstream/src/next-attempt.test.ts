import { ServiceError } from "@nodewright/runtime";
import { describe, expect, it } from "vitest";
import { type FailedAttempt, planNextAttempt } from "./next-attempt.ts";
import { type FailureKind, UpstreamFailure } from "./upstream-failure.ts";
import { UpstreamRpcError } from "./upstream-rpc-error.ts";

function failure(kind: FailureKind, retryAfterMilliseconds?: number): UpstreamFailure {
  return new UpstreamFailure("Failed", { kind, mayHaveArrived: kind !== "unreachable", retryAfterMilliseconds });
}

function plan(error: unknown, more: Partial<FailedAttempt> = {}): number | undefined {
  const attempt = { error, kind: "read", attempts: 1, remainingMilliseconds: 10_000, hasOtherNode: false } as const;
  return planNextAttempt({ ...attempt, ...more }, () => 1);
}

const kinds: readonly FailureKind[] = ["unreachable", "broken", "timeout", "busy", "unusable", "denied"];

describe("after a failed attempt", () => {
  it("a reading call waits longer each time, three attempts in all", () => {
    for (const kind of ["unreachable", "broken", "unusable"] as const) {
      const delays = [1, 2, 3].map((attempts) => plan(failure(kind), { attempts }));
      expect(delays).toEqual([50, 100, undefined]);
    }
  });

  it("a reading call goes to another node at once", () => {
    for (const kind of kinds) expect(plan(failure(kind), { hasOtherNode: true, attempts: 3 })).toBe(0);
    expect(plan(new UpstreamRpcError(-28, "Loading block index…"), { hasOtherNode: true })).toBe(0);
  });

  it("a busy node is asked again until the deadline, and not before it wants to", () => {
    expect([1, 5, 20].map((attempts) => plan(failure("busy"), { attempts }))).toEqual([50, 800, 1_000]);
    expect(plan(failure("busy", 3_000))).toBe(3_000);
    expect(plan(failure("busy", 3_000), { remainingMilliseconds: 3_000 })).toBeUndefined();
  });

  it("a silent node, wrong credentials and the node's own errors end a call where there is no other node", () => {
    for (const error of [
      failure("timeout"),
      failure("denied"),
      failure("limit"),
      new UpstreamRpcError(-5, "Not found"),
    ]) {
      expect(plan(error)).toBeUndefined();
    }
    expect(plan(new UpstreamRpcError(-28, "Loading block index…"))).toBeUndefined();
    expect(plan(failure("limit"), { hasOtherNode: true })).toBeUndefined();
    expect(plan(new ServiceError("internal", "Ours"), { hasOtherNode: true })).toBeUndefined();
  });

  it.each(["hand-in", "act"] as const)("what was to %s is never sent once more", (kind) => {
    const hasOtherNode = true;
    for (const each of kinds.filter((name) => name !== "unreachable")) {
      expect(plan(failure(each), { kind, hasOtherNode })).toBeUndefined();
    }
    expect(plan(new UpstreamRpcError(-28, "Loading block index…"), { kind, hasOtherNode })).toBeUndefined();
    // It never left.
    expect(plan(failure("unreachable"), { kind, hasOtherNode })).toBe(0);
    expect(plan(failure("unreachable"), { kind })).toBeUndefined();
  });
});
