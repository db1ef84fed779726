import type { ChainQueries, MempoolQueries, OptionalIndexes } from "@nodewright/bitcoin-indexer";
import type { Upstream } from "@nodewright/upstream";
import type { CommandReference } from "../description/command-reference.ts";
import type { ClientScans } from "./output-scans.ts";

/** Identity that the node reports. */
export interface NodeIdentity {
  /** Version as in getinfo: two digits for each part after the first, so that 1.2.3 is 10203. */
  readonly version: number;
  /** Latest supported version of Bitcoin's network protocol. */
  readonly protocolVersion: number;
}

/** Methods that the client may call. */
export interface MethodAccess {
  /** Returns whether a method is enabled; `method` is its name on the wire. */
  isEnabled(method: string): boolean;
  /** Sentence that describes where a disabled method can be enabled. */
  readonly enableHint: string;
}

/** Context of the handlers of the Bitcoin interface: one node, as seen by one client. */
export interface BitcoinNodeContext {
  readonly index: ChainQueries;
  /** Mempool; absent when the index has no upstream node. */
  readonly mempool?: MempoolQueries | undefined;
  /** Optional indexes; absent where the node keeps none. */
  readonly optional?: OptionalIndexes | undefined;
  /** Upstream node; absent when the index has none. */
  readonly upstream?: Upstream | undefined;
  /** Whether many subscribers share the node, so that none of them may control it. */
  readonly isShared: boolean;
  readonly identity: NodeIdentity;
  /** Running `scantxoutset` of the client. Absent: a call does not see the scans of other calls. */
  readonly scans?: ClientScans | undefined;
  /** Returns whether the client has disconnected, so that work for it can be aborted. Absent: unknown. */
  readonly isClientDisconnected?: (() => boolean) | undefined;
  readonly methodAccess: MethodAccess;
  /** Removes the credentials from text of the client before a result quotes it. Absent: the text is quoted unchanged. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Commands of the interface's own description. */
  readonly commands: CommandReference;
  /** Start time in milliseconds since 1970, as `Date.now` returns it. */
  readonly startedAt: number;
  now(): number;
}
