import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { EthereumContext } from "../request/context.ts";
import type { EthereumParents } from "./parents.ts";
import { PendingValue } from "../values/pending-value.ts";

/** Resolver of `Query.pending`: its fields are read one by one. */
export const pending: EthereumHandler<"pending", EthereumContext, EthereumParents> = () => new PendingValue();
