import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRandomKey, digestOfKey } from "./api-key.ts";
import { defaultPlan, openEmbeddedRegistry } from "./embedded-registry.ts";
import { defaultBatchResponseBytes, defaultGraphqlPlanLimits } from "./plan-limits.ts";
import { accessName, type Registry, type Subscription } from "./registry.ts";

const runFile = promisify(execFile);

describe("the embedded registry", () => {
  let directory: string;
  let registry: Registry;
  let subscription: Subscription;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "nodewright-registry-"));
    registry = await openEmbeddedRegistry(join(directory, "registry"));
    await registry.putAccount({ id: "alice", name: "Alice" });
    await registry.putNode({ id: "bitcoin-mainnet", chain: "bitcoin", network: "mainnet", kind: "shared" });
    await registry.putNode({ id: "ethereum-dev", chain: "ethereum", network: "dev", kind: "shared" });
    subscription = await registry.createSubscription({
      accountId: "alice",
      nodeId: "bitcoin-mainnet",
      plan: defaultPlan.name,
    });
  });

  afterEach(async () => {
    await registry.close();
    await rm(directory, { recursive: true });
  });

  it("grants a new key what its subscription's plan allows, with the next look", async () => {
    const { key, record } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });

    const grant = registry.findGrant("bitcoin-mainnet", digestOfKey(key));

    expect(grant).toMatchObject({ keyId: record.id, subscriptionId: subscription.id, limits: defaultPlan.limits });
    expect(grant?.node).toMatchObject({ id: "bitcoin-mainnet", chain: "bitcoin" });
  });

  it("tells an unknown node, an unknown key, a revoked key and another node's key by nothing", async () => {
    const { key } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });
    const { key: revoked, record } = await registry.createKey({ subscriptionId: subscription.id, label: "second" });
    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(revoked))).toBeDefined();
    await registry.revokeKey(record.id);

    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(revoked))).toBeUndefined();
    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(createRandomKey()))).toBeUndefined();
    expect(registry.findGrant("ethereum-dev", digestOfKey(key))).toBeUndefined();
    expect(registry.findGrant("nowhere", digestOfKey(key))).toBeUndefined();
  });

  it("does not take a digest that shares its first half with a key's", async () => {
    const { key } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });
    const digest = digestOfKey(key);
    const lastDigit = digest.endsWith("0") ? "1" : "0";

    expect(registry.findGrant("bitcoin-mainnet", digest.slice(0, -1) + lastDigit)).toBeUndefined();
    expect(registry.findGrant("bitcoin-mainnet", digest)).toBeDefined();
  });

  it("holds no key that could be read back", async () => {
    const { key, record } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });

    expect(record.prefix).toHaveLength(9);
    expect(key.startsWith(record.prefix)).toBe(true);
    expect(JSON.stringify(registry.listKeys(subscription.id))).not.toContain(key.slice(9));
    for (const file of await readdir(join(directory, "registry"))) {
      const bytes = await readFile(join(directory, "registry", file));
      expect(bytes.includes(key.slice(9))).toBe(false);
    }
    expect((await stat(join(directory, "registry"))).mode & 0o077).toBe(0);
  });

  it("shows nothing of a key that a person chose", async () => {
    const record = await registry.importKey({ subscriptionId: subscription.id, label: "chosen", key: "hunter2" });

    expect(record.prefix).toBe("");
  });

  it("takes the same key twice as one, and again after it was revoked", async () => {
    const chosen = { subscriptionId: subscription.id, label: "chosen", key: "correct-horse-battery" };
    const first = await registry.importKey(chosen);

    expect((await registry.importKey(chosen)).id).toBe(first.id);
    await registry.revokeKey(first.id);
    await registry.revokeKey(first.id);
    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(chosen.key))).toBeUndefined();
    const second = await registry.importKey(chosen);
    expect(second.id).not.toBe(first.id);
    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(chosen.key))?.keyId).toBe(second.id);
  });

  it("has one key stand for one subscription of a node, and for others of other nodes", async () => {
    const other = await registry.createSubscription({ accountId: "alice", nodeId: "bitcoin-mainnet", plan: "default" });
    const far = await registry.createSubscription({ accountId: "alice", nodeId: "ethereum-dev", plan: "default" });
    const key = createRandomKey();
    await registry.importKey({ subscriptionId: subscription.id, label: "one", key });
    await registry.importKey({ subscriptionId: far.id, label: "two", key });

    await expect(registry.importKey({ subscriptionId: other.id, label: "three", key })).rejects.toThrow(
      "another subscription",
    );
    expect(registry.findGrant("ethereum-dev", digestOfKey(key))?.subscriptionId).toBe(far.id);
  });

  it("puts method access and plans in force with the next look, and says who changed it", async () => {
    const { key } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });
    const look = () => registry.findGrant("bitcoin-mainnet", digestOfKey(key));
    expect(look()?.access.size).toBe(0);

    const changed = await registry.setMethodAccess({
      subscriptionId: subscription.id,
      interface: "rpc",
      method: "gettxout",
      state: "on",
      changedBy: "operator",
    });
    expect(look()?.limits.graphql).toEqual(defaultGraphqlPlanLimits);
    await registry.putPlan({ name: "default", limits: { bodyBytes: 10, batchMembers: 2, graphql: { depth: 7 } } });

    expect(look()?.access.get(accessName("rpc", "gettxout"))).toBe("on");
    expect(look()?.limits).toEqual({
      bodyBytes: 10,
      batchMembers: 2,
      batchResponseBytes: defaultBatchResponseBytes,
      graphql: { ...defaultGraphqlPlanLimits, depth: 7 },
    });
    expect(registry.listMethodAccess(subscription.id)).toEqual([changed]);
    expect(Date.parse(changed.changedAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  it("keeps one switch for a method and its second name, and the last word counts", async () => {
    const { key } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });
    const set = (method: string, state: "on" | "off") =>
      registry.setMethodAccess({ subscriptionId: subscription.id, interface: "rpc", method, state, changedBy: "me" });

    await set("verifytxoutput", "on");
    await set("verifytxoutproof", "off");

    const grant = registry.findGrant("bitcoin-mainnet", digestOfKey(key));
    expect(grant?.access.get(accessName("rpc", "verifytxoutput"))).toBe("off");
    expect(registry.listMethodAccess(subscription.id)).toHaveLength(1);
  });

  it("sees what another process changes, with the next look", async () => {
    const { key, record } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });
    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(key))).toBeDefined();

    const module = new URL("./embedded-registry.ts", import.meta.url).href;
    const program = `
      const { openEmbeddedRegistry } = await import(${JSON.stringify(module)});
      const registry = await openEmbeddedRegistry(${JSON.stringify(join(directory, "registry"))});
      await registry.revokeKey(${JSON.stringify(record.id)});
      const made = await registry.createKey({ subscriptionId: ${JSON.stringify(subscription.id)}, label: "far" });
      await registry.close();
      console.log(made.key);
    `;
    const { stdout } = await runFile(process.execPath, [
      "--conditions=source",
      "--input-type=module",
      "--eval",
      program,
    ]);

    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(key))).toBeUndefined();
    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(stdout.trim()))).toBeDefined();
  });

  it("keeps everything over a restart", async () => {
    const { key } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });
    await registry.close();

    registry = await openEmbeddedRegistry(join(directory, "registry"));

    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(key))).toBeDefined();
    expect(registry.listNodes().map((node) => node.id)).toEqual(["bitcoin-mainnet", "ethereum-dev"]);
    expect(registry.listSubscriptions("bitcoin-mainnet")).toEqual([subscription]);
  });

  it.each(["ab", "-abc", "Abc", "a_b", "a".repeat(64), "healthz", "docs", "a/b", ""])(
    "refuses %j as a node id",
    async (id) => {
      await expect(registry.putNode({ id, chain: "bitcoin", network: "mainnet", kind: "shared" })).rejects.toThrow(
        /^Node "/,
      );
    },
  );

  it("refuses what names something unknown, and changes nothing then", async () => {
    await expect(
      registry.createSubscription({ accountId: "bob", nodeId: "bitcoin-mainnet", plan: "default" }),
    ).rejects.toThrow('no account "bob"');
    await expect(
      registry.createSubscription({ accountId: "alice", nodeId: "bitcoin-mainnet", plan: "gold" }),
    ).rejects.toThrow('no plan "gold"');
    await expect(registry.createKey({ subscriptionId: "none", label: "x" })).rejects.toThrow('no subscription "none"');
    await expect(
      registry.putNode({ id: "own-node", chain: "bitcoin", network: "mainnet", kind: "owned" }),
    ).rejects.toThrow("names its account");

    expect(registry.listSubscriptions("bitcoin-mainnet")).toEqual([subscription]);
  });
});
