import type { SyncStatus } from "@nodewright/ethereum-node-api/types";

/** Progress of the node's synchronization. */
export type SyncStateValue = Required<SyncStatus>;
