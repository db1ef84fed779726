import { segmentsOf } from "@nodewright/api-model";
import { memberOf } from "../compare/member-facts.ts";
import type { Finding } from "../contract/finding.ts";
import type { OperationDescription } from "./operation.ts";
import { findingOf } from "./plan-properties.ts";
import { responseProperties } from "./properties.ts";
import type { CalledResult } from "./property.ts";

/** What does not hold within one response, by the properties that make no call of their own. */
export function inspectResponse(operation: OperationDescription, response: CalledResult): readonly Finding[] {
  return responseProperties.flatMap(({ rule, inspect }) =>
    inspect(operation, response).map((problem) => {
      const [name = ""] = segmentsOf(problem.pointer ?? "");
      const member = memberOf(operation.result, name, operation.types);
      return findingOf(operation, rule, problem, member?.place ?? operation.place);
    }),
  );
}
