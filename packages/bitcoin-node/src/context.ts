import type { ChainQueries, MempoolQueries, OptionalIndexes } from "@nodewright/bitcoin-indexer";
import type { Upstream } from "@nodewright/upstream";
import type { CommandReference } from "./command/command-reference.ts";
import type { CallerScans } from "./scan/output-scans.ts";

/** What the node says that it is. */
export interface NodeIdentity {
  /** As getinfo gives it: two digits for each part after the first, so that 1.2.3 is 10203. */
  readonly version: number;
  /** Latest version of Bitcoin's network protocol that is understood. */
  readonly protocolVersion: number;
}

/** Which methods the caller may call. */
export interface MethodAccess {
  /** `method` is as on the wire. */
  isEnabled(method: string): boolean;
  /** One line for a person: where a method that is off can be enabled. */
  readonly enableHint: string;
}

/** What the handlers of the Bitcoin interface are called with: one node, seen by one caller. */
export interface BitcoinNodeContext {
  readonly index: ChainQueries;
  /** Absent where nothing is unconfirmed: there is no node behind the index. */
  readonly mempool?: MempoolQueries | undefined;
  /** Absent where the node keeps none beside the index. */
  readonly optional?: OptionalIndexes | undefined;
  /** Absent when there is no node behind the index. */
  readonly upstream?: Upstream | undefined;
  /** True for a node that many subscribers use: none of them may act on the node itself. */
  readonly isShared: boolean;
  readonly identity: NodeIdentity;
  /** The caller's searches through unspent outputs. Absent: none is known to another call. */
  readonly scans?: CallerScans | undefined;
  /** Whether the caller has gone away, so that work for it alone is of no use. Absent: nobody knows. */
  readonly hasCallerGone?: (() => boolean) | undefined;
  readonly methodAccess: MethodAccess;
  /** Returns text of the client without its credentials, for a result that quotes it. Absent: the text is quoted as it is. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Of the interface's own description. */
  readonly commands: CommandReference;
  /** Milliseconds since 1970, as `Date.now` gives them. */
  readonly startedAt: number;
  now(): number;
}
