// RFC 3986: section 3.1 (schemes), 3.5 (fragments), 5.2 (references against a base).
import { describe, expect, it } from "vitest";
import { decodePercents, isAbsoluteUri, resolveUri, splitFragment } from "./uri.ts";

describe("splitFragment", () => {
  it.each([
    ["a.json#/b", "a.json", "/b"],
    ["#b", "", "b"],
    ["a.json#", "a.json", ""],
    ["a.json", "a.json", undefined],
    ["", "", undefined],
    ["a#b#c", "a", "b#c"],
  ])("splits %j", (reference, uri, fragment) => {
    expect(splitFragment(reference)).toEqual({ uri, fragment });
  });
});

describe("isAbsoluteUri", () => {
  it.each(["https://a.example", "urn:a", "HTTP:", "a1+.-:b", "z:"])("finds the scheme of %s", (uri) => {
    expect(isAbsoluteUri(uri)).toBe(true);
  });

  it.each(["a", "a/b:c", "1a:b", "/a:b", ":a", "-a:b", "a b:c", ""])("finds no scheme in %j", (uri) => {
    expect(isAbsoluteUri(uri)).toBe(false);
  });
});

describe("resolveUri", () => {
  it.each([
    ["https://a.example/b/c", "", "https://a.example/b/c"],
    ["https://a.example/b/c", "d", "https://a.example/b/d"],
    ["https://a.example/b/c", "../d", "https://a.example/d"],
    ["https://a.example/b/c", "/d", "https://a.example/d"],
    ["https://a.example/b/c", "urn:d", "urn:d"],
    ["https://a.example/b/c", "HTTPS://D.example", "https://d.example/"],
    ["a.json", "https://a.example/b/../c", "https://a.example/c"],
    ["a.json", "http://", "http://"],
    ["specs/a.json", "b.json", "specs/b.json"],
    ["specs/a.json", "../b.json", "b.json"],
    ["specs/a.json", "/b/../c.json", "/b/../c.json"],
    ["a.json", "b.json", "b.json"],
    ["/specs/a.json", "b.json", "/specs/b.json"],
    ["urn:a:b", "c", undefined],
  ])("from %s, %j is %s", (base, reference, expected) => {
    expect(resolveUri(base, reference)).toBe(expected);
  });
});

describe("decodePercents", () => {
  it.each([
    ["a%20b", "a b"],
    ["%C3%A4", "ä"],
    ["100%", "100%"],
    ["a", "a"],
  ])("%s is %s", (text, expected) => {
    expect(decodePercents(text)).toBe(expected);
  });
});
