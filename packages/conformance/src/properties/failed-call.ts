import type { Finding } from "../contract/finding.ts";

/** Outcome of a call that has to fail. */
export interface FailedCall {
  /** Findings about the response itself. */
  readonly findings: readonly Finding[];
  /** Result; present for a success. */
  readonly result?: { readonly value: unknown };
  /** Failure; present for a failure. */
  readonly failure?: {
    /** HTTP status, or code of the error. */
    readonly code: number;
    /** `refused`: the failure calls the input invalid. `unclear`: it has another reason than the input. */
    readonly kind: "refused" | "other" | "unclear";
    /** Whether it reports an internal error of the target, and no rule of the protocol excludes that. */
    readonly isInternal?: boolean;
    /** Description for the details of findings. */
    readonly text: string;
  };
}
