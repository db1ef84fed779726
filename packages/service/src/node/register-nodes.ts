import { digestOfKey } from "../registry/api-key.ts";
import { defaultPlan } from "../registry/embedded-registry.ts";
import type { Registry, ServedNode } from "../registry/registry.ts";

const ownAccount = { id: "local", name: "Whoever started the service" } as const;
const ownLabel = "start";

/**
 * Sees to it that each node has a subscription with `key` in force, and that no key of an earlier start is.
 *
 * What others have added to the registry stays.
 */
export async function registerNodes(registry: Registry, nodes: readonly ServedNode[], key: string): Promise<void> {
  await registry.putAccount(ownAccount);
  for (const node of nodes) {
    await registry.putNode(node);
    const subscriptionId = await findOrCreateSubscription(registry, node);
    const isOurs = (digest: string): boolean => digest === digestOfKey(key);
    for (const record of registry.listKeys(subscriptionId)) {
      const isStale = record.label === ownLabel && record.revokedAt === undefined && !isOurs(record.digest);
      if (isStale) await registry.revokeKey(record.id);
    }
    await registry.importKey({ subscriptionId, label: ownLabel, key });
  }
}

async function findOrCreateSubscription(registry: Registry, node: ServedNode): Promise<string> {
  const own = registry.listSubscriptions(node.id).find(({ accountId }) => accountId === ownAccount.id);
  if (own !== undefined) return own.id;
  const created = await registry.createSubscription({
    accountId: ownAccount.id,
    nodeId: node.id,
    plan: defaultPlan.name,
  });
  return created.id;
}
