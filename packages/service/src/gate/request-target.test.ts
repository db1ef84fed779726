import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { interfaceOfPath, readRequestTarget } from "./request-target.ts";

describe("a request target", () => {
  it.each([
    ["/", { nodeId: "", path: "", query: "", keys: [] }],
    ["*", { nodeId: "", path: "", query: "", keys: [] }],
    ["/node", { nodeId: "node", path: "", query: "", keys: [] }],
    ["/node/?apikey=k", { nodeId: "node", path: "/", query: "", keys: ["k"] }],
    ["/node?apikey=k", { nodeId: "node", path: "", query: "", keys: ["k"] }],
    ["/node/a/b?x=1&apikey=k&y", { nodeId: "node", path: "/a/b", query: "?x=1&y", keys: ["k"] }],
    ["/node/a?apikey=k&apikey=l", { nodeId: "node", path: "/a", query: "", keys: ["k", "l"] }],
    ["/node/a?%61pikey=%6b+l", { nodeId: "node", path: "/a", query: "", keys: ["k l"] }],
    ["/node/a?apikey", { nodeId: "node", path: "/a", query: "", keys: [""] }],
    ["/node/a?apikey=%zz", { nodeId: "node", path: "/a", query: "", keys: ["%zz"] }],
    ["/node/a?apikeys=k&api", { nodeId: "node", path: "/a", query: "?apikeys=k&api", keys: [] }],
    ["/node/a?b=1?apikey=k", { nodeId: "node", path: "/a", query: "?b=1?apikey=k", keys: [] }],
    ["http://host:1/node/a?apikey=k", { nodeId: "node", path: "/a", query: "", keys: ["k"] }],
    ["HTTPS://host?apikey=k", { nodeId: "", path: "", query: "", keys: ["k"] }],
    ["http://host:1/node/a/http://other/b", { nodeId: "node", path: "/a/http://other/b", query: "", keys: [] }],
    ["https://host", { nodeId: "", path: "", query: "", keys: [] }],
    ["http://host#/node/a", { nodeId: "#", path: "/node/a", query: "", keys: [] }],
    ["https:///node/a", { nodeId: "node", path: "/a", query: "", keys: [] }],
    ["ftp://host/node/a", { nodeId: "", path: "", query: "", keys: [] }],
    ["xhttp://host/node/a", { nodeId: "", path: "", query: "", keys: [] }],
    ["host:443", { nodeId: "", path: "", query: "", keys: [] }],
    ["/node?", { nodeId: "node", path: "", query: "?", keys: [] }],
    ["/node?a=b&&c", { nodeId: "node", path: "", query: "?a=b&&c", keys: [] }],
    ["/node?apikey=k&", { nodeId: "node", path: "", query: "?", keys: ["k"] }],
    ["/node?apikey=", { nodeId: "node", path: "", query: "", keys: [""] }],
    ["/node?apikey=a=b", { nodeId: "node", path: "", query: "", keys: ["a=b"] }],
    ["/node?apikey=a%3Db", { nodeId: "node", path: "", query: "", keys: ["a=b"] }],
    ["/node?apikey=a+b", { nodeId: "node", path: "", query: "", keys: ["a b"] }],
    ["/node?+apikey=a", { nodeId: "node", path: "", query: "?+apikey=a", keys: [] }],
    ["/node?apikey=k/&apikey=l/", { nodeId: "node", path: "", query: "", keys: ["k", "l"] }],
    ["/node?apikey=/k", { nodeId: "node", path: "", query: "", keys: ["/k"] }],
    ["/node?x&apikey", { nodeId: "node", path: "", query: "?x", keys: [""] }],
    ["/key/k/a", { nodeId: "key", path: "/k/a", query: "", keys: [] }],
    ["/node/keys/k", { nodeId: "node", path: "/keys/k", query: "", keys: [] }],
    ["/node/key", { nodeId: "node", path: "/key", query: "", keys: [] }],
    ["/node/a/key/k", { nodeId: "node", path: "/a/key/k", query: "", keys: [] }],
    ["//node/a", { nodeId: "", path: "/node/a", query: "", keys: [] }],
    ["", { nodeId: "", path: "", query: "", keys: [] }],
    ["/node/?apikey=k/", { nodeId: "node", path: "/", query: "", keys: ["k"] }],
    ["/node?apikey=k&/", { nodeId: "node", path: "", query: "?/", keys: ["k"] }],
    ["/node?a=1&apikey=%6b%2F", { nodeId: "node", path: "", query: "?a=1", keys: ["k"] }],
    ["/node?apikey=k//", { nodeId: "node", path: "", query: "", keys: ["k/"] }],
  ])("is taken apart: %s", (url, target) => {
    expect(readRequestTarget(url)).toEqual({ ...target, hasKeyInPath: false });
  });

  it.each([
    ["/node/key/k", { path: "", query: "", keys: ["k"] }],
    ["/node/key/k/", { path: "/", query: "", keys: ["k"] }],
    ["/node/key/%6b+%2f/graphql?x=1", { path: "/graphql", query: "?x=1", keys: ["k+/"] }],
    ["/node/key/%zz/?apikey=l", { path: "/", query: "", keys: ["%zz", "l"] }],
    ["/node/key/", { path: "", query: "", keys: [""] }],
    ["/node/key/k?apikey=l&apikey=m&x", { path: "", query: "?x", keys: ["k", "l", "m"] }],
    ["/node/key/k/key/l", { path: "/key/l", query: "", keys: ["k"] }],
    ["/node/key//x", { path: "/x", query: "", keys: [""] }],
  ])("may have a key in its path: %s", (url, target) => {
    expect(readRequestTarget(url)).toEqual({ nodeId: "node", ...target, hasKeyInPath: true });
  });

  it("leaves no parameter of a key in the query, however it is spelled", () => {
    const letter = (character: string) => fc.constantFrom(character, `%${character.charCodeAt(0).toString(16)}`);
    const name = fc.tuple(...[..."apikey"].map(letter)).map((letters) => letters.join(""));
    const other = fc.stringMatching(/^[a-z]{1,5}=[a-z%+]{0,5}$/).filter((pair) => !pair.startsWith("apikey"));
    fc.assert(
      fc.property(fc.array(other), name, fc.array(other), (before, spelling, behind) => {
        const pairs = [...before, `${spelling}=SECRET`, ...behind];
        const { query, keys } = readRequestTarget(`/node/path?${pairs.join("&")}`);
        expect(keys).toEqual(["SECRET"]);
        expect(query).toBe([...before, ...behind].length === 0 ? "" : `?${[...before, ...behind].join("&")}`);
      }),
    );
  });

  it("is read whatever stands there", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (url) => void readRequestTarget(url)));
  });

  it("belongs to the interface whose shape a response has, whether the node has it or not", () => {
    expect(["", "/", "/graphql", "/graphql/", "/indexer/rest/tx", "/graphql/x", "/other"].map(interfaceOfPath)).toEqual(
      ["rpc", "rpc", "graphql", "graphql", "rest", "rest", "rest"],
    );
  });
});
