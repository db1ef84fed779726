import type { Account, KeyRecord, MethodAccess, Plan, ServedNode, Subscription } from "./registry.ts";

/** Version of the format, incremented when a registry of an older version could be misread. */
export const registryFormat = 1;

/** A named database of the store: its name, and in the type the content of its rows. */
export interface Table<Value> {
  readonly name: string;
  /** Never present: carries the type of a row. */
  readonly value?: Value;
}

/** Accounts by account id. */
export const accountTable: Table<Account> = { name: "accounts" };
/** Nodes by node id. */
export const nodeTable: Table<ServedNode> = { name: "nodes" };
/** Subscriptions by subscription id. */
export const subscriptionTable: Table<Subscription> = { name: "subscriptions" };
/** Keys by key id. Revoked keys stay, for the list of a subscription's keys. */
export const keyTable: Table<KeyRecord> = { name: "keys" };
/** Ids of the valid keys, by `[node id, selector]`. A revoked key has no row. */
export const keyInForceTable: Table<string> = { name: "keys-in-force" };
/** Method access by `[subscription id, interface, method]`. */
export const methodAccessTable: Table<MethodAccess> = { name: "method-access" };
/** Plans by plan name. */
export const planTable: Table<Plan> = { name: "plans" };
/** Metadata: `format`, and `revision`, which grows with each change: a reader's cache is valid while it is unchanged. */
export const metaTable: Table<number> = { name: "meta" };

/**
 * Returns the part of a digest that rows are found by. The other half is compared in constant time, so that the time of a lookup can't
 * reveal the complete digest.
 */
export function selectorOfDigest(digest: string): string {
  return digest.slice(0, digest.length / 2);
}
