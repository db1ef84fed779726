import { segmentsOf } from "@nodewright/api-model";
import { memberOf } from "../compare/member-facts.ts";
import type { Finding } from "../contract/finding.ts";
import { alikeProperty } from "./alike.ts";
import { headProperty, parentProperty, parentWithinProperty } from "./chain.ts";
import { combinedFiltersProperty } from "./combined-filters.ts";
import { countProperty } from "./count.ts";
import { countedProperty } from "./counted.ts";
import { defaultProperty } from "./default.ts";
import { echoProperty } from "./echo.ts";
import { embeddedProperty } from "./embedded.ts";
import { filterProperty } from "./filter.ts";
import { identityProperty, inverseProperty } from "./identity.ts";
import { limitProperty } from "./limit.ts";
import { linksProperty } from "./links.ts";
import type { OperationDescription } from "./operation.ts";
import { orderProperty } from "./order.ts";
import { paginationProperty } from "./pagination.ts";
import { placesProperty } from "./places.ts";
import { findingOf } from "./plan-properties.ts";
import type { CalledResult, CrossProperty, Property, ResponseProperty } from "./property.ts";
import { rangeProperty } from "./range.ts";
import { seenEchoProperty } from "./seen-echo.ts";
import { sortProperty } from "./sort.ts";
import { steadyProperty } from "./steady.ts";
import { sumProperty } from "./sum.ts";
import { uniqueProperty } from "./unique.ts";

/** Properties of lists, in the order in which they are checked. */
export const listProperties: readonly Property[] = [
  filterProperty,
  rangeProperty,
  sortProperty,
  paginationProperty,
  linksProperty,
  limitProperty,
  placesProperty,
  combinedFiltersProperty,
];

/** Properties of lists that do not depend on pagination. */
export const selectionProperties: readonly Property[] = [
  filterProperty,
  rangeProperty,
  sortProperty,
  combinedFiltersProperty,
];

/** Properties of operations that read, for any result. */
export const valueProperties: readonly Property[] = [steadyProperty, defaultProperty, seenEchoProperty];

/** Properties of one response. */
const responseProperties: readonly ResponseProperty[] = [
  identityProperty,
  echoProperty,
  countProperty,
  uniqueProperty,
  orderProperty,
  sumProperty,
  parentWithinProperty,
];

/** Properties of several operations. */
export const crossProperties: readonly CrossProperty[] = [
  inverseProperty,
  countedProperty,
  headProperty,
  parentProperty,
  embeddedProperty,
  alikeProperty,
];

/** Returns the findings of one response, from the properties that make no calls. */
export function inspectResponse(operation: OperationDescription, response: CalledResult): readonly Finding[] {
  return responseProperties.flatMap(({ rule, inspect }) =>
    inspect(operation, response).map((problem) => {
      const [name = ""] = segmentsOf(problem.pointer ?? "");
      const member = memberOf(operation.result, name, operation.types);
      return findingOf(operation, rule, problem, member?.place ?? operation.place);
    }),
  );
}
