import type { NodeId } from "./node-id.ts";
import type { GrantedLimits, PlanLimits } from "./plan-limits.ts";

export type Chain = "bitcoin" | "ethereum";

/** Account that pays and is contacted: subscriptions and owned nodes belong to it. */
export interface Account {
  readonly id: string;
  readonly name: string;
}

/** A blockchain node that the service offers. */
export interface ServedNode {
  readonly id: NodeId;
  readonly chain: Chain;
  /** Network, for example `mainnet`. */
  readonly network: string;
  readonly kind: "shared" | "owned";
  /** Owner of the node; present exactly when `kind` is `owned`. */
  readonly accountId?: string;
  /**
   * Whether a key may be in the path, `/<node>/key/<key>/`, for clients that can send it in no other way. Off unless given: logs and
   * proxies in between show paths.
   */
  readonly keyInPath?: boolean;
}

/** An account's right to call one node. */
export interface Subscription {
  readonly id: string;
  readonly accountId: string;
  readonly nodeId: NodeId;
  /** Name of a plan. */
  readonly plan: string;
}

/** Record of an API key. The key itself is not stored: only its SHA-256 is. */
export interface KeyRecord {
  readonly id: string;
  readonly subscriptionId: string;
  /** Label for a person who searches for a key in a list. */
  readonly label: string;
  /** First characters of the key, the only ones that can be shown again. */
  readonly prefix: string;
  /** SHA-256 of the key, in hex. */
  readonly digest: string;
  /** Time of creation, RFC 3339. */
  readonly createdAt: string;
  /** Time of revocation, RFC 3339; absent while the key is valid. */
  readonly revokedAt?: string;
}

export type ServedInterface = "rest" | "graphql" | "rpc";

/** Access of a subscription to an operation that is disabled by default, with the author of the change. */
export interface MethodAccess {
  readonly subscriptionId: string;
  readonly interface: ServedInterface;
  /** Name as on the wire: a JSON-RPC method, a GraphQL root field, the name of an index operation. */
  readonly method: string;
  readonly state: "on" | "off";
  /** Author: a person or a part of the service. */
  readonly changedBy: string;
  /** Time of the change, RFC 3339. */
  readonly changedAt: string;
  readonly reason?: string;
}

export interface Plan {
  readonly name: string;
  readonly limits: PlanLimits;
}

/** Permissions of the holder of a key on a node: everything that the gate needs, gathered once. */
export interface Grant {
  readonly node: ServedNode;
  readonly subscriptionId: string;
  readonly keyId: string;
  /** Limits; the same object as long as the plan is the same. */
  readonly limits: GrantedLimits;
  /** Switches of the subscription by `accessName(interface, method)`; a method without one has its default. */
  readonly access: ReadonlyMap<string, MethodAccess["state"]>;
}

/** A key as it is shown once, when it is created, with its stored record. */
export interface CreatedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

export interface NewKey {
  readonly subscriptionId: string;
  readonly label: string;
}

/**
 * Registry of accounts, nodes, subscriptions, keys, method access and plans.
 *
 * A promise of a change resolves when the change is durable and effective: the next request sees it, in this process and in any other that
 * has the same registry open. A change that refers to something unknown is rejected with an `Error`.
 */
export interface Registry {
  /**
   * Returns the permissions of `key digest` on `nodeId`, or `undefined`: unknown node, unknown or revoked key and another node's key are
   * not distinguished. Synchronous, because the gate calls it before each request: an implementation over a network keeps a copy and
   * refreshes it.
   */
  findGrant(nodeId: string, keyDigest: string): Grant | undefined;

  putAccount(account: Account): Promise<void>;
  findAccount(id: string): Account | undefined;

  /** Adds a node, or changes the one with this id. */
  putNode(node: ServedNode): Promise<void>;
  listNodes(): readonly ServedNode[];

  putPlan(plan: Plan): Promise<void>;
  findPlan(name: string): Plan | undefined;

  createSubscription(subscription: Omit<Subscription, "id">): Promise<Subscription>;
  listSubscriptions(nodeId: string): readonly Subscription[];

  /** Creates a key of 256 random bits. It can't be shown again. */
  createKey(key: NewKey): Promise<CreatedKey>;
  /** Activates a key that was created elsewhere; a key that is already valid for the subscription is left unchanged. */
  importKey(key: NewKey & { readonly key: string }): Promise<KeyRecord>;
  /** Revokes a key. Idempotent. */
  revokeKey(id: string): Promise<void>;
  listKeys(subscriptionId: string): readonly KeyRecord[];

  setMethodAccess(access: Omit<MethodAccess, "changedAt">): Promise<MethodAccess>;
  listMethodAccess(subscriptionId: string): readonly MethodAccess[];

  close(): Promise<void>;
}

/** Methods that are another method under a second name: one switch is for both. */
const methodAliases: ReadonlyMap<string, string> = new Map([["verifytxoutput", "verifytxoutproof"]]);

/** Returns the name that a method and its second names share. */
export function sharedMethodName(method: string): string {
  return methodAliases.get(method) ?? method;
}

/** Returns the name of a switch in `Grant.access`. */
export function accessName(servedInterface: ServedInterface, method: string): string {
  return `${servedInterface}:${sharedMethodName(method)}`;
}
