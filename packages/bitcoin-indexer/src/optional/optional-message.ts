import type { NetworkName } from "@nodewright/bitcoin-primitives";
import type { OptionalIndexSelection, OptionalProgress } from "./optional-progress.ts";

/** Configuration of a process of optional indexes. */
export interface OptionalConfiguration extends OptionalIndexSelection {
  readonly kind: "configuration";
  /** Data directory of the main index. */
  readonly directory: string;
  readonly network: NetworkName;
  /** Description of how the main index repairs damaged blocks. */
  readonly repairHint?: string | undefined;
}

/** Message to the process. */
export type MessageToOptional =
  | OptionalConfiguration
  /** The main index has changed. */
  | { readonly kind: "changed" }
  /** The main index has changed for the last time. */
  | { readonly kind: "complete" };

/** Message from the process. */
export type MessageFromOptional = OptionalProgress;
