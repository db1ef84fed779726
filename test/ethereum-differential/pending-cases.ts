import type { QueryCase } from "./query-case.ts";
import type { SelectFields } from "./select-fields.ts";

/** What waits, and the state with it. */
export function listPendingCases(
  addresses: readonly string[],
  waiting: readonly string[],
  slots: readonly string[],
  select: SelectFields,
): readonly QueryCase[] {
  const given = {
    "Pending.account": addresses.slice(0, 20).map((address) => `address: "${address}"`),
    "Account.storage": slots.slice(0, 2).map((slot) => `slot: "${slot}"`),
  };
  return [
    { kind: "pending", query: `{ pending { ${select("Pending", given)} } }` },
    { kind: "pending", query: "{ pending { transactionCount } }" },
    { kind: "pending", query: "{ pending { transactions { hash } } }" },
    ...waiting.map((hash) => ({
      kind: "pending transaction",
      query: `{ transaction(hash: "${hash}") { ${select("Transaction")} } }`,
    })),
  ];
}
