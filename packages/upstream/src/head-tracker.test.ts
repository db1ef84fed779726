import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Head, HeadChange } from "./node-standing.ts";
import { HeadTracker, type HeadTrackerOptions } from "./head-tracker.ts";
import type { NodeLink } from "./node-link.ts";
import { responseOfChain, createFakeChain, type FakeChain } from "./testing/fake-chain.ts";
import type { UpstreamCallOptions } from "./upstream.ts";

const main = createFakeChain("main", 40);

/** A node without a connection, which responds at once. */
interface FakeLink {
  chain: FakeChain;
  subversion: string;
  /** Work of its chain; not reported where it is undefined. */
  chainwork: string | undefined;
  isDown: boolean;
  /** Whether its breaker lets calls pass. */
  passes: boolean;
  readonly link: NodeLink;
  readonly asked: { readonly method: string; readonly options: UpstreamCallOptions }[];
  count(method: string): number;
}

function createLink(chain: FakeChain): FakeLink {
  const node: FakeLink = {
    chain,
    subversion: "/Satoshi:31.0.0/",
    chainwork: undefined,
    isDown: false,
    passes: true,
    asked: [],
    count: (method) => node.asked.filter((call) => call.method === method).length,
    link: {
      canPass: () => node.passes,
      async call(method: string, params: readonly unknown[], options: UpstreamCallOptions) {
        node.asked.push({ method, options });
        if (node.isDown) throw new Error("Down");
        if (method === "getnetworkinfo") return { subversion: node.subversion };
        const response = responseOfChain(node.chain, method, params);
        return method === "getblockheader" ? { ...(response as object), chainwork: node.chainwork } : response;
      },
    } as NodeLink,
  };
  return node;
}

const trackers: HeadTracker[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});

afterEach(() => {
  for (const tracker of trackers.splice(0)) tracker.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Follows nodes that are polled each second; `heard` are the reported heads. */
function follow(nodes: readonly FakeLink[], options: HeadTrackerOptions = {}) {
  const heard: string[] = [];
  const onChange = ({ head, isReorganisation }: HeadChange): void => {
    heard.push(`${head.height}${isReorganisation ? " anew" : ""}`);
  };
  const tracker = new HeadTracker(
    nodes.map(({ link }) => link),
    options,
    onChange,
  );
  trackers.push(tracker);
  return {
    tracker,
    heard,
    standings: () => nodes.map(({ link }) => tracker.standingOf(link)),
  };
}

const passTime = async (milliseconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(milliseconds);
};

describe("the heads of nodes", () => {
  it.each([
    [0, 800],
    [0.5, 1_000],
    [1, 1_200],
  ])("are asked for each second, give or take a fifth: with %s after %i ms", async (random, pause) => {
    vi.mocked(Math.random).mockReturnValue(random);
    const node = createLink(main);
    follow([node]);
    await passTime(0);
    expect(node.count("getbestblockhash")).toBe(1);
    await passTime(pause - 1);
    expect(node.count("getbestblockhash")).toBe(1);
    await passTime(1);
    expect(node.count("getbestblockhash")).toBe(2);
  });

  it("are requested before other calls, for five seconds, until the tracker is closed", async () => {
    const node = createLink(main);
    const { tracker } = follow([node]);
    await passTime(0);
    expect(node.asked.every(({ options }) => options.isUrgent === true && options.timeoutMilliseconds === 5_000)).toBe(
      true,
    );
    const { signal } = node.asked[0]?.options ?? {};
    expect(signal?.aborted).toBe(false);
    tracker.close();
    expect(signal?.aborted).toBe(true);
    const asked = node.asked.length;
    await passTime(10_000);
    expect(node.asked.length).toBe(asked);
  });

  it("are known when the first node is well, or each has been asked", async () => {
    const [up, down] = [createLink(main), createLink(main)];
    down.isDown = true;
    let isSettled = false;
    const { tracker, standings } = follow([down, up]);
    void tracker.settled.then(() => (isSettled = true));
    expect([standings(), tracker.head, tracker.lagOf(up.link)]).toEqual([["unheard", "unheard"], undefined, undefined]);
    await passTime(0);
    expect([isSettled, standings()]).toEqual([true, ["unheard", "well"]]);
    const alone = follow([down]);
    await passTime(0);
    await alone.tracker.settled;
    expect(alone.tracker.head).toBeUndefined();
    const closed = follow([createLink(main)]);
    closed.tracker.close();
    await closed.tracker.settled;
  });

  it("are reported with the height, the lag and who leads", async () => {
    const [first, second] = [createLink(main.slice(0, 30)), createLink(main.slice(0, 31))];
    const { tracker } = follow([first, second]);
    await passTime(5_000);
    const head: Head = { hash: main[30] ?? "", height: 30, work: undefined };
    expect(tracker.head).toEqual(head);
    expect([tracker.headOf(first.link)?.height, tracker.headOf(second.link)]).toEqual([29, head]);
    expect([tracker.lagOf(first.link), tracker.lagOf(second.link)]).toEqual([1, 0]);
    expect([tracker.isLeading(first.link), tracker.isLeading(second.link)]).toEqual([false, true]);
    const nobody = createLink(main).link;
    expect([
      tracker.standingOf(nobody),
      tracker.headOf(nobody),
      tracker.lagOf(nobody),
      tracker.isLeading(nobody),
    ]).toEqual(["unheard", undefined, undefined, false]);
    expect(tracker.identityOf(nobody)).toEqual({ chain: undefined, software: undefined });
    expect(tracker.identityOf(first.link)).toEqual({
      chain: { genesisHash: main[0] },
      software: { family: "core" },
    });
  });

  it("may be two blocks behind where nothing else is said", async () => {
    const nodes = [41, 39, 38].map((length) => createLink(main.slice(0, length)));
    const { standings } = follow(nodes);
    await passTime(5_000);
    expect(standings()).toEqual(["well", "well", "lagging"]);
    const strict = follow(nodes, { maximumLag: 0 });
    await passTime(5_000);
    expect(strict.standings()).toEqual(["well", "lagging", "lagging"]);
  });

  it("are not requested while a node rests", async () => {
    const node = createLink(main);
    node.passes = false;
    const { standings } = follow([node]);
    await passTime(3_000);
    expect([node.asked, standings()]).toEqual([[], ["unheard"]]);
    node.passes = true;
    await passTime(1_000);
    expect(standings()).toEqual(["well"]);
  });

  it("are reported once each, with whether blocks of the chain before are gone", async () => {
    const node = createLink(main.slice(0, 11));
    const { heard, tracker } = follow([node]);
    await passTime(3_000);
    expect(heard).toEqual(["10"]);
    node.chain = main.slice(0, 16);
    await passTime(1_000);
    node.chain = createFakeChain("other", 17, main, 12);
    await passTime(1_000);
    node.chain = main.slice(0, 15);
    await passTime(1_000);
    expect(heard).toEqual(["10", "15", "17 anew", "14 anew"]);
    node.isDown = true;
    await passTime(1_000);
    expect(tracker.head).toBeUndefined();
    node.isDown = false;
    await passTime(1_000);
    expect(tracker.head?.height).toBe(14);
    expect(heard).toHaveLength(4);
  });

  it("that went back are remembered for five minutes, or until the height is there again", async () => {
    const [steady, back] = [createLink(main.slice(0, 31)), createLink(main.slice(0, 31))];
    const { standings } = follow([steady, back]);
    await passTime(5_000);
    back.chain = main.slice(0, 30);
    await passTime(2_000);
    expect(standings()).toEqual(["well", "went-back"]);
    // A second step does not make it forget the first.
    back.chain = main.slice(0, 29);
    await passTime(2_000);
    back.chain = main.slice(0, 30);
    await passTime(2_000);
    expect(standings()).toEqual(["well", "went-back"]);
    back.chain = main.slice(0, 31);
    await passTime(2_000);
    expect(standings()).toEqual(["well", "well"]);
    back.chain = main.slice(0, 30);
    await passTime(298_000);
    expect(standings()).toEqual(["well", "went-back"]);
    await passTime(5_000);
    expect(standings()).toEqual(["well", "well"]);
    const hasty = follow([steady, back], { memoryMilliseconds: 10_000 });
    await passTime(2_000);
    back.chain = main.slice(0, 29);
    await passTime(5_000);
    expect(hasty.standings()).toEqual(["well", "went-back"]);
    await passTime(9_000);
    expect(hasty.standings()).toEqual(["well", "well"]);
  });

  it("are of a fork that has lost where another has more work in fewer blocks", async () => {
    const [heavy, light] = [createLink(main.slice(0, 31)), createLink(createFakeChain("light", 32, main, 20))];
    heavy.chainwork = "c0ffee";
    light.chainwork = "c0ffed";
    const { standings, tracker } = follow([light, heavy]);
    await passTime(3_000);
    expect([standings(), tracker.head?.height]).toEqual([["forked", "well"], 30]);
    light.chain = createFakeChain("as heavy", 32, main, 20);
    light.chainwork = "c0ffee";
    await passTime(3_000);
    // Equal work has not lost.
    expect(standings()).toEqual(["well", "well"]);
  });

  it("of a node that is gone count for 55 seconds", async () => {
    const [gone, behind] = [createLink(main), createLink(main.slice(0, 20))];
    const { standings, tracker } = follow([gone, behind]);
    await passTime(2_000);
    gone.isDown = true;
    await passTime(53_000);
    expect([standings(), tracker.head]).toEqual([["unheard", "lagging"], undefined]);
    await passTime(5_000);
    expect([standings(), tracker.head?.height]).toEqual([["unheard", "well"], 19]);
  });
});

describe("what nodes are", () => {
  it("is asked at first, after they were away and when they went back, and not else", async () => {
    const [node, other] = [createLink(main.slice(0, 31)), createLink(main.slice(0, 31))];
    follow([node, other]);
    await passTime(5_000);
    const asked = () => node.count("getnetworkinfo");
    expect(asked()).toBe(1);
    node.isDown = true;
    await passTime(2_000);
    expect(asked()).toBe(1);
    node.isDown = false;
    await passTime(5_000);
    expect(asked()).toBe(2);
    node.chain = main.slice(0, 30);
    await passTime(5_000);
    const afterwards = asked();
    expect(afterwards).toBeGreaterThan(2);
    await passTime(5_000);
    expect(asked()).toBe(afterwards);
  });

  it("is no matter of the program where a node of Bitcoin is alone", async () => {
    const node = createLink(main);
    const { tracker } = follow([node]);
    await passTime(3_000);
    expect(node.count("getnetworkinfo")).toBe(0);
    expect(tracker.identityOf(node.link)).toEqual({ chain: { genesisHash: main[0] }, software: undefined });
  });

  it("leaves out those of another program than the first, until none is left of that", async () => {
    const [first, second] = [createLink(main), createLink(main)];
    second.subversion = "/btcd:0.25.0/";
    const { standings } = follow([first, second]);
    await passTime(3_000);
    expect(standings()).toEqual(["well", "other-software"]);
    first.isDown = true;
    await passTime(3_000);
    // It may come back as it was.
    expect(standings()).toEqual(["unheard", "other-software"]);
    first.subversion = second.subversion;
    first.isDown = false;
    await passTime(3_000);
    expect(standings()).toEqual(["well", "well"]);
  });

  it("leaves out those of another chain than the one that is wanted, or than the first", async () => {
    const foreign = createFakeChain("foreign", 50);
    const [first, second] = [createLink(foreign), createLink(main)];
    const wanted = follow([first, second], { genesisHash: main[0] });
    await passTime(3_000);
    expect(wanted.standings()).toEqual(["other-network", "well"]);
    const open = follow([first, second]);
    await passTime(3_000);
    expect([open.standings(), open.tracker.head?.height]).toEqual([["well", "other-network"], 50]);
  });
});
