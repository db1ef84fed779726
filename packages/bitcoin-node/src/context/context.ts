import type { ChainQueries, MempoolQueries, OptionalIndexes } from "@nodewright/bitcoin-indexer";
import type { Upstream } from "@nodewright/upstream";
import type { CommandReference } from "../description/command-reference.ts";
import type { CallerScans } from "./output-scans.ts";

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
  /** Line for a person that describes where a disabled method can be enabled. */
  readonly enableHint: string;
}

/** Context of the handlers of the Bitcoin interface: one node, as seen by one client. */
export interface BitcoinNodeContext {
  readonly index: ChainQueries;
  /** Mempool; absent where nothing is unconfirmed, because the index has no upstream node. */
  readonly mempool?: MempoolQueries | undefined;
  /** Optional indexes; absent where the node keeps none. */
  readonly optional?: OptionalIndexes | undefined;
  /** Upstream node; absent when the index has none. */
  readonly upstream?: Upstream | undefined;
  /** Whether many subscribers use the node: none of them may act on the node itself. */
  readonly isShared: boolean;
  readonly identity: NodeIdentity;
  /** Searches of the client through unspent outputs. Absent: none is visible to another call. */
  readonly scans?: CallerScans | undefined;
  /** Returns whether the client has gone, so that work for it alone is useless. Absent: unknown. */
  readonly hasCallerGone?: (() => boolean) | undefined;
  readonly methodAccess: MethodAccess;
  /** Returns text of the client without its credentials, for a result that quotes it. Absent: the text is quoted unchanged. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Commands of the interface's own description. */
  readonly commands: CommandReference;
  /** Start time in milliseconds since 1970, as `Date.now` returns it. */
  readonly startedAt: number;
  now(): number;
}
