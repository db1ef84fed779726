import { type PlannedCase, protocolCase } from "../../contract/planned-case.ts";
import { kebabCase } from "@nodewright/api-values";
import { type GraphqlQuestion, postOf } from "./graphql-request.ts";

type CaseParts = Parameters<typeof protocolCase>[0] & {
  /** What is sent first, where it is known. */
  readonly question?: GraphqlQuestion;
};

/** Makes a case of its parts: most answers depend on what the target holds, and cases that may call several times mostly need not. */
export function graphqlCase({ question, requests = 1, ...parts }: CaseParts): PlannedCase {
  const preview = question === undefined ? {} : { preview: [postOf(question)] };
  return protocolCase({ isLive: true, requests, usualRequests: Math.ceil(requests / 3), ...preview, ...parts });
}

/** A GraphQL name as part of a case's: `blockHash` is `block-hash`. */
export const kebab: (name: string) => string = kebabCase;

/** The operation of a root field in reports. */
export function operationOf(rootType: string, field: string): string {
  return `${rootType}.${field}`;
}
