import type { NetworkName } from "@nodewright/bitcoin-primitives";
import type { OptionalIndexChoice, OptionalProgress } from "./optional-progress.ts";

/** What a process of optional indexes works on. */
export interface OptionalConfiguration extends OptionalIndexChoice {
  readonly kind: "configuration";
  /** The data directory of the main index. */
  readonly directory: string;
  readonly network: NetworkName;
  /** How the main index repairs damaged blocks. */
  readonly repairHint?: string | undefined;
}

/** What it is told. */
export type MessageToOptional =
  | OptionalConfiguration
  /** The main index has changed. */
  | { readonly kind: "changed" }
  /** The main index has changed for the last time. */
  | { readonly kind: "complete" };

/** What it tells. */
export type MessageFromOptional = OptionalProgress;
