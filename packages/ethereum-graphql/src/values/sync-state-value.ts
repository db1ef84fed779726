import type { SyncStatus } from "@nodewright/ethereum-node-api/types";

/** How far the node has come. */
export type SyncStateValue = Required<SyncStatus>;
