import type { FastifyRequest } from "fastify";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchSegment, readPathTemplate } from "./path-template.ts";
import { createTargetReader } from "./request-target.ts";

describe("a path template", () => {
  it.each<[string, readonly (readonly (string | number)[])[], readonly string[]]>([
    ["/", [[]], []],
    ["", [], []],
    ["/a/b", [["a"], ["b"]], []],
    ["/a/", [["a"], []], []],
    ["/a/{x}.{y}", [["a"], [0, ".", 1]], ["x", "y"]],
    ["/{a/b}c/{}", [[0, "c"], [1]], ["a/b", ""]],
    ["/{x", [["{x"]], []],
    ["{x}/a", [[0], ["a"]], ["x"]],
    ["a//b", [["a"], [], ["b"]], []],
  ])("is taken apart: %s", (path, segments, parameterNames) => {
    expect(readPathTemplate(path)).toEqual({ segments, parameterNames });
  });

  it.each<[readonly (string | number)[], string, readonly string[] | undefined]>([
    [[], "", []],
    [[], "a", undefined],
    [["a"], "a", []],
    [["a"], "ab", undefined],
    [["a"], "ba", undefined],
    [["a"], "", undefined],
    [[0], "a", ["a"]],
    [[0], "", undefined],
    [["a", 0], "ab", ["b"]],
    [["a", 0], "a", undefined],
    [["a", 0], "ba", undefined],
    [["a", 0], "bab", undefined],
    [[0, "a"], "ba", ["b"]],
    [[0, "a"], "a", undefined],
    [[0, "a"], "bac", undefined],
    [[0, ".", 1], "a.tar.gz", ["a.tar", "gz"]],
    [[0, ".", 1], "a.", undefined],
    [[0, ".", 1], ".a", undefined],
    [[0, "--", 1], "--a", undefined],
    [["x", 0, "--", 1], "x--a", undefined],
    [[0, ".", 1], "a..", ["a", "."]],
    [[0, ".", 1], "a.b.", ["a", "b."]],
    [[0, ".", 1], "ab", undefined],
    [[0, 1], "abc", ["ab", "c"]],
    [[0, 1], "a", undefined],
    [["(", 0, ",", 1, ")"], "(a,b)", ["a", "b"]],
    [["(", 0, ")"], "(a)b", undefined],
    [[0, "--", 1], "a---b", ["a-", "b"]],
    [["aa", 0, "aa"], "aaa", undefined],
    [["aa", 0, "aa"], "aabaa", ["b"]],
  ])("%j matches the segment %j", (parts, segment, texts) => {
    expect(matchSegment(parts, segment)).toEqual(texts);
  });

  it("matches what it was filled with, whichever way the texts may be read", () => {
    const text = fc.stringMatching(/^[ab.]{1,4}$/);
    fc.assert(
      fc.property(text, text, text, (first, between, second) => {
        const segment = `x${first}.${between}-${second}`;
        const texts = matchSegment(["x", 0, ".", 1, "-", 2], segment);
        expect(texts).toHaveLength(3);
        const [one, two, three] = texts ?? [];
        expect(`x${one}.${two}-${three}`).toBe(segment);
      }),
    );
  });
});

describe("the target of a request", () => {
  it.each([
    ["", "/a?b", "/a", "b"],
    ["/", "/a/b", "/a/b", ""],
    ["/api", "/api/a?b=c?d", "/a", "b=c?d"],
    ["/api/v1/", "/api/v1/a", "/a", ""],
    ["/:tenant/api", "/x/api/a", "/a", ""],
    ["/api", "/api", "/", ""],
    ["/api", "/api?a", "/", "a"],
    ["/api/v1", "/api", "/", ""],
    ["/api", "/api/", "/", ""],
    ["", "/a?b#c", "/a", "b"],
    ["", "/a#b?c", "/a", ""],
    ["", "/a#b", "/a", ""],
    ["", "/a?", "/a", ""],
    ["", "/a?#b", "/a", ""],
    ["", "http://h:1/a?b", "/a", "b"],
    ["/api", "http://h/api/a", "/a", ""],
    ["", "http://h", "/", ""],
    ["", "/?", "/", ""],
  ])("below %j of %s is %s with the query %j", (prefix, url, path, query) => {
    expect(createTargetReader(prefix)({ url } as FastifyRequest)).toEqual({ path, query });
  });
});
