import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isNavigation, isSentForOtherSite } from "./other-site.ts";
import { createListenerOfOneKey, onlyKey } from "./testing/listener-of-one-key.ts";

const host = "node.example:8645";
const basic = (password: string) => ({ authorization: `Basic ${btoa(`anybody:${password}`)}` });

const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
  ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
  ["a navigation", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
  ["another Origin", { origin: "https://evil.example" }],
  ["another port", { origin: "http://node.example:3000" }],
  ["an opaque Origin", { origin: "null" }],
  ["an Origin that begins alike", { origin: `http://${host}.evil.example` }],
  ["another Referer, over plain http", { referer: "http://evil.example/" }],
  ["a Referer of another port", { referer: "http://node.example:3000/page?a=b" }],
  ["an Origin of another scheme", { origin: `ftp://${host}` }],
  ["an Origin in another text", { origin: `x http://${host}` }],
  ["an Origin with a path", { origin: `http://${host}/` }],
  ["an opaque Origin, without Host", { origin: "null", host: "" }],
  ["a Referer without a scheme", { referer: "node.example:8645" }],
  ["a Referer that is no URL", { referer: "//node.example:8645/" }],
  ["an empty Sec-Fetch-Site", { "sec-fetch-site": "" }],
  ["both", { origin: `http://${host}`, "sec-fetch-site": "cross-site" }],
];

const own: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["nothing that a browser adds", {}],
  ["Sec-Fetch-Site: none", { "sec-fetch-site": "none" }],
  ["its own Origin", { origin: `http://${host}`, "sec-fetch-site": "same-origin" }],
  ["its own Referer, over plain http", { referer: `http://${host}/docs/?a=http://evil.example/` }],
  ["its own Origin beside another Referer", { origin: `http://${host}`, referer: "http://evil.example/" }],
  ["its own Origin, over https", { origin: `https://${host}` }],
  ["its own Origin, with a Host in capitals", { origin: `http://${host}`, host: host.toUpperCase() }],
  ["its own Referer, with a Host in capitals", { referer: `http://${host}/`, host: host.toUpperCase() }],
  ["its own Origin, of an old browser", { origin: `http://${host.toUpperCase()}` }],
  [
    "its own Origin, behind a proxy that changes Host",
    { origin: "https://public.example", "sec-fetch-site": "same-origin" },
  ],
];

describe.each([
  ["rest", "GET", "/bitcoin-main/indexer/rest/tip", /^A browser sends/],
  ["rest", "POST", "/bitcoin-main/indexer/rest/tx", /^A browser sends/],
  ["rpc", "POST", "/bitcoin-main/", /"error":\{"code":-32003,/],
  ["graphql", "POST", "/ethereum-dev/graphql", /"code":"FORBIDDEN"/],
] as const)("a request to the %s interface by %s", (_interface, method, url, refusal) => {
  let listener: FastifyInstance;
  let called: number;

  beforeEach(async () => {
    called = 0;
    listener = createListenerOfOneKey(() => {
      called += 1;
    });
    await listener.ready();
  });

  afterEach(async () => {
    await listener.close();
  });

  const send = (headers: Readonly<Record<string, string>>, query = "") =>
    listener.inject({
      method,
      url: `${url}${query}`,
      headers: { host, ...headers },
      ...(method === "POST" ? { payload: "x" } : {}),
    });

  it.each(foreign)("is refused with stored credentials: %s", async (_name, headers) => {
    const [right, wrong] = [
      await send({ ...headers, ...basic(onlyKey) }),
      await send({ ...headers, ...basic("wrong") }),
    ];

    expect([right.statusCode, called]).toEqual([403, 0]);
    expect(right.body).toMatch(refusal);
    expect([wrong.statusCode, wrong.body]).toEqual([right.statusCode, right.body]);
  });

  it.each(foreign)("is taken when the page gives the key: %s", async (_name, headers) => {
    expect((await send(headers, `?apikey=${onlyKey}`)).statusCode).toBe(200);
    expect((await send({ ...headers, "x-api-key": onlyKey })).statusCode).toBe(200);
    expect((await send(headers)).statusCode).toBe(401);
  });

  it.each(own)("is taken with Basic credentials: %s", async (_name, headers) => {
    expect((await send({ ...headers, ...basic(onlyKey) })).statusCode).toBe(200);
  });

  it("is taken as text/plain and without a media type, as the clients of Bitcoin Core send it", async () => {
    for (const type of [{}, { "content-type": "text/plain" }, { "content-type": "text/plain;" }]) {
      expect((await send({ ...type, ...basic(onlyKey) })).statusCode).toBe(200);
    }
  });
});

describe("a request without a Host header, of HTTP/1.0", () => {
  it.each<[string, IncomingHttpHeaders, boolean]>([
    ["an opaque Origin", { origin: "null" }, true],
    ["an Origin", { origin: "http://node.example" }, true],
    ["a Referer that is no URL", { referer: "node.example" }, true],
    ["a Referer", { referer: "http://node.example/" }, true],
    ["nothing that a browser adds", {}, false],
  ])("is sent for another site if a browser says where it comes from: %s", (_name, headers, isForeign) => {
    expect(isSentForOtherSite(headers)).toBe(isForeign);
  });
});

describe("a request of a browser", () => {
  const opened = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

  it.each<[string, string, IncomingHttpHeaders, boolean]>([
    ["a link that a person follows", "GET", opened, true],
    ["a form that is sent", "POST", opened, false],
    ["HEAD", "HEAD", opened, false],
    ["a frame", "GET", { ...opened, "sec-fetch-dest": "iframe" }, false],
    ["a script", "GET", { ...opened, "sec-fetch-mode": "cors" }, false],
    ["one without a destination", "GET", { "sec-fetch-mode": "navigate" }, false],
    ["one without a mode", "GET", { "sec-fetch-dest": "document" }, false],
    ["a program", "GET", {}, false],
  ])("opens a page of its own: %s", (_what, method, headers, isOpened) => {
    expect(isNavigation({ method, headers })).toBe(isOpened);
  });
});
