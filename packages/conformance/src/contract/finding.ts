import type { Place } from "../suite/suite-type.ts";
import type { Rule } from "./rule.ts";

/** One thing that is wrong with an answer. */
export interface Finding {
  readonly rule: Rule;
  /**
   * One sentence that is the same in every run: no value of an answer stands in it, and elements of lists are `*`. Baselines hold it.
   */
  readonly message: string;
  /** The same with the values of this run. */
  readonly detail?: string;
  /** Why a guess is made that the finding rests on, as a clause; absent where it rests on the description. */
  readonly because?: string;
  /** Of the place in the answer's body, or in its result or data. */
  readonly pointer?: string;
  /** What the description says there. */
  readonly place?: Place;
}
