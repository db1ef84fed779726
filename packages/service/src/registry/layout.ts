import type { Account, KeyRecord, MethodAccess, Plan, ServedNode, Subscription } from "./registry.ts";

/** Raised when a registry written by an older version could be misread. */
export const registryFormat = 1;

/** One named database of the store: its name, and in the type what its rows hold. */
export interface Table<Value> {
  readonly name: string;
  /** Never present: carries the type of a row. */
  readonly value?: Value;
}

/** By account id. */
export const accountTable: Table<Account> = { name: "accounts" };
/** By node id. */
export const nodeTable: Table<ServedNode> = { name: "nodes" };
/** By subscription id. */
export const subscriptionTable: Table<Subscription> = { name: "subscriptions" };
/** By key id. Revoked keys stay, for the list of a subscription's keys. */
export const keyTable: Table<KeyRecord> = { name: "keys" };
/** Ids of the keys in force, by `[node id, selector]`. A revoked key has no row. */
export const keyInForceTable: Table<string> = { name: "keys-in-force" };
/** By `[subscription id, interface, method]`. */
export const methodAccessTable: Table<MethodAccess> = { name: "method-access" };
/** By plan name. */
export const planTable: Table<Plan> = { name: "plans" };
/** `format`, and `revision`, which grows with each change: what a reader remembers is good while it stands. */
export const metaTable: Table<number> = { name: "meta" };

/**
 * The part of a digest that rows are found by. The other half is compared in constant time, so that the time a look-up
 * takes can't tell the whole digest.
 */
export function selectorOfDigest(digest: string): string {
  return digest.slice(0, digest.length / 2);
}
