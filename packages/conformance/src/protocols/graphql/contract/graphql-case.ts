import { type PlannedCase, protocolCase } from "../../../contract/planned-case.ts";
import { type GraphqlRequest, postOf } from "./graphql-request.ts";

type CaseParts = Parameters<typeof protocolCase>[0] & {
  /** First request, when it is known. */
  readonly request?: GraphqlRequest;
};

/**
 * Creates a case from its parts. Most responses depend on the target's data, and cases that may send several requests rarely need them all.
 */
export function graphqlCase({ request, requests = 1, ...parts }: CaseParts): PlannedCase {
  const preview = request === undefined ? {} : { preview: [postOf(request)] };
  return protocolCase({ isLive: true, requests, usualRequests: Math.ceil(requests / 3), ...preview, ...parts });
}

/** Returns the operation name of a root field in reports. */
export function operationOf(rootType: string, field: string): string {
  return `${rootType}.${field}`;
}
