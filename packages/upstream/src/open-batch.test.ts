import { describe, expect, it } from "vitest";
import type { BlockHolders } from "./block-holders.ts";
import { MissingBlockError } from "./next-attempt.ts";
import type { NodeLink } from "./node-link.ts";
import { betterResult, OpenBatch } from "./open-batch.ts";
import type { UpstreamResult } from "./upstream.ts";
import { UpstreamFailure } from "./upstream-failure.ts";
import { UpstreamRpcError } from "./upstream-rpc-error.ts";

const read = (name: string) => ({ method: "getblock", params: [name] });
const act = (name: string) => ({ method: "generate", params: [name] });
const ok = (result: unknown): UpstreamResult => ({ ok: true, result });
const refused = (code: number): UpstreamResult => ({ ok: false, error: new UpstreamRpcError(code, "Refused") });
const failed = (message: string, mayHaveArrived = true): UpstreamResult & { readonly ok: false } => ({
  ok: false,
  error: new UpstreamFailure(message, { kind: "broken", mayHaveArrived }),
});
/** A link that is only passed on. */
const node = { name: "a" } as NodeLink;

/** Creates holders where a node lacks what it returns null for. */
function createHolders() {
  const noted: unknown[] = [];
  const holders: Pick<BlockHolders, "isLacking" | "note"> = {
    isLacking: (_call, result) => (result.ok ? result.result === null : result.error.message === "Refused"),
    note: (...all) => void noted.push(all),
  };
  return { noted, holders: holders as BlockHolders };
}

describe("a batch in several attempts", () => {
  it("is given as it came when all of it is answered at once", () => {
    const batch = new OpenBatch([read("a"), act("b")], undefined);
    const responses = [ok(1), refused(-5)];
    batch.take(node, responses, true);
    expect(batch.end()).toBe(responses);
  });

  it("asks on for what only reads and had no response, in its place", () => {
    const batch = new OpenBatch([read("a"), read("b"), read("c")], undefined);
    const failure = failed("Down");
    expect(() => batch.take(node, [failure, ok("b"), failed("Later")], true)).toThrow(failure.error);
    expect(batch.openCalls).toEqual([read("a"), read("c")]);
    expect(() => batch.take(node, [ok("a"), failed("Again")], false)).toThrow("Again");
    expect(batch.openCalls).toEqual([read("c")]);
    // The first failure is more informative than the later ones.
    expect(batch.end()).toEqual([ok("a"), ok("b"), failed("Later")]);
    batch.take(node, [ok("c")], false);
    expect(batch.openCalls).toEqual([]);
    expect(batch.end()).toEqual([ok("a"), ok("b"), ok("c")]);
  });

  it("asks on for what the node is in no position to do, and keeps the refusal that says most", () => {
    const batch = new OpenBatch([read("a"), act("b"), act("c"), act("d")], undefined);
    expect(() => batch.take(node, [refused(-28), refused(-9), refused(-10), refused(-26)], true)).toThrow(
      MissingBlockError,
    );
    expect(batch.openCalls).toEqual([read("a"), act("b"), act("c")]);
    const arrived = failed("Broken");
    expect(() => batch.take(node, [ok("a"), failed("Down", false), arrived], true)).toThrow("Down");
    expect(batch.openCalls).toEqual([act("b")]);
    batch.take(node, [refused(-28)], false);
    expect(batch.openCalls).toEqual([]);
    expect(batch.end()).toEqual([ok("a"), refused(-9), arrived, refused(-26)]);
  });

  it("takes a call that was left out for one without a response", () => {
    const batch = new OpenBatch([read("a"), read("b")], undefined);
    expect(() => batch.take(node, [ok("a")], true)).toThrow("The node has left out a call");
    expect(batch.openCalls).toEqual([read("b")]);
    expect(batch.end()).toMatchObject([
      { ok: true },
      { ok: false, error: { kind: "unusable", mayHaveArrived: true, message: "The node has left out a call" } },
    ]);
  });

  it("queries another node for what acts only where this one has not got it", () => {
    const calls = [act("a"), act("b")];
    const batch = new OpenBatch(calls, undefined);
    expect(() => batch.take(node, [failed("Sent"), failed("Unsent", false)], true)).toThrow("Unsent");
    expect(batch.openCalls).toEqual([act("b")]);
    // The last failure indicates whether it may have arrived.
    batch.take(node, [failed("Sent as well")], true);
    expect(batch.end()).toEqual([failed("Sent"), failed("Sent as well")]);
    const alone = new OpenBatch(calls, undefined);
    alone.take(node, [failed("Unsent", false), failed("Unsent", false)], false);
    expect(alone.end()).toEqual([failed("Unsent", false), failed("Unsent", false)]);
  });

  it("has the failure of the whole for what has no response of its own", () => {
    const reason = failed("Down").error;
    expect(new OpenBatch([read("a")], undefined).end(reason)).toEqual([{ ok: false, error: reason }]);
    expect(new OpenBatch([read("a")], undefined).end(new MissingBlockError())).toMatchObject([
      { ok: false, error: { message: "The node has left out a call" } },
    ]);
  });

  it("queries another node for what this one lacks, and remembers who has named what", () => {
    const { holders, noted } = createHolders();
    const batch = new OpenBatch([read("a"), read("b")], holders);
    expect(() => batch.take(node, [ok("a"), ok(null)], true)).toThrow(MissingBlockError);
    expect([batch.openCalls, noted]).toEqual([[read("b")], [[node, ok("a")]]]);
    batch.take(node, [refused(-1)], false);
    expect(batch.end()).toEqual([ok("a"), ok(null)]);
    expect(noted).toHaveLength(1);
  });

  it("keeps the response of a node that lacks something over a failure to get another", () => {
    const { holders } = createHolders();
    const batch = new OpenBatch([read("a")], holders);
    expect(() => batch.take(node, [ok(null)], true)).toThrow(MissingBlockError);
    expect(() => batch.take(node, [failed("Down")], false)).toThrow("Down");
    expect(batch.end(failed("Down").error)).toEqual([ok(null)]);
  });
});

it.each<[response: UpstreamResult, before: UpstreamResult | undefined, isBetter: boolean]>([
  [refused(-32_601), undefined, true],
  [ok(null), ok(null), false],
  [refused(-1), ok(null), false],
  [ok(null), refused(-1), false],
  [ok(null), refused(-32_601), true],
  [refused(-1), refused(-32_601), true],
  [refused(-1), refused(-2), false],
  [failed("Down"), refused(-32_601), false],
  [refused(-1), failed("Down"), true],
  [failed("Down"), failed("Down"), false],
])("%j is better than %j: %s", (response, before, isBetter) =>
  expect(betterResult(response, before)).toBe(isBetter ? response : before),
);
