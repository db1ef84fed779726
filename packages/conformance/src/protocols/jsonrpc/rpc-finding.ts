import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import type { Place } from "../../suite/suite-type.ts";

/** Where a finding is, and what the description says there. */
export interface FindingSpot {
  readonly pointer?: string | undefined;
  readonly place?: Place | undefined;
  /** Of a heuristic: what was guessed, and from what. */
  readonly guess?: string;
}

/** Makes a finding; `detail` holds the values of this run. */
export function finding(
  rule: Rule,
  message: string,
  detail?: string,
  { pointer, place, guess }: FindingSpot = {},
): Finding {
  return {
    rule,
    message,
    ...(detail === undefined ? {} : { detail }),
    ...(pointer === undefined ? {} : { pointer }),
    ...withPlace(place),
    ...(guess === undefined ? {} : { guess }),
  };
}
