import { fromHex, networks } from "@nodewright/bitcoin-primitives";
import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Branch } from "./branch.ts";
import { consensusRules, type SignalledDeployment } from "./consensus-rules.ts";
import { describeDeployments, scriptFlagsOf } from "./deployments.ts";
import { countSignals, type DeploymentState, stateAt, stateSince } from "./version-bits.ts";

/** Hashes identify what states depend on, so each chain has its own. */
let chains = 0;

interface Header {
  readonly version: number;
  readonly medianTime: number;
}

function branchOf(headers: readonly Header[], height: number = headers.length - 1): Branch {
  chains += 1;
  const name = `chain ${chains}`;
  const recordOf = (each: number): BlockRecord => {
    const { version, medianTime } = headers[each] ?? expect.unreachable(`no block ${each}`);
    const header = {
      version,
      previousHash: new Uint8Array(32),
      merkleRoot: new Uint8Array(32),
      time: medianTime,
      bits: 0,
      nonce: 0,
      bytes: new Uint8Array(80),
      hash: fromHex("00") ?? new Uint8Array(0),
    };
    return {
      hash: `${name}, block ${each}`,
      height: each,
      header,
      transactionCount: 1,
      chainTransactionCount: each + 1,
      size: 0,
      strippedSize: 0,
      weight: 0,
      medianTime,
      chainWork: 0n,
      onBestChain: true,
    };
  };
  return {
    tip: recordOf(height),
    recordAt: async (each) => recordOf(each),
    recordsFrom: async (from, count) =>
      Array.from({ length: Math.min(count, from + 1) }, (_, index) => recordOf(from - index)),
  };
}

const deployment: SignalledDeployment = {
  name: "test",
  bit: 3,
  startTime: 50,
  timeout: 200n,
  minimumActivationHeight: 0,
  period: 10,
  threshold: 8,
};
const signalling = 0x20000008;
const silent = 0x20000000;

/** Returns the states of BIP 9, block by block from the first on: slowly, without a cache. */
function statesOf(headers: readonly Header[], rules: SignalledDeployment): readonly DeploymentState[] {
  const states: DeploymentState[] = [];
  let state: DeploymentState = "defined";
  for (let height = 0; height <= headers.length; height += 1) {
    if (height > 0 && height % rules.period === 0) {
      const { medianTime } = headers[height - 1] ?? expect.unreachable();
      const count = headers
        .slice(height - rules.period, height)
        .filter(({ version }) => version >>> 29 === 1 && (version & (1 << rules.bit)) !== 0).length;
      if (state === "locked_in" && height >= rules.minimumActivationHeight) state = "active";
      else if (state === "started" && count >= rules.threshold) state = "locked_in";
      else if (state === "started" && BigInt(medianTime) >= rules.timeout) state = "failed";
      else if (state === "defined" && medianTime >= rules.startTime) state = "started";
    }
    states.push(state);
  }
  return states;
}

describe("the state of a deployment", () => {
  it("is what the signals of all blocks before say, at every height", async () => {
    const block = fc.record({
      version: fc.constantFrom(signalling, signalling, signalling, silent, 4, 0x40000008, -0x60000000 | 8),
      step: fc.integer({ min: 0, max: 6 }),
    });
    const rules = fc.record({
      minimumActivationHeight: fc.constantFrom(0, 55),
      threshold: fc.integer({ min: 1, max: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 90, size: "max" }), rules, async (blocks, more) => {
        let medianTime = 0;
        const headers = blocks.map(({ version, step }) => {
          medianTime += step;
          return { version, medianTime };
        });
        const tested = { ...deployment, ...more, name: `test ${chains}` };
        const states = statesOf(headers, tested);
        const branch = branchOf(headers);
        for (const [height, state] of states.entries()) {
          expect(await stateAt(branch, tested, height)).toBe(state);
          const since = states.slice(0, height + 1).findLastIndex((each) => each !== state) + 1;
          expect(await stateSince(branch, tested, height)).toBe(state === "defined" ? 0 : since);
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    { name: "begins at its first time", medianTime: 50, signals: 0, state: "started" },
    { name: "has not begun a second before", medianTime: 49, signals: 0, state: "defined" },
  ])("$name", async ({ medianTime, state }) => {
    const headers = Array.from({ length: 10 }, () => ({ version: silent, medianTime }));
    expect(await stateAt(branchOf(headers), deployment, 10)).toBe(state);
    expect(await stateAt(branchOf(headers), deployment, 9)).toBe("defined");
  });

  it.each([
    { signals: 7, end: 199, state: "started" },
    { signals: 8, end: 199, state: "locked_in" },
    { signals: 7, end: 200, state: "failed" },
    { signals: 8, end: 200, state: "locked_in" },
  ])("is $state after $signals signals until $end", async ({ signals, end, state }) => {
    const headers = Array.from({ length: 20 }, (_, height) => ({
      version: height >= 10 && height < 10 + signals ? signalling : silent,
      medianTime: height < 19 ? 60 : end,
    }));
    expect(await stateAt(branchOf(headers), deployment, 20)).toBe(state);
  });

  it.each([
    [30, "active"],
    [31, "locked_in"],
  ])("is in force at height 30 if that may be from %i: %s", async (minimumActivationHeight, state) => {
    const headers = Array.from({ length: 30 }, () => ({ version: signalling, medianTime: 60 }));
    const late = { ...deployment, minimumActivationHeight };
    expect(await stateAt(branchOf(headers), late, 30)).toBe(state);
  });

  it("can still come while enough blocks are left", async () => {
    const possible = async (silentBlocks: number) => {
      const headers = Array.from({ length: silentBlocks }, () => ({ version: silent, medianTime: 60 }));
      return (await countSignals(branchOf(headers), deployment)).isPossible;
    };
    expect([await possible(2), await possible(3)]).toEqual([true, false]);
  });

  it("is counted over the period that has begun", async () => {
    const headers = Array.from({ length: 17 }, (_, height) => ({
      version: height % 3 === 0 ? silent : signalling,
      medianTime: 60,
    }));
    const signals = [true, true, false, true, true, false, true];
    expect(await countSignals(branchOf(headers), deployment)).toEqual({
      elapsed: 7,
      count: 5,
      isPossible: true,
      signals,
    });
    const none = headers.map(({ medianTime }) => ({ version: silent, medianTime }));
    expect(await countSignals(branchOf(none), deployment)).toMatchObject({ count: 0, isPossible: false });
  });
});

describe("the deployments of a network", () => {
  it("are those of Bitcoin Core's regtest, of which one signals", async () => {
    // As a fresh node mines: every block signals with bit 28.
    const headers = Array.from({ length: 201 }, () => ({ version: 0x30000000, medianTime: 1_600_000_000 }));
    const deployments = await describeDeployments(branchOf(headers), networks.regtest);
    expect(Object.keys(deployments)).toEqual(["bip34", "bip66", "bip65", "csv", "segwit", "testdummy"]);
    expect(deployments["segwit"]).toEqual({ type: "buried", active: true, height: 0 });
    expect(deployments["csv"]).toEqual({ type: "buried", active: true, height: 1 });
    expect(deployments["testdummy"]).toEqual({
      type: "bip9",
      active: false,
      bip9: {
        bit: 28,
        start_time: 0,
        timeout: 0x7fffffffffffffffn,
        min_activation_height: 0,
        status: "started",
        since: 144,
        status_next: "started",
        statistics: { period: 144, elapsed: 57, count: 57, threshold: 108, possible: true },
        signalling: "#".repeat(57),
      },
    });
  });

  it("say at the end of a period what begins with the next block", async () => {
    const headers = Array.from({ length: 600 }, () => ({ version: 0x30000000, medianTime: 1_600_000_000 }));
    const at = async (height: number) =>
      (await describeDeployments(branchOf(headers, height), networks.regtest))["testdummy"];
    expect(await at(143)).toMatchObject({
      active: false,
      bip9: { status: "defined", since: 0, status_next: "started" },
    });
    expect(await at(287)).toMatchObject({
      active: false,
      bip9: { status: "started", since: 144, status_next: "locked_in" },
    });
    const locked = await at(288);
    expect(locked).toMatchObject({
      bip9: { bit: 28, status: "locked_in", since: 288, statistics: { period: 144, elapsed: 1, count: 1 } },
    });
    expect(locked?.bip9?.statistics).not.toHaveProperty("threshold");
    expect(await at(431)).toMatchObject({
      active: true,
      height: 432,
      bip9: { status: "locked_in", status_next: "active" },
    });
    const active = await at(500);
    expect(active).toMatchObject({ active: true, height: 432, bip9: { status: "active", since: 432 } });
    expect(active?.bip9).not.toHaveProperty("statistics");
  });

  it("begin on each network at the heights that are known", async () => {
    const names = Object.values(networks).map(({ name }) => name);
    for (const name of names) {
      const heights = consensusRules[name].buried.map(({ height }) => height);
      expect(heights).toEqual(
        {
          mainnet: [227_931, 363_725, 388_381, 419_328, 481_824],
          testnet3: [21_111, 330_776, 581_885, 770_112, 834_624],
          testnet4: [1, 1, 1, 1, 1],
          signet: [1, 1, 1, 1, 1],
          regtest: [1, 1, 1, 1, 0],
        }[name],
      );
    }
  });
});

describe("the rules of scripts", () => {
  const at = (height: number, hash = "") => ({ ...branchOf([{ version: 1, medianTime: 0 }]).tip, height, hash });

  it.each([
    [1, "P2SH TAPROOT WITNESS"],
    [227_931, "P2SH TAPROOT WITNESS"],
    [363_725, "DERSIG P2SH TAPROOT WITNESS"],
    [388_381, "CHECKLOCKTIMEVERIFY DERSIG P2SH TAPROOT WITNESS"],
    [419_328, "CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY DERSIG P2SH TAPROOT WITNESS"],
    [481_824, "CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY DERSIG NULLDUMMY P2SH TAPROOT WITNESS"],
  ])("of block %i are %s", (height, flags) => {
    expect(scriptFlagsOf(at(height), networks.mainnet).join(" ")).toBe(flags);
  });

  it("are fewer for the two blocks that break them", () => {
    const first = "00000000000002dc756eebf4f49723ed8d30cc28a5f108eb94b1ba88ac4f9c22";
    expect(scriptFlagsOf(at(170_060, first), networks.mainnet)).toEqual([]);
    const second = "0000000000000000000f14c35b2d841e986ab5441de8c585d5ffe55ea1e395ad";
    expect(scriptFlagsOf(at(692_261, second), networks.mainnet).join(" ")).toBe(
      "CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY DERSIG NULLDUMMY P2SH WITNESS",
    );
  });
});
