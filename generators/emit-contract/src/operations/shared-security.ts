import type { ApiModel, Operation } from "@nodewright/model";

/** Security requirements that several operations share, as one constant. */
export interface SharedSecurity {
  readonly constant: string;
  readonly security: NonNullable<Operation["security"]>;
}

const sharedOfModels = new WeakMap<ApiModel, ReadonlyMap<string, SharedSecurity>>();

/** Returns the requirements that are written once for several operations, by `securityKey`, in the order of their first occurrences. */
export function sharedSecurity(model: ApiModel): ReadonlyMap<string, SharedSecurity> {
  const known = sharedOfModels.get(model);
  if (known !== undefined) return known;
  const counts = new Map<string, { count: number; readonly security: SharedSecurity["security"] }>();
  for (const { security } of model.operations) {
    if (security === undefined) continue;
    const key = securityKey(security);
    const entry = counts.get(key) ?? { count: 0, security };
    entry.count += 1;
    counts.set(key, entry);
  }
  const repeated = [...counts].filter(([, { count }]) => count > 1);
  const shared = new Map(
    repeated.map(([key, { security }], index) => [key, { constant: `sharedSecurity${index + 1}`, security }]),
  );
  sharedOfModels.set(model, shared);
  return shared;
}

/** Requirements that several operations share, by the names of their constants, in the order of their first occurrences. */
export type SettledSecurity = Readonly<Record<string, SharedSecurity["security"]>>;

export function settledSecurity(model: ApiModel): SettledSecurity {
  return Object.fromEntries([...sharedSecurity(model).values()].map(({ constant, security }) => [constant, security]));
}

/** Applies the constants of a complete document to a model that is a part of it. */
export function settleSecurity(model: ApiModel, settled: SettledSecurity): void {
  const shared = Object.entries(settled).map(
    ([constant, security]) => [securityKey(security), { constant, security }] as const,
  );
  sharedOfModels.set(model, new Map(shared));
}

/** Returns a key that is equal for equal requirements. */
export function securityKey(security: SharedSecurity["security"]): string {
  return JSON.stringify(security);
}
