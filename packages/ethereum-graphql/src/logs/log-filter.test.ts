import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogFilter } from "./log-filter.ts";

const word = (digit: string): string => `0x${digit.repeat(64)}`;
const contract = (digit: string): string => `0x${digit.repeat(40)}`;
const [a, b, c] = [word("a"), word("b"), word("c")];
const logOf = (...topics: readonly string[]) => ({ address: contract("1"), topics });

describe("a filter of logs", () => {
  it.each<[string, readonly string[], readonly (readonly string[])[]]>([
    ["nothing at all", [], []],
    ["the contract", [contract("1")], []],
    ["one of several contracts", [contract("2"), contract("1")], []],
    ["the first topic", [], [[a]]],
    ["any topic, then the second", [], [[], [b]]],
    [
      "alternatives",
      [],
      [
        [c, a],
        [b, c],
      ],
    ],
    ["topics that only have to be there", [], [[], []]],
  ])("matches a log by %s", (_name, addresses, topics) => {
    expect(new LogFilter(addresses, topics).match(logOf(a, b))).toBe("yes");
  });

  it.each<[string, readonly string[], readonly (readonly string[])[]]>([
    ["another contract", [contract("2")], []],
    ["another topic", [], [[b]]],
    ["the right topic at another position", [], [[b], [a]]],
    ["another second topic", [], [[a], [a, c]]],
    ["a third topic", [], [[a], [b], [c]]],
    ["a fourth topic behind any third", [], [[], [], [], [c]]],
    ["another contract, whatever its topics", [contract("2")], [[a]]],
  ])("does not match a log by %s", (_name, addresses, topics) => {
    expect(new LogFilter(addresses, topics).match(logOf(a, b))).toBe("no");
  });

  it("tells logs that lack a topic where any would match from those that do not match", () => {
    expect(new LogFilter([], [[a], []]).match(logOf(a))).toBe("short");
    expect(new LogFilter([], [[]]).match(logOf())).toBe("short");
    expect(new LogFilter([], [[a], []]).match(logOf(b))).toBe("no");
  });

  it("knows addresses and topics in whatever case a client writes them", () => {
    const log = { address: contract("a").toUpperCase().replace("0X", "0x"), topics: [a.toUpperCase()] };
    expect(new LogFilter([contract("a")], [[a.toUpperCase().toLowerCase()]]).match(log)).toBe("yes");
  });

  it("matches what a search position by position matches", () => {
    const topics = fc.array(fc.constantFrom(a, b, c), { maxLength: 4 });
    const wanted = fc.array(fc.array(fc.constantFrom(a, b, c), { maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(topics, wanted, (has, wants) => {
        const expected =
          has.length >= wants.length &&
          wants.every(
            (alternatives, position) => alternatives.length === 0 || alternatives.includes(has[position] ?? ""),
          );
        expect(new LogFilter([], wants).match(logOf(...has)) === "yes").toBe(expected);
      }),
    );
  });

  it("is told to the node without what it does not ask for, and each alternative once", () => {
    expect(LogFilter.of({}).params).toEqual({});
    expect(LogFilter.of({ addresses: null, topics: null }).params).toEqual({});
    expect(LogFilter.of({ addresses: [], topics: [] }).params).toEqual({});
    expect(LogFilter.of({ addresses: [contract("1"), contract("1")], topics: [[a, a], [], [b, c]] }).params).toEqual({
      address: [contract("1")],
      topics: [[a], null, [b, c]],
    });
  });

  it.each([
    [{ topics: new Array<string[]>(5).fill([]) }, { limit: "topics", maximum: 4, actual: 5 }],
    [{ addresses: new Array<string>(1_001).fill(a) }, { limit: "addresses", maximum: 1_000, actual: 1_001 }],
    [{ topics: [new Array<string>(1_001).fill(a)] }, { limit: "topicAlternatives", maximum: 1_000, actual: 1_001 }],
  ])("is refused when it is too long, with the figures", (criteria, details) => {
    expect(() => LogFilter.of(criteria)).toThrow(expect.objectContaining({ code: "invalid_input", details }));
  });
});
