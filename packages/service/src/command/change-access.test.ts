import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbeddedRegistry } from "../registry/embedded-registry.ts";
import { registerNodes } from "../node/register-nodes.ts";
import type { Registry } from "../registry/registry.ts";
import { changeAccess } from "./change-access.ts";

const key = "k".repeat(43);

describe("the command about access", () => {
  let dataDirectory: string;
  let registry: Registry;

  beforeEach(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), "nodewright-access-"));
    registry = await openEmbeddedRegistry(join(dataDirectory, "registry"));
    await registerNodes(
      registry,
      [
        { id: "bitcoin-one", chain: "bitcoin", network: "mainnet", kind: "shared" },
        { id: "bitcoin-two", chain: "bitcoin", network: "regtest", kind: "shared" },
      ],
      key,
    );
  });

  afterEach(async () => {
    await registry.close();
    rmSync(dataDirectory, { recursive: true });
  });

  const list = async (nodeId: string) =>
    JSON.parse(await changeAccess({ dataDirectory, nodeId, json: true })) as readonly {
      readonly subscription: string;
      readonly enabled: readonly string[];
      readonly disabled: readonly string[];
    }[];
  const switchMethods = (state: "on" | "off", methods: readonly string[], nodeId?: string) =>
    changeAccess({
      dataDirectory,
      change: { state, methods },
      json: false,
      ...(nodeId === undefined ? {} : { nodeId }),
    });

  it("lists what is off by default and could be enabled", async () => {
    const [only] = await list("bitcoin-one");
    expect(only?.enabled).toEqual([]);
    expect(only?.disabled).toEqual(expect.arrayContaining(["gettxout", "getmempoolinfo", "decodescript"]));
    // Neither methods that are on anyway, nor those that no subscriber of a shared node may ever call.
    expect(only?.disabled).not.toContain("getblock");
    expect(only?.disabled).not.toContain("stop");
  });

  it("enables and disables methods, of one node or of all, in force at once for a registry that is open", async () => {
    expect(await switchMethods("on", ["gettxout", "verifytxoutput"], "bitcoin-one")).toMatch(
      /^bitcoin-one, subscription .+\n {2}enabled: gettxout, verifytxoutproof, verifytxoutput\n/,
    );
    const [one] = registry.listSubscriptions("bitcoin-one");
    expect(registry.listMethodAccess(one?.id ?? "")).toMatchObject([
      { method: "gettxout", state: "on", changedBy: expect.stringContaining("by command") },
      { method: "verifytxoutput", state: "on" },
    ]);
    expect((await list("bitcoin-two"))[0]?.enabled).toEqual([]);

    await switchMethods("on", ["gettxout"]);
    expect((await list("bitcoin-two"))[0]?.enabled).toEqual(["gettxout"]);
    await switchMethods("off", ["gettxout", "getblock"]);
    expect((await list("bitcoin-one"))[0]?.disabled).toEqual(expect.arrayContaining(["getblock", "gettxout"]));
  });

  it.each([
    ["a method that does not exist", { state: "on", methods: ["gettxout", "getTxOut"] }, /no method "getTxOut"/],
    ["what acts on a shared node", { state: "on", methods: ["gettxout", "stop"] }, /stop acts on the node itself/],
  ] as const)("refuses %s, and changes nothing", async (_name, change, problem) => {
    await expect(changeAccess({ dataDirectory, change, json: false })).rejects.toThrow(problem);
    expect((await list("bitcoin-one"))[0]?.enabled).toEqual([]);
  });

  it("refuses directories, nodes and subscriptions that it does not know", async () => {
    await expect(changeAccess({ dataDirectory: join(dataDirectory, "none"), json: false })).rejects.toThrow(/--data/);
    await expect(list("bitcoin-three")).rejects.toThrow(/bitcoin-one, bitcoin-two/);
    await expect(changeAccess({ dataDirectory, subscriptionId: "7", json: false })).rejects.toThrow(/subscription "7"/);
  });
});
