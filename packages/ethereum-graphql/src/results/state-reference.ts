import type { BlockReference } from "@nodewright/ethereum-node-api/types";

/** A state of the chain, as a request has resolved it: by the hash of the block before it (EIP-1898), or the pending one. */
export type StateReference = Extract<BlockReference, { readonly blockHash: string }> | "pending";
