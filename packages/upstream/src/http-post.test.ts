import type { Dispatcher } from "undici";
import { setImmediate as loopTurn } from "node:timers/promises";
import { isTimeSliceUsedUp } from "@nodewright/runtime/node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CallScope, DeadlinePassed } from "./call-scope.ts";
import { type BodyReader, type HttpResponse, post } from "./http-post.ts";
import { MalformedResponse } from "./http-response-reader.ts";
import { ResponseBudget, TooManyResponses } from "./response-budget.ts";

interface Posted {
  readonly response: Promise<HttpResponse>;
  readonly handler: Dispatcher.DispatchHandler;
  readonly controller: Dispatcher.DispatchController;
  readonly budget: ResponseBudget;
  readonly scope: CallScope;
  /** Calls of the reader. */
  readonly calls: string[];
  /** Controls of the connection, and that the response waits for others. */
  readonly controls: string[];
}

/** Posts to a dispatcher whose responses the test controls. */
function start(push: (chunk: Buffer) => void = () => undefined, budget = new ResponseBudget(1_000)): Posted {
  const calls: string[] = [];
  const controls: string[] = [];
  const scope = new CallScope(60_000, undefined);
  let handler: Dispatcher.DispatchHandler | undefined;
  const reader: BodyReader = {
    push,
    end() {
      calls.push("end");
      return { kind: "json", value: 1 };
    },
    close: () => void calls.push("close"),
  };
  const lease = budget.acquire((reason) => scope.end(reason));
  const response = post(
    {
      dispatch(_options, given) {
        handler = given;
        return true;
      },
    },
    {
      path: "/",
      headers: {},
      body: Buffer.from("{}"),
      scope,
      limits: { bytes: 1_000_000, isPassedByCorrectNodes: false },
      createReader() {
        lease.grow(600, 0);
        return reader;
      },
      onBytes: () => undefined,
      onHeldUp: () => void controls.push("held up"),
      lease,
    },
  ).finally(() => lease.release());
  if (handler === undefined) throw new Error("Nothing was dispatched");
  const controller = Object.fromEntries(
    ["abort", "pause", "resume"].map((name) => [name, () => controls.push(name)]),
  ) as unknown as Dispatcher.DispatchController;
  const posted = { response, handler, controller, budget, scope, calls, controls };
  handler.onRequestStart?.(posted.controller, undefined);
  handler.onResponseStart?.(posted.controller, 200, {});
  return posted;
}

describe("the reader of a response", () => {
  it("is closed once the body is delivered", async () => {
    const { response, handler, controller, budget, scope, calls } = start();
    handler.onResponseData?.(controller, Buffer.from("1"));
    expect(calls).toEqual([]);
    handler.onResponseEnd?.(controller, {});
    await expect(response).resolves.toMatchObject({ body: { value: 1 } });
    expect([calls, budget.bytes]).toEqual([["end", "close"], 0]);
    scope.close();
  });

  it("is closed when the call ends or the connection breaks before that", async () => {
    const ended = start();
    const cause = new Error("Enough");
    ended.scope.end(cause);
    const broken = start();
    broken.handler.onResponseError?.(broken.controller, cause);
    for (const { response, budget, scope, calls } of [ended, broken]) {
      await expect(response).rejects.toMatchObject({ name: "PostFailure", message: "The request failed", cause });
      expect([calls, budget.bytes]).toEqual([["close"], 0]);
      scope.close();
    }
  });

  it("is closed when its response is given up for another one", async () => {
    const budget = new ResponseBudget(1_000);
    const first = start(undefined, budget);
    const lease = budget.acquire(() => undefined);
    lease.grow(500, 0);
    await expect(first.response).rejects.toMatchObject({ name: "PostFailure" });
    expect([first.calls, budget.bytes]).toEqual([["close"], 500]);
    first.scope.close();
  });
});

describe("a node that sends informational responses without end", () => {
  it("is not heard out", () => {
    const { handler, controller, scope } = start();
    const send = () => handler.onResponseStart?.(controller, 103, {});
    for (let count = 0; count < 16; count++) send();
    expect(send).toThrow(new MalformedResponse("Too many informational responses"));
    scope.close();
  });
});

describe("a response while others take what is shared", () => {
  /** Starts a response that waits for another one, which takes more than is shared. */
  async function startWaiting() {
    const budget = new ResponseBudget(10_000, 1_000);
    const other = budget.acquire(() => expect.unreachable());
    other.grow(2_000, 0);
    expect(other.mayReadOn()).toBe(true);
    const lengths: number[] = [];
    const posted = start((chunk) => lengths.push(chunk.length), budget);
    const send = (length: number) => posted.handler.onResponseData?.(posted.controller, Buffer.alloc(length));
    send(65_536);
    expect([lengths, posted.controls]).toEqual([[65_536], []]);
    send(1);
    send(2);
    await expect.poll(() => posted.controls).toEqual(["pause", "held up"]);
    expect(lengths).toEqual([65_536]);
    return { ...posted, lengths, send, other };
  }

  it("is paused until it has its turn", async () => {
    const { response, handler, controller, controls, scope, lengths, other } = await startWaiting();
    other.release();
    await expect.poll(() => controls).toEqual(["pause", "held up", "resume"]);
    expect(lengths).toEqual([65_536, 1, 2]);
    handler.onResponseEnd?.(controller, {});
    await expect(response).resolves.toMatchObject({ status: 200 });
    scope.close();
  });

  it.each([
    ["its time has passed", new DeadlinePassed("Over")],
    ["its node has ended the connection", Object.assign(new Error("Ended"), { code: "UND_ERR_SOCKET" })],
  ])("fails for the others, and not for its node, when %s meanwhile", async (_what, reason) => {
    const { response, handler, controller, scope, lengths, other } = await startWaiting();
    if (reason instanceof DeadlinePassed) scope.end(reason);
    else handler.onResponseError?.(controller, reason);
    await expect(response).rejects.toMatchObject({ cause: expect.any(TooManyResponses) });
    other.release();
    await loopTurn();
    expect(lengths).toEqual([65_536]);
    scope.close();
  });

  it("fails for what ends it in any other way", async () => {
    const { response, scope } = await startWaiting();
    const cause = new Error("Enough");
    scope.end(cause);
    await expect(response).rejects.toMatchObject({ cause });
    scope.close();
  });
});

describe("a response while other work has used up the time of the turn", () => {
  afterEach(() => void vi.useRealTimers());

  /** Returns once the time slices of this turn have no more time, which only the test advances. */
  async function useUpTurn(): Promise<void> {
    vi.useFakeTimers({ toFake: ["performance"] });
    await loopTurn();
    while (!isTimeSliceUsedUp()) vi.advanceTimersByTime(5);
  }

  /** Starts a response whose reader records the length of each chunk. */
  function startNoting(push: (chunk: Buffer) => void = () => undefined) {
    const lengths: number[] = [];
    const posted = start((chunk) => {
      lengths.push(chunk.length);
      push(chunk);
    });
    return {
      ...posted,
      lengths,
      send: (length: number) => posted.handler.onResponseData?.(posted.controller, Buffer.alloc(length)),
    };
  }

  it("is read as it arrives up to 64 KiB, and paused beyond that", async () => {
    const { response, handler, controller, controls, scope, lengths, send } = startNoting();
    await useUpTurn();
    send(65_000);
    send(536);
    expect([lengths, controls]).toEqual([[65_000, 536], []]);
    send(1);
    expect([lengths, controls]).toEqual([[65_000, 536], ["pause"]]);
    await expect.poll(() => controls).toEqual(["pause", "resume"]);
    expect(lengths).toEqual([65_000, 536, 1]);
    handler.onResponseEnd?.(controller, {});
    await expect(response).resolves.toMatchObject({ status: 200 });
    scope.close();
  });

  it("is read as it arrives where there is time", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    await loopTurn();
    const { controls, scope, lengths, send, response } = startNoting();
    send(100_000);
    send(1);
    expect([lengths, controls]).toEqual([[100_000, 1], []]);
    scope.end(new Error("Enough"));
    await expect(response).rejects.toThrow("The request failed");
  });

  it("is read in later turns, as many chunks in each as there is time for, in their order and before its end", async () => {
    const { response, handler, controller, calls, controls, scope, lengths, send } = startNoting(({ length }) => {
      if (length === 3) vi.advanceTimersByTime(5);
    });
    await useUpTurn();
    send(70_000);
    for (const length of [1, 2, 3, 4, 5]) send(length);
    handler.onResponseEnd?.(controller, {});
    expect([lengths, calls]).toEqual([[], []]);
    const seen: number[] = [];
    while (calls.length === 0) {
      await loopTurn();
      if (seen.at(-1) !== lengths.length) seen.push(lengths.length);
    }
    // The fourth chunk takes all the time of a slice.
    expect(seen.filter((count) => count > 0)).toEqual([4, 6]);
    expect(lengths).toEqual([70_000, 1, 2, 3, 4, 5]);
    expect(calls).toEqual(["end", "close"]);
    // Nothing more arrives that could be received.
    expect(controls).toEqual(["pause"]);
    await expect(response).resolves.toMatchObject({ body: { value: 1 } });
    scope.close();
  });

  it("is not read on once its call has ended, and its connection is ended", async () => {
    const { response, calls, controls, scope, lengths, send } = startNoting();
    await useUpTurn();
    send(70_000);
    send(1);
    const cause = new Error("Enough");
    scope.end(cause);
    await expect(response).rejects.toMatchObject({ cause });
    await loopTurn();
    await loopTurn();
    expect([lengths, calls, controls]).toEqual([[], ["close"], ["pause", "abort"]]);
    scope.close();
  });

  it("is not received on where its call has ended while its last chunk was read", async () => {
    const posted = startNoting(() => posted.scope.end(new Error("Enough")));
    await useUpTurn();
    posted.send(70_000);
    await expect(posted.response).rejects.toThrow("The request failed");
    await loopTurn();
    await loopTurn();
    expect([posted.lengths, posted.controls]).toEqual([[70_000], ["pause", "abort"]]);
    posted.scope.close();
  });

  it.each([new Error("Unreadable"), "Unreadable"])("fails for what its reader throws: %s", async (cause) => {
    const { response, calls, controls, budget, scope, send } = startNoting(() => {
      throw cause;
    });
    await useUpTurn();
    send(70_000);
    send(1);
    await expect(response).rejects.toMatchObject({ name: "PostFailure", cause, wasSent: true, hasBegun: true });
    expect([calls, controls, budget.bytes]).toEqual([["close"], ["pause", "abort"], 0]);
    scope.close();
  });
});
