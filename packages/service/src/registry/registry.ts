import type { NodeId } from "./node-id.ts";
import type { GrantedLimits, PlanLimits } from "./plan-limits.ts";

export type Chain = "bitcoin" | "ethereum";

/** Who pays and who is asked: subscriptions and owned nodes belong to an account. */
export interface Account {
  readonly id: string;
  readonly name: string;
}

/** A blockchain node that the service offers. */
export interface ServedNode {
  readonly id: NodeId;
  readonly chain: Chain;
  /** For example `mainnet`. */
  readonly network: string;
  readonly kind: "shared" | "owned";
  /** Whose node it is; present exactly when `kind` is `owned`. */
  readonly accountId?: string;
  /**
   * True where a key may stand in the path, `/<node>/key/<key>/`, for clients that can send it in no other way. Off unless given: logs
   * and proxies on the way show paths.
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

/** What is known about an API key. The key itself is not: only its SHA-256 is kept. */
export interface KeyRecord {
  readonly id: string;
  readonly subscriptionId: string;
  /** For a person who looks for a key in a list. */
  readonly label: string;
  /** The first characters of the key, the only ones that can be shown again. */
  readonly prefix: string;
  /** SHA-256 of the key, in hex. */
  readonly digest: string;
  /** RFC 3339. */
  readonly createdAt: string;
  /** RFC 3339; absent while the key is in force. */
  readonly revokedAt?: string;
}

export type ServedInterface = "rest" | "graphql" | "rpc";

/** Whether a subscription may call an operation that is off by default, and who said so. */
export interface MethodAccess {
  readonly subscriptionId: string;
  readonly interface: ServedInterface;
  /** As on the wire: a JSON-RPC method, a GraphQL root field, the name of an index operation. */
  readonly method: string;
  readonly state: "on" | "off";
  /** A person or a part of the service. */
  readonly changedBy: string;
  /** RFC 3339. */
  readonly changedAt: string;
  readonly reason?: string;
}

export interface Plan {
  readonly name: string;
  readonly limits: PlanLimits;
}

/** What the holder of a key may do with a node: everything that the gate needs, gathered once. */
export interface Grant {
  readonly node: ServedNode;
  readonly subscriptionId: string;
  readonly keyId: string;
  /** The same object as long as the plan is the same. */
  readonly limits: GrantedLimits;
  /** The subscription's switches by `accessName(interface, method)`; a method without one has its default. */
  readonly access: ReadonlyMap<string, MethodAccess["state"]>;
}

/** A key as it is shown once, when it is made, beside what is kept of it. */
export interface CreatedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

export interface NewKey {
  readonly subscriptionId: string;
  readonly label: string;
}

/**
 * Everything that the service knows about accounts, nodes, subscriptions, keys, method access and plans.
 *
 * A promise of a change resolves when the change is durable and in force: the next request sees it, in this process
 * and in any other that has the same registry open. A change that names something unknown is refused with an `Error`.
 */
export interface Registry {
  /**
   * What `key digest` may do with `nodeId`, or `undefined`: unknown node, unknown or revoked key and another node's key
   * are not told apart. Synchronous, because the gate asks before each request: an implementation over a network keeps
   * a copy and refreshes it.
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

  /** Makes a key of 256 random bits. It can't be shown again. */
  createKey(key: NewKey): Promise<CreatedKey>;
  /** Takes a key that somebody else made into force; a key already in force for the subscription is left as it is. */
  importKey(key: NewKey & { readonly key: string }): Promise<KeyRecord>;
  /** Idempotent. */
  revokeKey(id: string): Promise<void>;
  listKeys(subscriptionId: string): readonly KeyRecord[];

  setMethodAccess(access: Omit<MethodAccess, "changedAt">): Promise<MethodAccess>;
  listMethodAccess(subscriptionId: string): readonly MethodAccess[];

  close(): Promise<void>;
}

/** Methods that are another method under a second name: one switch is for both. */
const methodAliases: ReadonlyMap<string, string> = new Map([["verifytxoutput", "verifytxoutproof"]]);

/** The name that a method and its second names share. */
export function sharedMethodName(method: string): string {
  return methodAliases.get(method) ?? method;
}

/** The name of a switch in `Grant.access`. */
export function accessName(servedInterface: ServedInterface, method: string): string {
  return `${servedInterface}:${sharedMethodName(method)}`;
}
