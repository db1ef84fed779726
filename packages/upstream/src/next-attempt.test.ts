import { ServiceError } from "@nodewright/runtime";
import { describe, expect, it } from "vitest";
import { type FailedAttempt, MissingBlockError, moreSpecificFailure, planNextAttempt } from "./next-attempt.ts";
import { type FailureKind, UpstreamFailure } from "./upstream-failure.ts";
import { UpstreamRpcError } from "./upstream-rpc-error.ts";

/** Kinds after which the node has certainly not executed the call. */
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
  });

  it.each(["read", "hand-in", "act"] as const)(
    "what was to %s goes to another node at once when one is in no position to do it, and to none where there is no other",
    (kind) => {
      for (const code of [-28, -9, -10, -31, -32_601]) {
        expect(plan(new UpstreamRpcError(code, "Not now"), { kind, hasOtherNode: true }), `${code}`).toBe(0);
        expect(plan(new UpstreamRpcError(code, "Not now"), { kind }), `${code}`).toBeUndefined();
      }
      // It may have been executed, or the call was at fault.
      for (const code of [-1, -7, -20, -22, -25, -26, -27, -32_603, -32_000, 28]) {
        expect(plan(new UpstreamRpcError(code, "No"), { kind, hasOtherNode: true }), `${code}`).toBeUndefined();
      }
    },
  );

  it("a busy node is called again for a few seconds, and not before it wants to", () => {
    expect([1, 5, 6, 7].map((attempts) => plan(failure("busy"), { attempts }))).toEqual([50, 800, 1_000, undefined]);
    expect(plan(failure("busy", 2_000))).toBe(2_000);
    // The delays that it names are longer: three attempts in all.
    expect([2, 3].map((attempts) => plan(failure("busy", 2_000), { attempts }))).toEqual([2_000, undefined]);
    expect(plan(failure("busy", 2_000), { remainingMilliseconds: 2_000 })).toBeUndefined();
    // It names more time than a client should wait.
    expect(plan(failure("busy", 3_000))).toBeUndefined();
  });

  it("the longest delay is a second, and a random half of each is taken away", () => {
    const delayWith = (random: number, attempts: number) =>
      planNextAttempt(
        {
          error: failure("busy"),
          kind: "read",
          attempts,
          remainingMilliseconds: 10_000,
          hasOtherNode: false,
        },
        () => random,
      );
    expect([delayWith(0, 1), delayWith(0.5, 1), delayWith(0, 6), delayWith(1, 6)]).toEqual([25, 37.5, 500, 1_000]);
  });

  it("no time is waited that is not left", () => {
    expect(plan(failure("broken"), { remainingMilliseconds: 50 })).toBeUndefined();
    expect(plan(failure("broken"), { remainingMilliseconds: 51 })).toBe(50);
    expect(plan(failure("broken"), { hasOtherNode: true, remainingMilliseconds: 0 })).toBeUndefined();
    expect(plan(failure("busy", 2_000), { remainingMilliseconds: 2_001 })).toBe(2_000);
    expect(plan(failure("busy", 2_001))).toBeUndefined();
    expect(plan(failure("busy", 10))).toBe(50);
  });

  it("another node is asked for a block that one lacks, and nobody where there is none", () => {
    expect(plan(new MissingBlockError(), { hasOtherNode: true, attempts: 9 })).toBe(0);
    expect(plan(new MissingBlockError())).toBeUndefined();
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
    },
  );
});

describe("of two failed attempts", () => {
  const starting = new UpstreamRpcError(-28, "Loading block index…");
  const alone = new UpstreamRpcError(-9, "Not connected");
  const lacking = new UpstreamRpcError(-32_601, "Method not found");
  const rejected = new UpstreamRpcError(-26, "min relay fee not met");
  const [unreachable, broken, timeout] = [failure("unreachable"), failure("broken"), failure("timeout")];

  it.each([
    [undefined, unreachable, "the later one"],
    [unreachable, starting, "the later one"],
    [starting, rejected, "the later one"],
    [starting, alone, "the later one"],
    [unreachable, failure("busy"), "the later one"],
    [alone, starting, "the earlier one"],
    [alone, unreachable, "the earlier one"],
    [starting, failure("busy"), "the earlier one"],
    [lacking, starting, "the later one"],
    [lacking, unreachable, "the later one"],
    [starting, lacking, "the earlier one"],
    [unreachable, lacking, "the earlier one"],
  ])("%s and %s, %s is reported", (before, later, which) => {
    for (const kind of ["read", "hand-in", "act"] as const) {
      expect(moreSpecificFailure<unknown>(before, later, kind)).toBe(which === "the later one" ? later : before);
    }
  });

  it("the one after which a call may have been carried out is reported, unless the call only reads", () => {
    expect(moreSpecificFailure<unknown>(alone, broken, "hand-in")).toBe(broken);
    expect(moreSpecificFailure<unknown>(unreachable, timeout, "act")).toBe(timeout);
    expect(moreSpecificFailure<unknown>(alone, broken, "read")).toBe(alone);
    expect(moreSpecificFailure<unknown>(unreachable, timeout, "read")).toBe(unreachable);
  });
});
