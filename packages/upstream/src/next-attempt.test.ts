import { ServiceError } from "@nodewright/runtime";
import { describe, expect, it } from "vitest";
import { type FailedAttempt, planNextAttempt } from "./next-attempt.ts";
import { type FailureKind, UpstreamFailure } from "./upstream-failure.ts";
import { UpstreamRpcError } from "./upstream-rpc-error.ts";

/** Those after which the node has certainly not carried out the call. */
const refusedUnread: ReadonlySet<FailureKind> = new Set(["unreachable", "busy", "denied"]);

function failure(kind: FailureKind, retryAfterMilliseconds?: number): UpstreamFailure {
  return new UpstreamFailure("Failed", { kind, mayHaveArrived: !refusedUnread.has(kind), retryAfterMilliseconds });
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

  it("a busy node is called again for a few seconds, and not before it wants to", () => {
    expect([1, 5, 6, 7].map((attempts) => plan(failure("busy"), { attempts }))).toEqual([50, 800, 1_000, undefined]);
    expect(plan(failure("busy", 2_000))).toBe(2_000);
    // The delays that it names are longer: three attempts in all.
    expect([2, 3].map((attempts) => plan(failure("busy", 2_000), { attempts }))).toEqual([2_000, undefined]);
    expect(plan(failure("busy", 2_000), { remainingMilliseconds: 2_000 })).toBeUndefined();
    // It asks for more time than a caller should wait.
    expect(plan(failure("busy", 3_000))).toBeUndefined();
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

  it.each(["hand-in", "act"] as const)(
    "what was to %s is never sent to two nodes that may both have taken it",
    (kind) => {
      const hasOtherNode = true;
      for (const each of kinds) {
        expect(plan(failure(each), { kind, hasOtherNode }), each).toBe(refusedUnread.has(each) ? 0 : undefined);
        expect(plan(failure(each), { kind })).toBeUndefined();
      }
      expect(plan(new UpstreamRpcError(-28, "Loading block index…"), { kind, hasOtherNode })).toBeUndefined();
    },
  );
});
