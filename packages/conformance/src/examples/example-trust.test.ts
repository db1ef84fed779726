import { describe, expect, test } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { createExampleTrust, type ExampleEvidence, type ExampleTrust } from "./example-trust.ts";

interface Shown {
  readonly documented: unknown;
  readonly actual: unknown;
  readonly isImmutable?: boolean;
  readonly isLive?: boolean;
  readonly readsState?: boolean;
}

function trustAfter(shown: Readonly<Record<string, Shown>>, mode?: "exact" | "types"): ExampleTrust {
  const trust = createExampleTrust({}, mode);
  for (const [operation, { documented, actual, ...marks }] of Object.entries(shown)) {
    const compared = { type: undefined, documented, actual };
    trust.see({ operation, example: "one", isLive: false, isImmutable: false, ...marks, compared });
  }
  return trust;
}

const hash = "00000000000000000001b2a7a2b1c3d4";
const served = { documented: { hash, title: "Genesis" }, actual: { hash, title: "Genesis" } };
const other = { documented: { name: "Rex the dog" }, actual: { name: "Rex the dog" } };

describe("Examples that are served as they are documented", () => {
  test("make what disagrees a fault, for one that never changes even a count", () => {
    const trust = trustAfter({
      served,
      other,
      wrong: { documented: { hash: "abcd", height: 5 }, actual: { hash: "abcd", height: 6 }, isImmutable: true },
    });
    expect(trust.isOfThisData()).toBe(true);
    expect(trust.blameFor("wrong", "one")).toMatchObject({ level: "MUST", differences: [{ steady: "/height" }] });
  });

  test("make another text a fault where all others agree", () => {
    const trust = trustAfter({
      served,
      other,
      wrong: { documented: { name: "Tom the cat" }, actual: { name: "Tim the cat" } },
    });
    expect(trust.blameFor("wrong", "one").level).toBe("MUST");
    expect(trust.blameFor("wrong", "one").differences).toHaveLength(1);
  });

  test("do not make a fault of counts and times that moved, nor of a list that grew", () => {
    const trust = trustAfter({
      served,
      other,
      counts: { documented: { count: 10, name: "abc" }, actual: { count: 99, name: "abc" } },
      times: { documented: { createdAt: "2020-01-01T00:00:00Z" }, actual: { createdAt: "2026-01-01T00:00:00Z" } },
      list: { documented: ["alpha"], actual: ["alpha", "beta"] },
    });
    for (const name of ["counts", "times", "list"]) expect(trust.blameFor(name, "one").differences).toEqual([]);
  });

  test("do not make a fault of the numbers of a state, whatever its members are called, but of those of list elements", () => {
    const trust = trustAfter({
      served,
      other,
      estimates: { documented: { "1": 87.8, "144": 1.5 }, actual: { "1": 12.2, "144": 1 }, readsState: true },
      nested: { documented: { rates: { "6": 3 } }, actual: { rates: { "6": 4 } }, readsState: true },
      list: { documented: [{ a: "abc", rate: 3 }], actual: [{ a: "abc", rate: 4 }], readsState: true },
    });
    for (const name of ["estimates", "nested"]) expect(trust.blameFor(name, "one").differences).toEqual([]);
    expect(trust.blameFor("list", "one").differences).toMatchObject([{ pointer: "/0/rate", element: "part" }]);
  });

  test("do not make a fault of further numbers of what has moved on, in decimal or hexadecimal", () => {
    const trust = trustAfter({
      served,
      other,
      moved: { documented: { balance: "0x64", received: "0xc8" }, actual: { balance: "0x6e", received: "0xd2" } },
      wrong: { documented: { balance: "0x64", received: "0xc8" }, actual: { balance: "0x64", received: "0xd2" } },
    });
    expect(trust.blameFor("moved", "one").level).toBe("SHOULD");
    expect(trust.blameFor("wrong", "one").differences).toMatchObject([{ steady: "/received" }]);
  });

  test("do not make a fault of what changes between two looks, but where the same request always has the same response", () => {
    const documented = { name: "Tom the cat", motto: "Be quick", fine: 3.5 };
    const trust = trustAfter({ served, other, member: { documented, actual: { ...documented, motto: "Look up" } } });
    const look = (motto: string, marks: Partial<ExampleEvidence> = {}): void => {
      const compared = {
        type: undefined,
        documented,
        actual: { ...documented, motto, fine: 4 },
      };
      trust.see({ operation: "member", example: "one", isLive: false, isImmutable: false, ...marks, compared });
    };
    look("Dig in", { isOfOtherRequest: true });
    look("Look up");
    expect(trust.blameFor("member", "one").differences.map(({ steady }) => steady)).toEqual(["/motto", "/fine"]);
    look("Dig in");
    expect(trust.blameFor("member", "one").differences.map(({ steady }) => steady)).toEqual(["/fine"]);
    look("Go on", { isImmutable: true });
    expect(trust.blameFor("member", "one")).toMatchObject({ level: "MUST", differences: [{}, {}] });
  });

  test("fail nothing for the state of an object that may have changed since: its numbers, times, flags and choices", () => {
    const type: SuiteType = {
      kind: "record",
      members: [{ name: "status", required: true, type: { kind: "enumeration", values: ["paid", "owing"] } }],
    };
    const documented = { fine: 3.5, isBlocked: false, since: "2026-01-01", status: "paid", note: null };
    const actual = { fine: 4.25, isBlocked: true, since: "2026-02-01", status: "owing", note: "Remind him" };
    for (const name of Object.keys(documented) as (keyof typeof documented)[]) {
      const trust = trustAfter({ served, other });
      const compared = { type, documented, actual: { ...documented, [name]: actual[name] } };
      trust.see({ operation: "member", example: "one", isLive: false, isImmutable: false, compared });
      expect(trust.blameFor("member", "one")).toMatchObject({ level: "SHOULD", differences: [{ name }] });
    }
  });

  test("make elements a fault that are missing or there twice", () => {
    const trust = trustAfter({
      served,
      other,
      fewer: { documented: ["alpha", "beta"], actual: ["alpha"] },
      twice: { documented: ["alpha", "beta"], actual: ["alpha", "beta", "beta"] },
    });
    expect(trust.blameFor("fewer", "one").differences).toHaveLength(1);
    expect(trust.blameFor("twice", "one").differences).toHaveLength(1);
  });

  test("say nothing of one that is marked live", () => {
    const trust = trustAfter({
      served,
      other,
      tip: { documented: { tip: "abc" }, actual: { tip: "xyz" }, isLive: true },
    });
    expect(trust.blameFor("tip", "one").differences).toEqual([]);
  });
});

describe("Examples that nobody serves", () => {
  const invented = {
    pet: {
      documented: { id: 10, name: "doggie", category: "Dogs" },
      actual: { id: 10, name: "Bella", category: "Cats" },
    },
    user: { documented: { name: "string" }, actual: { name: "theUser" } },
  };

  test("blame nobody", () => {
    const trust = trustAfter(invented);
    expect(trust.isOfThisData()).toBe(false);
    expect(trust.blameFor("pet", "one").differences).toEqual([]);
    expect(trust.blameForAbsence("pet", "one")).toBeUndefined();
  });

  test("blame the target all the same where the options say that they are exact", () => {
    expect(trustAfter(invented, "exact").blameFor("pet", "one").level).toBe("MUST");
  });

  test("are not compared where the options say so, though they agree", () => {
    expect(trustAfter({ served, other }, "types").isOfThisData()).toBe(false);
  });
});
