import { rpcError } from "./rpc-error.ts";

/** What the one kind of filter is called: by its number in BIP 158, and by its name in Bitcoin Core. */
const basicFilter: ReadonlySet<number | string> = new Set([0, "basic"]);

/** Throws -5 for every kind of filter but the basic one. */
export function assertBasicFilter(filterType: number | string): void {
  if (!basicFilter.has(filterType)) throw rpcError("notFound", "Unknown filtertype");
}
