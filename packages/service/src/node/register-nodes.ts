import { digestOfKey } from "../registry/api-key.ts";
import { defaultPlan } from "../registry/embedded-registry.ts";
import type { KeyRecord, Registry, ServedNode } from "../registry/registry.ts";

const ownAccount = { id: "local", name: "Whoever started the service" } as const;
const ownLabel = "start";

/**
 * Ensures that `key` is valid for each node, by a subscription of its own unless it already is, and that no key of an earlier start is.
 *
 * Other entries of the registry stay.
 */
export async function registerNodes(registry: Registry, nodes: readonly ServedNode[], key: string): Promise<void> {
  await registry.putAccount(ownAccount);
  for (const node of nodes) {
    await registry.putNode(node);
    const records = keysOfStarts(registry, node);
    for (const record of records) {
      if (record.revokedAt === undefined && record.digest !== digestOfKey(key)) await registry.revokeKey(record.id);
    }
    if (registry.findGrant(node.id, digestOfKey(key)) !== undefined) continue;
    const subscriptionId = records[0]?.subscriptionId ?? (await createSubscription(registry, node));
    await registry.importKey({ subscriptionId, label: ownLabel, key });
  }
}

/**
 * Returns the keys that starts have created. Whatever else the account has come to contain: a subscription is one of the starts if it has a
 * key of one.
 */
function keysOfStarts(registry: Registry, node: ServedNode): readonly KeyRecord[] {
  return registry
    .listSubscriptions(node.id)
    .filter(({ accountId }) => accountId === ownAccount.id)
    .flatMap(({ id }) => registry.listKeys(id).filter(({ label }) => label === ownLabel));
}

async function createSubscription(registry: Registry, { id: nodeId }: ServedNode): Promise<string> {
  const { id } = await registry.createSubscription({ accountId: ownAccount.id, nodeId, plan: defaultPlan.name });
  return id;
}
