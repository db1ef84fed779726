import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { HttpUpstreamOptions } from "./http-upstream.ts";

const projectKey = "PROJECTKEY0123456789abcdef";
const url = `http://carol:t0pS3cret@127.0.0.1:1/v3/${projectKey}?apikey=zz+zz9&x=1&%6bey%20of%20tests#none`;
const basic = Buffer.from("carol:t0pS3cret").toString("base64");

describe("a node's text", () => {
  let publicNodeText: typeof import("./public-node-text.ts").publicNodeText;
  let createHttpUpstream: typeof import("./http-upstream.ts").createHttpUpstream;

  /** Empties the list of known nodes. */
  beforeEach(async () => {
    vi.resetModules();
    ({ publicNodeText } = await import("./public-node-text.ts"));
    ({ createHttpUpstream } = await import("./http-upstream.ts"));
  });

  const configure = (options: HttpUpstreamOptions) => createHttpUpstream(options).close();

  it.each([
    [`bad key ${projectKey}`, "bad key (credentials)"],
    [`rate limited for project ${projectKey}, upgrade`, "rate limited for project (credentials), upgrade"],
    [`bad key ${projectKey.slice(0, -4)}…`, "bad key (credentials)…"],
    ["user carol:t0pS3cret", "user (credentials)"],
    ["user carol", "user carol"],
    ["t0pS3cret", "(credentials)"],
    ["xt0pS3cretx", "x(credentials)x"],
    ["t0pS3%63ret", "(credentials)"],
    ["t0p\u200bS3cret", "(credentials)"],
    [basic, "(credentials)"],
    [`token ${basic.replace(/=+$/, "")} of`, "token (credentials) of"],
    [Buffer.from("t0pS3cret").toString("base64url"), "(credentials)"],
    ["zz+zz9 zz%2Bzz9 zz+zz99", "(credentials) (credentials) zz+zz99"],
    ["no key of tests", "no (credentials)"],
    ["http://carol:t0pS3cret@127.0.0.1:1/v3/x is down", "(address) is down"],
    ["rpcpassword=t0pS3cret Authorization: Basic t0pS3cret", "(credentials) (credentials)"],
    ["v3 is not offered, 1 is", "v3 is not offered, 1 is"],
  ])("does not quote what opens a node of this process: %s", async (text, expected) => {
    await configure({ url });

    expect(publicNodeText(text)).toBe(expected);
  });

  it("does not quote what is given next to the URL, nor what is in the URL then", async () => {
    const credentials = { kind: "password", user: "dave", password: "An0therSecret" } as const;
    await configure({ url, credentials });

    expect(publicNodeText("An0therSecret dave:An0therSecret t0pS3cret")).toBe(
      "(credentials) (credentials) (credentials)",
    );
  });

  it.each([
    ["http://rpc:rpc@127.0.0.1:1", "the rpc server of user rpc"],
    ["http://user@127.0.0.1:1", "user of 127"],
    ["http://a:b@127.0.0.1:1/ethereum/mainnet", "a b of ethereum, mainnet"],
    ["http://user:long@127.0.0.1:1", "too-long-mempool-chain, longest"],
    ["http://user:%zz@127.0.0.1:1", "%zz and zz"],
  ])("is as readable as before where secrets are short: %s", async (address, text) => {
    await configure({ url: address, credentials: { kind: "none" } });

    expect(publicNodeText(text)).toBe(text);
  });

  it("does not quote keys in the name of a host", async () => {
    await configure({ url: "https://0123456789abcdef0123456789abcdef.eth.example/" });

    expect(publicNodeText("no project 0123456789abcdef0123456789abcdef")).toBe("no project (credentials)");
  });

  describe("of a node with a cookie file", () => {
    const directories: string[] = [];
    afterAll(async () => {
      for (const directory of directories) await rm(directory, { recursive: true });
    });

    it("does not quote the cookie, nor the one before", async () => {
      const directory = await mkdtemp(join(tmpdir(), "cookie-"));
      directories.push(directory);
      const path = join(directory, ".cookie");
      const cookies = ["00ff".repeat(16), "0a1b".repeat(16), "0c2d".repeat(16)];
      const { createCredentialsReader } = await import("./credentials.ts");
      const reader = createCredentialsReader({ kind: "cookie-file", path });
      for (const cookie of cookies) {
        await writeFile(path, `__cookie__:${cookie}\n`);
        reader.forget();
        await reader.authorization();
      }

      expect(publicNodeText(cookies.slice(1).join(" "))).toBe("(credentials) (credentials)");
    });
  });
});
