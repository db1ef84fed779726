import { randomUUID, timingSafeEqual } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Database, open, type RootDatabase } from "lmdb";
import { createRandomKey, digestOfKey, prefixOfKey } from "./api-key.ts";
import {
  accountTable,
  keyInForceTable,
  keyTable,
  metaTable,
  methodAccessTable,
  nodeTable,
  planTable,
  registryFormat,
  selectorOfDigest,
  subscriptionTable,
  type Table,
} from "./layout.ts";
import { problemOfNodeId } from "./node-id.ts";
import { type GrantedLimits, grantedLimits, problemOfLimits } from "./plan-limits.ts";
import { openRevisionFile, type RevisionFile } from "./revision-file.ts";
import {
  type Account,
  accessName,
  type CreatedKey,
  type Grant,
  type KeyRecord,
  type MethodAccess,
  type NewKey,
  type Plan,
  type Registry,
  type ServedNode,
  type Subscription,
  sharedMethodName,
} from "./registry.ts";

/** Plan of a subscription without a chosen one. */
export const defaultPlan: Plan = {
  name: "default",
  limits: { bodyBytes: 1024 * 1024, batchMembers: 100 },
};

/** Number of grants that are cached between two changes of the registry. */
const rememberedGrants = 10_000;

/** Error for a registry written by another version. */
export class RegistryFormatError extends Error {
  override readonly name = "RegistryFormatError";
}

/**
 * Opens the registry in `directory`, creating it if it does not exist.
 *
 * Several processes may open one directory: each sees the changes of another with its next read.
 */
export async function openEmbeddedRegistry(directory: string): Promise<Registry> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const root = open({ path: directory, maxDbs: 16 });
  const registry = new EmbeddedRegistry(root, openRevisionFile(join(directory, "revision")));
  try {
    await registry.prepare();
  } catch (error) {
    await registry.close();
    throw error;
  }
  return registry;
}

class EmbeddedRegistry implements Registry {
  readonly #root: RootDatabase;
  readonly #accounts: Database<Account, string>;
  readonly #nodes: Database<ServedNode, string>;
  readonly #subscriptions: Database<Subscription, string>;
  readonly #keys: Database<KeyRecord, string>;
  readonly #keysInForce: Database<string, string[]>;
  readonly #methodAccess: Database<MethodAccess, string[]>;
  readonly #plans: Database<Plan, string>;
  readonly #meta: Database<number, string>;
  readonly #revisionFile: RevisionFile;
  readonly #grants = new Map<string, Remembered>();
  /** Limits by name of the plan. */
  readonly #limits = new Map<string, GrantedLimits>();
  #revision = Number.NaN;

  constructor(root: RootDatabase, revisionFile: RevisionFile) {
    this.#root = root;
    this.#revisionFile = revisionFile;
    this.#accounts = this.#table(accountTable);
    this.#nodes = this.#table(nodeTable);
    this.#subscriptions = this.#table(subscriptionTable);
    this.#keys = this.#table(keyTable);
    this.#keysInForce = this.#table(keyInForceTable);
    this.#methodAccess = this.#table(methodAccessTable);
    this.#plans = this.#table(planTable);
    this.#meta = this.#table(metaTable);
  }

  async prepare(): Promise<void> {
    const format = this.#meta.get("format");
    if (format !== undefined && format !== registryFormat) {
      throw new RegistryFormatError(`the registry has format ${format}, this version reads format ${registryFormat}`);
    }
    if (format !== undefined) return;
    await this.#change(() => {
      this.#meta.put("format", registryFormat);
      this.#plans.put(defaultPlan.name, defaultPlan);
    });
  }

  findGrant(nodeId: string, keyDigest: string): Grant | undefined {
    this.#refresh();
    const selector = selectorOfDigest(keyDigest);
    const name = `${nodeId}/${selector}`;
    let remembered = this.#grants.get(name);
    if (remembered === undefined) {
      remembered = this.#gatherGrant(nodeId, selector);
      if (remembered === undefined) return undefined;
      if (this.#grants.size >= rememberedGrants) this.#grants.clear();
      this.#grants.set(name, remembered);
    }
    return timingSafeEqual(remembered.digest, Buffer.from(keyDigest)) ? remembered.grant : undefined;
  }

  async putAccount(account: Account): Promise<void> {
    await this.#change(() => this.#accounts.put(account.id, account));
  }

  findAccount(id: string): Account | undefined {
    return this.#accounts.get(id);
  }

  async putNode(node: ServedNode): Promise<void> {
    const problem = problemOfNodeId(node.id);
    if (problem !== undefined) throw new Error(`Node "${node.id}": ${problem}`);
    if ((node.kind === "owned") !== (node.accountId !== undefined)) {
      throw new Error(`Node "${node.id}": an owned node, and no other, names its account`);
    }
    await this.#change(() => {
      if (node.accountId !== undefined) existing(this.#accounts, node.accountId, "account");
      this.#nodes.put(node.id, node);
    });
  }

  listNodes(): readonly ServedNode[] {
    return [...this.#nodes.getRange()].map((row) => row.value);
  }

  async putPlan(plan: Plan): Promise<void> {
    const problem = problemOfLimits(plan.limits);
    if (problem !== undefined) throw new Error(`Plan "${plan.name}": ${problem}`);
    await this.#change(() => this.#plans.put(plan.name, plan));
  }

  findPlan(name: string): Plan | undefined {
    return this.#plans.get(name);
  }

  async createSubscription(subscription: Omit<Subscription, "id">): Promise<Subscription> {
    const created: Subscription = { id: randomUUID(), ...subscription };
    await this.#change(() => {
      existing(this.#accounts, created.accountId, "account");
      existing(this.#nodes, created.nodeId, "node");
      existing(this.#plans, created.plan, "plan");
      this.#subscriptions.put(created.id, created);
    });
    return created;
  }

  listSubscriptions(nodeId: string): readonly Subscription[] {
    return [...this.#subscriptions.getRange()].map((row) => row.value).filter((row) => row.nodeId === nodeId);
  }

  async createKey(key: NewKey): Promise<CreatedKey> {
    const text = createRandomKey();
    return { key: text, record: await this.importKey({ ...key, key: text }) };
  }

  async importKey(key: NewKey & { readonly key: string }): Promise<KeyRecord> {
    const digest = digestOfKey(key.key);
    const record: KeyRecord = {
      id: randomUUID(),
      subscriptionId: key.subscriptionId,
      label: key.label,
      prefix: prefixOfKey(key.key),
      digest,
      createdAt: new Date().toISOString(),
    };
    return await this.#change(() => {
      const { nodeId } = existing(this.#subscriptions, key.subscriptionId, "subscription");
      const row = [nodeId, selectorOfDigest(digest)];
      const inForce = this.#keysInForce.get(row);
      if (inForce !== undefined) return this.#sameKey(inForce, record);
      this.#keys.put(record.id, record);
      this.#keysInForce.put(row, record.id);
      return record;
    });
  }

  async revokeKey(id: string): Promise<void> {
    await this.#change(() => {
      const record = existing(this.#keys, id, "key");
      if (record.revokedAt !== undefined) return;
      const { nodeId } = existing(this.#subscriptions, record.subscriptionId, "subscription");
      this.#keysInForce.remove([nodeId, selectorOfDigest(record.digest)]);
      this.#keys.put(id, { ...record, revokedAt: new Date().toISOString() });
    });
  }

  listKeys(subscriptionId: string): readonly KeyRecord[] {
    return [...this.#keys.getRange()].map((row) => row.value).filter((row) => row.subscriptionId === subscriptionId);
  }

  async setMethodAccess(access: Omit<MethodAccess, "changedAt">): Promise<MethodAccess> {
    const changed: MethodAccess = { ...access, changedAt: new Date().toISOString() };
    await this.#change(() => {
      existing(this.#subscriptions, access.subscriptionId, "subscription");
      // One row for a method under any of its names: the last change counts.
      this.#methodAccess.put([access.subscriptionId, access.interface, sharedMethodName(access.method)], changed);
    });
    return changed;
  }

  listMethodAccess(subscriptionId: string): readonly MethodAccess[] {
    return this.#readMethodAccess(subscriptionId);
  }

  async close(): Promise<void> {
    this.#revisionFile.close();
    await this.#root.close();
  }

  #table<Value, Key extends string | string[]>(table: Table<Value>): Database<Value, Key> {
    return this.#root.openDB<Value, Key>({ name: table.name, encoding: "json" });
  }

  /** Makes this read see the latest state, and drops cached results of an older one. */
  #refresh(): void {
    const revision = this.#revisionFile.read();
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#meta.resetReadTxn();
    this.#grants.clear();
    this.#limits.clear();
  }

  /**
   * Runs `change` in one transaction, which it must leave untouched when it throws: everything is looked up before the first row is
   * written.
   */
  async #change<Result>(change: () => Result): Promise<Result> {
    let revision = 0;
    const result = await this.#root.transaction(() => {
      const changed = change();
      revision = (this.#meta.get("revision") ?? 0) + 1;
      this.#meta.put("revision", revision);
      return changed;
    });
    // After the commit: a process that sees the number sees the change.
    this.#revisionFile.write(revision);
    return result;
  }

  #gatherGrant(nodeId: string, selector: string): Remembered | undefined {
    const keyId = this.#keysInForce.get([nodeId, selector]);
    const node = this.#nodes.get(nodeId);
    if (keyId === undefined || node === undefined) return undefined;
    const key = existing(this.#keys, keyId, "key");
    const subscription = existing(this.#subscriptions, key.subscriptionId, "subscription");
    const plan = existing(this.#plans, subscription.plan, "plan");
    const switches = this.#readMethodAccess(subscription.id);
    return {
      digest: Buffer.from(key.digest),
      grant: {
        node,
        subscriptionId: subscription.id,
        keyId,
        limits: this.#limitsOf(plan),
        access: new Map(switches.map((row) => [accessName(row.interface, row.method), row.state])),
      },
    };
  }

  /** Returns one object for all holders of the plan: equal requests in flight are shared by it. */
  #limitsOf({ name, limits }: Plan): GrantedLimits {
    const known = this.#limits.get(name);
    if (known !== undefined) return known;
    const granted = grantedLimits(limits);
    this.#limits.set(name, granted);
    return granted;
  }

  #readMethodAccess(subscriptionId: string): readonly MethodAccess[] {
    const range = { start: [subscriptionId], end: [subscriptionId, "\u{10ffff}"] };
    return [...this.#methodAccess.getRange(range)].map((row) => row.value);
  }

  /** Returns the record of a key that is already valid, if it is the same key of the same subscription. */
  #sameKey(id: string, wanted: KeyRecord): KeyRecord {
    const record = existing(this.#keys, id, "key");
    if (record.digest !== wanted.digest || record.subscriptionId !== wanted.subscriptionId) {
      throw new Error("This key is in force for another subscription of the same node");
    }
    return record;
  }
}

interface Remembered {
  /** Digest as bytes; hex in the record. */
  readonly digest: Buffer;
  readonly grant: Grant;
}

function existing<Value>(table: Database<Value, string>, id: string, what: string): Value {
  const value = table.get(id);
  if (value === undefined) throw new Error(`There is no ${what} "${id}"`);
  return value;
}
