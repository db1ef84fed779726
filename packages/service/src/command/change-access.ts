import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { checkAccess, type MarkedMethods } from "../gate/method-access.ts";
import { readBitcoinDescription } from "../node/bitcoin-description.ts";
import { openEmbeddedRegistry, RegistryFormatError } from "../registry/embedded-registry.ts";
import { accessName, type Registry, type ServedNode, type Subscription } from "../registry/registry.ts";
import { StartProblem } from "../configuration/start-problem.ts";

/** Request about the methods that subscriptions may call: listed, or changed. */
export interface AccessRequest {
  readonly dataDirectory: string;
  /** Node ID; every Bitcoin node when not given. */
  readonly nodeId?: string;
  /** Subscription ID; all when not given. */
  readonly subscriptionId?: string;
  readonly change?: {
    readonly state: "on" | "off";
    /** Methods as on the wire; at least one. */
    readonly methods: readonly string[];
    readonly reason?: string;
  };
  readonly json: boolean;
}

/** Access of a subscription to the methods that must be enabled explicitly. */
interface SubscriptionAccess {
  readonly node: string;
  readonly subscription: string;
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/**
 * Enables or disables JSON-RPC methods for subscriptions, or lists those that are disabled by default; returns the text to print. A service that
 * runs on the data directory sees a change with its next request.
 *
 * Throws `StartProblem` when the directory, a node, a subscription or a method is unknown, and changes nothing then.
 */
export async function changeAccess(request: AccessRequest): Promise<string> {
  const registry = await openRegistryOf(request.dataDirectory);
  try {
    const { marks } = readBitcoinDescription();
    const subscriptions = subscriptionsOf(registry, request);
    if (request.change !== undefined) await applyChange(registry, marks, subscriptions, request.change);
    const rows = subscriptions.map(({ node, subscription }) => accessOf(registry, marks, node, subscription));
    return request.json ? `${JSON.stringify(rows, null, 2)}\n` : renderRows(rows);
  } finally {
    await registry.close();
  }
}

async function openRegistryOf(dataDirectory: string): Promise<Registry> {
  const path = join(resolve(dataDirectory), "registry");
  if (!existsSync(path)) {
    throw new StartProblem(
      `${resolve(dataDirectory)} holds no data of a service: name the directory that the service was started with, by --data.`,
    );
  }
  try {
    return await openEmbeddedRegistry(path);
  } catch (error) {
    if (error instanceof RegistryFormatError) {
      throw new StartProblem(`${path} was written by another version (${error.message}): use that version.`);
    }
    throw error;
  }
}

interface NodeSubscription {
  readonly node: ServedNode;
  readonly subscription: Subscription;
}

function subscriptionsOf(registry: Registry, request: AccessRequest): readonly NodeSubscription[] {
  const nodes = registry.listNodes().filter(({ chain }) => chain === "bitcoin");
  const selected = nodes.filter(({ id }) => request.nodeId === undefined || id === request.nodeId);
  if (selected.length === 0) {
    const known = nodes.map(({ id }) => id).join(", ");
    throw new StartProblem(
      request.nodeId === undefined
        ? "No Bitcoin node is known yet: start the service once."
        : `There is no Bitcoin node "${request.nodeId}": there is ${known === "" ? "none" : known}.`,
    );
  }
  const all = selected.flatMap((node) =>
    registry.listSubscriptions(node.id).map((subscription) => ({ node, subscription })),
  );
  const { subscriptionId } = request;
  const found = all.filter(({ subscription }) => subscriptionId === undefined || subscription.id === subscriptionId);
  if (found.length > 0) return found;
  throw new StartProblem(
    `There is no subscription "${subscriptionId}": nodewright-service access lists them with their methods.`,
  );
}

async function applyChange(
  registry: Registry,
  marks: MarkedMethods,
  subscriptions: readonly NodeSubscription[],
  { state, methods, reason }: NonNullable<AccessRequest["change"]>,
): Promise<void> {
  for (const method of methods) refuseMethod(marks, subscriptions, method, state);
  for (const { subscription } of subscriptions) {
    for (const method of methods) {
      await registry.setMethodAccess({
        subscriptionId: subscription.id,
        interface: "rpc",
        method,
        state,
        changedBy: `${userInfo().username}, by command`,
        ...(reason === undefined ? {} : { reason }),
      });
    }
  }
}

function refuseMethod(
  marks: MarkedMethods,
  subscriptions: readonly NodeSubscription[],
  method: string,
  state: "on" | "off",
): void {
  const found = marks.get(method);
  if (found === undefined) {
    throw new StartProblem(`There is no method "${method}": help lists the names, which are case-sensitive.`);
  }
  const shared = subscriptions.find(({ node }) => node.kind === "shared");
  if (state === "on" && found.nodeControl && shared !== undefined) {
    throw new StartProblem(
      `${method} acts on the node itself, and ${shared.node.id} is shared: it can be enabled on owned nodes alone.`,
    );
  }
}

function accessOf(
  registry: Registry,
  marks: MarkedMethods,
  node: ServedNode,
  subscription: Subscription,
): SubscriptionAccess {
  const access = new Map(
    registry.listMethodAccess(subscription.id).map((row) => [accessName(row.interface, row.method), row.state]),
  );
  const isSwitched = (method: string): boolean => access.has(accessName("rpc", method));
  const choosable = [...marks].filter(
    ([method, { disabledByDefault, nodeControl }]) =>
      !(nodeControl && node.kind === "shared") && (disabledByDefault || nodeControl || isSwitched(method)),
  );
  const isEnabled = ([method, found]: (typeof choosable)[number]): boolean =>
    checkAccess(found, accessName("rpc", method), { node, access }) === undefined;
  const namesOf = (rows: typeof choosable): readonly string[] => rows.map(([method]) => method).toSorted();
  return {
    node: node.id,
    subscription: subscription.id,
    enabled: namesOf(choosable.filter(isEnabled)),
    disabled: namesOf(choosable.filter((row) => !isEnabled(row))),
  };
}

function renderRows(rows: readonly SubscriptionAccess[]): string {
  return rows
    .map(({ node, subscription, enabled, disabled }) =>
      [
        `${node}, subscription ${subscription}`,
        `  enabled: ${enabled.length === 0 ? "none of those that are disabled by default" : enabled.join(", ")}`,
        `  disabled: ${disabled.length === 0 ? "none" : disabled.join(", ")}`,
        "",
      ].join("\n"),
    )
    .join("\n");
}
