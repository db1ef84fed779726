import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPathRouter, isMethodMismatch } from "./path-router.ts";

function router(...origins: readonly string[]) {
  const operations = origins.map((origin) => {
    const space = origin.indexOf(" ");
    return { origin, method: origin.slice(0, space), path: origin.slice(space + 1) };
  });
  const { find } = createPathRouter(operations);
  return (method: string, path: string): unknown => {
    const match = find(method, path);
    if (match === undefined) return undefined;
    return isMethodMismatch(match) ? match.allowed : [match.operation.origin, match.parameterNames];
  };
}

describe("a router over path templates", () => {
  it("puts texts before holes, and comes back when the longer way leads nowhere", () => {
    const find = router("GET /a/{x}", "GET /a/fixed", "GET /a/{x}/end", "GET /a/fixed/other");
    expect(find("GET", "/a/fixed")).toEqual(["GET /a/fixed", {}]);
    expect(find("GET", "/a/free")).toEqual(["GET /a/{x}", { x: "free" }]);
    expect(find("GET", "/a/fixed/end")).toEqual(["GET /a/{x}/end", { x: "fixed" }]);
  });

  it("takes templates that differ by the names of their holes as one path, each with its names", () => {
    const find = router("GET /a/{x}", "PUT /a/{y}");
    expect(find("PUT", "/a/1")).toEqual(["PUT /a/{y}", { y: "1" }]);
    expect(find("DELETE", "/a/1")).toEqual(["GET", "PUT", "HEAD"]);
  });

  it("leaves a method that a literal path lacks to the hole that matches as well", () => {
    const find = router("GET /a/{x}", "POST /a/search");
    expect(find("GET", "/a/search")).toEqual(["GET /a/{x}", { x: "search" }]);
    expect(find("PUT", "/a/search")).toEqual(["POST", "GET", "HEAD"]);
  });

  it("reads several holes in a segment, and what stands around them", () => {
    const find = router("GET /a/{x}.{y}", "POST /v1/{name}:cancel", "GET /c/{owner}...{repo}@{ref}", "GET /d/x{n}");
    expect(find("GET", "/a/file.tar.gz")).toEqual(["GET /a/{x}.{y}", { x: "file.tar", y: "gz" }]);
    expect(find("POST", "/v1/job:1:cancel")).toEqual(["POST /v1/{name}:cancel", { name: "job:1" }]);
    expect(find("POST", "/v1/job%3Acancel")).toEqual(["POST /v1/{name}:cancel", { name: "job" }]);
    expect(find("POST", "/v1/:cancel")).toBeUndefined();
    expect(find("GET", "/c/o...r@main")).toEqual([
      "GET /c/{owner}...{repo}@{ref}",
      { owner: "o", repo: "r", ref: "main" },
    ]);
    expect(find("GET", "/d/x")).toBeUndefined();
    expect(find("GET", "/d/xx")).toEqual(["GET /d/x{n}", { n: "x" }]);
  });

  it("keeps a trailing slash, an empty segment and the case of letters apart", () => {
    const find = router("GET /a", "GET /b/", "GET /c/{x}/d");
    expect(find("GET", "/a/")).toBeUndefined();
    expect(find("GET", "/b")).toBeUndefined();
    expect(find("GET", "/b/")).toEqual(["GET /b/", {}]);
    expect(find("GET", "/c//d")).toBeUndefined();
    expect(find("GET", "/A")).toBeUndefined();
  });

  it("takes characters that routers give a meaning as they are", () => {
    const find = router("GET /a*", "GET /:b", "GET /c(d)?", "GET /é e", "GET /{a/b}/x", "GET /{__proto__}");
    expect(find("GET", "/a*")).toEqual(["GET /a*", {}]);
    expect(find("GET", "/:b")).toEqual(["GET /:b", {}]);
    expect(find("GET", "/c(d)%3F")).toEqual(["GET /c(d)?", {}]);
    expect(find("GET", "/%C3%A9%20e")).toEqual(["GET /é e", {}]);
    expect(find("GET", "/1%2F2/x")).toEqual(["GET /{a/b}/x", { "a/b": "1%2F2" }]);
    expect(Object.entries((find("GET", "/zz") as [string, object])[1])).toEqual([["__proto__", "zz"]]);
  });

  it("answers HEAD by the operation for GET where the document has none of its own", () => {
    const find = router("GET /a", "HEAD /b", "GET /b");
    expect(find("HEAD", "/a")).toEqual(["GET /a", {}]);
    expect(find("HEAD", "/b")).toEqual(["HEAD /b", {}]);
  });

  it("leaves no hole empty, unless it is told that the last may be", () => {
    const operations = ["/a", "/a/{x}", "/a/{x}/b"].map((path) => ({ method: "GET", path }));
    const strict = createPathRouter(operations);
    const lenient = createPathRouter(operations, { emptyLastParameters: true });
    expect(strict.find("GET", "/a/")).toBeUndefined();
    expect(lenient.find("GET", "/a/")).toMatchObject({ operation: { path: "/a/{x}" }, parameterNames: { x: "" } });
    for (const path of ["/a//b", "//a", "/a/1/b/", "/a/1/"]) expect(lenient.find("GET", path)).toBeUndefined();
  });

  it("refuses a percent sign that escapes nothing", () => {
    expect(() => router("GET /{x}")("GET", "/%zz")).toThrow(URIError);
  });

  it("gives back every value that a client writes into a path", () => {
    const find = router("GET /a/{x}/{y}.{z}");
    const value = fc.string({ minLength: 1 }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(value, value, value, (x, y, z) => {
        const encode = (text: string): string => encodeURIComponent(text).replaceAll(".", "%2E");
        const found = find("GET", `/a/${encode(x)}/${encode(y)}.${encode(z)}`) as [string, Record<string, string>];
        expect(Object.values(found[1]).map(decodeURIComponent)).toEqual([x, y, z]);
      }),
    );
  });
});
