import type { Finding } from "../contract/finding.ts";

/** What came of a call that has to fail. */
export interface FailedCall {
  /** What is wrong with the response by itself. */
  readonly findings: readonly Finding[];
  /** Present where it is a success. */
  readonly result?: { readonly value: unknown };
  /** Present where it is a failure. */
  readonly failure?: {
    /** Its status, or the code of the error. */
    readonly code: number;
    /** `refused`: the input is called invalid. `unclear`: it has another reason than the input. */
    readonly kind: "refused" | "other" | "unclear";
    /** True: it says that something inside of the target went wrong, and no rule of the protocol excludes that. */
    readonly isInternal?: boolean;
    /** As details of findings have it. */
    readonly text: string;
  };
}
