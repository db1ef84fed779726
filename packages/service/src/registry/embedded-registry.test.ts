import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { open as openStore } from "lmdb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRandomKey, digestOfKey } from "./api-key.ts";
import { defaultPlan, openEmbeddedRegistry, RegistryFormatError } from "./embedded-registry.ts";
import { defaultBatchResponseBytes, defaultGraphqlPlanLimits } from "./plan-limits.ts";
import { accessName, type MethodAccess, type Registry, type ServedInterface, type Subscription } from "./registry.ts";

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

  /** Returns the arguments with which Node runs `statements` on the same registry in a process of its own. */
  const wordsOfProgram = (statements: string): string[] => {
    const module = new URL("./embedded-registry.ts", import.meta.url).href;
    const program = `
      const { openEmbeddedRegistry } = await import(${JSON.stringify(module)});
      const registry = await openEmbeddedRegistry(${JSON.stringify(join(directory, "registry"))});
      ${statements}
      await registry.close();
    `;
    return ["--conditions=source", "--input-type=module", "--eval", program];
  };

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

    const { stdout } = await runFile(
      process.execPath,
      wordsOfProgram(`
        await registry.revokeKey(${JSON.stringify(record.id)});
        const made = await registry.createKey({ subscriptionId: ${JSON.stringify(subscription.id)}, label: "far" });
        console.log(made.key);
      `),
    );

    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(key))).toBeUndefined();
    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(stdout.trim()))).toBeDefined();
  });

  it("sees what another process changes, whatever is looked at", async () => {
    const looks = () => ({
      account: registry.findAccount("alice")?.name,
      nodes: registry.listNodes().map(({ id }) => id),
      members: registry.findPlan("default")?.limits.batchMembers,
      subscriptions: registry.listSubscriptions("bitcoin-mainnet").length,
      labels: registry.listKeys(subscription.id).map(({ label }) => label),
      switches: registry.listMethodAccess(subscription.id).map(({ method }) => method),
    });
    const nodes = ["bitcoin-mainnet", "ethereum-dev"];
    const before = { account: "Alice", nodes, members: 100, subscriptions: 1, labels: [], switches: [] };
    expect(looks()).toEqual(before);

    await runFile(
      process.execPath,
      wordsOfProgram(`
        const subscriptionId = ${JSON.stringify(subscription.id)};
        await registry.putAccount({ id: "alice", name: "Bob" });
        await registry.putNode({ id: "far-node", chain: "bitcoin", network: "test", kind: "shared" });
        await registry.putPlan({ name: "default", limits: { bodyBytes: 1, batchMembers: 7 } });
        await registry.createSubscription({ accountId: "alice", nodeId: "bitcoin-mainnet", plan: "default" });
        await registry.createKey({ subscriptionId, label: "far" });
        await registry.setMethodAccess({ subscriptionId, interface: "rpc", method: "stop", state: "on", changedBy: "me" });
      `),
    );

    expect(looks()).toEqual({
      account: "Bob",
      nodes: [...nodes, "far-node"],
      members: 7,
      subscriptions: 2,
      labels: ["far"],
      switches: ["stop"],
    });
  });

  it("keeps a changed default plan over a restart", async () => {
    const changed = { name: "default", limits: { bodyBytes: 5, batchMembers: 6 } };
    await registry.putPlan(changed);
    await registry.close();

    registry = await openEmbeddedRegistry(join(directory, "registry"));

    expect(registry.findPlan("default")).toEqual(changed);
  });

  it("has nothing to list when it is closed", async () => {
    await registry.close();

    expect(() => registry.listNodes()).toThrow();
    registry = await openEmbeddedRegistry(join(directory, "registry"));
  });

  it("remembers what it has granted to ten thousand keys, and starts anew with the next", async () => {
    const keys = Array.from({ length: 10_001 }, createRandomKey);
    await Promise.all(keys.map((key) => registry.importKey({ subscriptionId: subscription.id, label: "", key })));
    const look = (key = "") => registry.findGrant("bitcoin-mainnet", digestOfKey(key));
    const [first, second] = [look(keys[0]), look(keys[1])];
    for (const key of keys.slice(2, -1)) look(key);

    expect(look(keys[0])).toBe(first);
    expect(look(keys.at(-1))).toBeDefined();
    expect(look(keys[1])).not.toBe(second);
    expect(look(keys[1])).toEqual(second);
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

  it("says of each unknown thing what it is, and changes nothing then", async () => {
    const key = { label: "x", key: "correct-horse-battery" };
    const node = { chain: "bitcoin", network: "mainnet" } as const;
    const access = { interface: "rpc", method: "stop", state: "on", changedBy: "me" } as const;
    const changes: readonly (readonly [() => Promise<unknown>, string])[] = [
      [
        () => registry.createSubscription({ accountId: "alice", nodeId: "nowhere", plan: "default" }),
        'There is no node "nowhere"',
      ],
      [() => registry.importKey({ subscriptionId: "none", ...key }), 'There is no subscription "none"'],
      [() => registry.revokeKey("none"), 'There is no key "none"'],
      [() => registry.setMethodAccess({ subscriptionId: "none", ...access }), 'There is no subscription "none"'],
      [
        () => registry.putNode({ id: "own-node", ...node, kind: "owned", accountId: "bob" }),
        'There is no account "bob"',
      ],
      [
        () => registry.putNode({ id: "own-node", ...node, kind: "shared", accountId: "alice" }),
        'Node "own-node": an owned node, and no other, names its account',
      ],
      [
        () => registry.putNode({ id: "own_node", ...node, kind: "shared" }),
        'Node "own_node": a node id has 3 to 63 lower-case letters, digits and hyphens, and no hyphen first',
      ],
      [
        () => registry.putPlan({ name: "gold", limits: { bodyBytes: -1, batchMembers: 1 } }),
        'Plan "gold": bodyBytes has to be a natural number',
      ],
    ];
    for (const [change, message] of changes) await expect(change()).rejects.toThrow(new Error(message));

    expect(registry.listNodes().map(({ id }) => id)).toEqual(["bitcoin-mainnet", "ethereum-dev"]);
    expect(registry.findPlan("gold")).toBeUndefined();
    expect(registry.listMethodAccess("none")).toEqual([]);
    expect(registry.listKeys("none")).toEqual([]);
  });

  it("finds what was put: accounts, plans, and a node of an account", async () => {
    const node = { id: "own-node", chain: "bitcoin", network: "mainnet", kind: "owned", accountId: "alice" } as const;
    await registry.putNode(node);
    await registry.putAccount({ id: "alice", name: "Alice B." });

    expect(registry.listNodes()).toContainEqual(node);
    expect(registry.findAccount("alice")).toEqual({ id: "alice", name: "Alice B." });
    expect(registry.findAccount("bob")).toBeUndefined();
    expect(registry.findPlan("default")).toEqual({
      name: "default",
      limits: { bodyBytes: 1_048_576, batchMembers: 100 },
    });
  });

  it("lists the subscriptions of a node, and the keys of a subscription, the revoked ones too", async () => {
    const other = await registry.createSubscription({ accountId: "alice", nodeId: "ethereum-dev", plan: "default" });
    const { record: first } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });
    const { record: far } = await registry.createKey({ subscriptionId: other.id, label: "far" });
    await registry.revokeKey(first.id);

    expect(other).toEqual({ id: other.id, accountId: "alice", nodeId: "ethereum-dev", plan: "default" });
    expect(registry.listSubscriptions("bitcoin-mainnet")).toEqual([subscription]);
    expect(registry.listSubscriptions("ethereum-dev")).toEqual([other]);
    expect(registry.listKeys(other.id)).toEqual([far]);
    const [revoked, ...others] = registry.listKeys(subscription.id);
    expect(others).toEqual([]);
    expect(revoked).toEqual({ ...first, revokedAt: expect.any(String) });
    for (const time of [revoked?.createdAt, revoked?.revokedAt]) {
      expect(time).toBe(new Date(Date.parse(time ?? "")).toISOString());
    }
  });

  it("lists a key with its label and digest", async () => {
    const { key, record } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });

    expect(record).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      subscriptionId: subscription.id,
      label: "first",
      prefix: key.slice(0, 9),
      digest: digestOfKey(key),
      createdAt: expect.any(String),
    });
  });

  it("leaves a key in force that was taken again after it was revoked, when the old record is revoked twice", async () => {
    const chosen = { subscriptionId: subscription.id, label: "chosen", key: "correct-horse-battery" };
    const first = await registry.importKey(chosen);
    await registry.revokeKey(first.id);
    const revokedAt = registry.listKeys(subscription.id)[0]?.revokedAt;
    const second = await registry.importKey(chosen);
    await registry.revokeKey(first.id);

    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(chosen.key))?.keyId).toBe(second.id);
    expect(registry.listKeys(subscription.id).find(({ id }) => id === first.id)?.revokedAt).toBe(revokedAt);
  });

  it("gives one object of limits to all keys of a plan, until the registry changes", async () => {
    const other = await registry.createSubscription({ accountId: "alice", nodeId: "ethereum-dev", plan: "default" });
    const own = await registry.createKey({ subscriptionId: subscription.id, label: "first" });
    const far = await registry.createKey({ subscriptionId: other.id, label: "far" });
    const look = () => registry.findGrant("bitcoin-mainnet", digestOfKey(own.key));
    const first = look();
    await nextTimeSlice();

    expect(look()).toBe(first);
    expect(registry.findGrant("ethereum-dev", digestOfKey(far.key))?.limits).toBe(first?.limits);
    await registry.putAccount({ id: "bob", name: "Bob" });
    expect(look()).not.toBe(first);
    expect(look()).toEqual(first);
  });

  it("keeps the switches of a subscription apart from those of others, and one for each interface and method", async () => {
    const other = await registry.createSubscription({ accountId: "alice", nodeId: "bitcoin-mainnet", plan: "default" });
    const set = (subscriptionId: string, servedInterface: ServedInterface, method: string, state: "on" | "off") =>
      registry.setMethodAccess({ subscriptionId, interface: servedInterface, method, state, changedBy: "me" });
    const own = [
      await set(subscription.id, "graphql", "block", "off"),
      await set(subscription.id, "rest", "\uffff", "on"),
      await set(subscription.id, "rpc", "", "on"),
      await set(subscription.id, "rpc", "stop", "on"),
    ];
    await set(other.id, "rpc", "stop", "off");
    const { key } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });

    expect(registry.listMethodAccess(subscription.id)).toEqual(own);
    expect(registry.listMethodAccess(other.id)).toHaveLength(1);
    expect(registry.findGrant("bitcoin-mainnet", digestOfKey(key))?.access).toEqual(
      new Map([
        [accessName("graphql", "block"), "off"],
        [accessName("rest", "\uffff"), "on"],
        [accessName("rpc", ""), "on"],
        [accessName("rpc", "stop"), "on"],
      ]),
    );
  });

  it("has the tables of format 1, which other versions read", async () => {
    const { key, record } = await registry.createKey({ subscriptionId: subscription.id, label: "first" });
    const access = { subscriptionId: subscription.id, interface: "rpc", method: "stop", state: "on", changedBy: "me" };
    const changed = await registry.setMethodAccess(access as Omit<MethodAccess, "changedAt">);
    await registry.close();
    const store = openStore({ path: join(directory, "registry"), maxDbs: 16 });
    const rowsOf = (name: string) =>
      [...store.openDB({ name, encoding: "json" }).getRange()].map((row) => [row.key, row.value]);

    expect(rowsOf("accounts")).toEqual([["alice", { id: "alice", name: "Alice" }]]);
    expect(rowsOf("nodes").map(([id]) => id)).toEqual(["bitcoin-mainnet", "ethereum-dev"]);
    expect(rowsOf("subscriptions")).toEqual([[subscription.id, subscription]]);
    expect(rowsOf("keys")).toEqual([[record.id, record]]);
    expect(rowsOf("keys-in-force")).toEqual([[["bitcoin-mainnet", digestOfKey(key).slice(0, 32)], record.id]]);
    expect(rowsOf("method-access")).toEqual([[[subscription.id, "rpc", "stop"], changed]]);
    expect(rowsOf("plans")).toEqual([["default", defaultPlan]]);
    expect(Object.fromEntries(rowsOf("meta"))).toMatchObject({ format: 1 });

    await store.openDB({ name: "meta", encoding: "json" }).put("format", 2);
    await store.close();
    const error = await openEmbeddedRegistry(join(directory, "registry")).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RegistryFormatError);
    expect(error).toMatchObject({
      name: "RegistryFormatError",
      message: "the registry has format 2, this version reads format 1",
    });
    registry = await openEmbeddedRegistry(join(directory, "another", "registry"));
  });
});
