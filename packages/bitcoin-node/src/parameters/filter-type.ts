import { rpcError } from "./rpc-error.ts";

/** Names of the only kind of filter: its number in BIP 158, and its name in Bitcoin Core. */
const basicFilter: ReadonlySet<number | string> = new Set([0, "basic"]);

/** Throws -5 for every kind of filter except the basic one. */
export function assertBasicFilter(filterType: number | string): void {
  if (!basicFilter.has(filterType)) throw rpcError("notFound", "Unknown filtertype");
}
