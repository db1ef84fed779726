import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askGraphql, askHealth, askRest, askRpc } from "../support/calls.ts";
import { nodeOf, type StartedService, startService } from "../support/service.ts";

/** Loaded before the service: it makes the optional package as absent as on a machine that it is not made for. */
const withoutPackage = `
  const Module = require("node:module");
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = function (request, ...rest) {
    if (!request.startsWith("@foundry-rs/")) return resolveFilename.call(this, request, ...rest);
    throw Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" });
  };
`;

describe("a service on a machine without anvil", { timeout: 60_000 }, () => {
  let directory: string;
  let service: StartedService;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-without-anvil-"));
    const preloaded = join(directory, "without-package.cjs");
    writeFileSync(preloaded, withoutPackage);
    service = await startService({ environment: { PATH: directory, NODE_OPTIONS: `--require ${preloaded}` } });
  });

  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  it("says so, and names no GraphQL interface in its ready file", () => {
    expect(service.output()).toMatch(
      /ethereum-dev: GraphQL is missing its node: anvil was not found, .*--ethereum-rpc/,
    );
    expect(nodeOf(service, "ethereum")).toMatchObject({ id: "ethereum-dev", interfaces: {} });
    expect(service.output()).not.toContain("/graphql");
  });

  it("answers GraphQL requests 503, with the reason", async () => {
    const ethereum = nodeOf(service, "ethereum");

    expect(await askGraphql(ethereum, "{ block { number } }")).toMatchObject({
      status: 503,
      retryAfter: expect.stringMatching(/^\d+$/),
      errors: [
        { message: expect.stringContaining("anvil was not found"), extensions: { code: "UPSTREAM_UNAVAILABLE" } },
      ],
    });
    expect((await askGraphql({ ...ethereum, apikey: "wrong" }, "{ block { number } }")).status).toBe(401);
    expect(await askHealth(ethereum)).toBe("degraded");
  });

  it("serves all the rest", async () => {
    const bitcoin = nodeOf(service, "bitcoin");

    expect(Object.keys(bitcoin.interfaces)).toEqual(["rest", "rpc"]);
    expect(await askRest(bitcoin, "blocks/tip/height")).toEqual({ status: 200, text: "14131" });
    expect(await askRpc(bitcoin, "getblockcount")).toMatchObject({ result: 14_131, error: null });
  });
});
