import { kebabCase } from "../../types/kebab-case.ts";
import type { CaseGroup, CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { Finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { type GraphqlQuestion, postOf } from "./graphql-request.ts";

/** What a case is made of. */
export interface CaseParts {
  readonly operation: string;
  readonly group: CaseGroup;
  /** kebab-case, unique among those of the operation and group. */
  readonly name: string;
  readonly rule: Rule;
  readonly expected: string;
  readonly writes?: boolean;
  /** One when not given. */
  readonly requests?: number;
  /** True when not given: most answers depend on what the target holds. */
  readonly isLive?: boolean;
  /** What is sent first, where it is known. */
  readonly question?: GraphqlQuestion;
  readonly play: (play: CasePlay) => Promise<readonly Finding[]>;
}

/** Makes a case of its parts. */
export function graphqlCase(parts: CaseParts): PlannedCase {
  const { operation, group, name, rule, expected, writes = false, requests = 1, isLive = true, question } = parts;
  return {
    id: `${operation}/${group}/${name}`,
    operation,
    group,
    rule,
    expected,
    writes,
    requests,
    // Cases that may call several times mostly need not.
    usualRequests: Math.ceil(requests / 3),
    isLive,
    ...(question === undefined ? {} : { preview: [postOf(question)] }),
    play: parts.play,
  };
}

/** A GraphQL name as part of a case's: `blockHash` is `block-hash`. */
export const kebab: (name: string) => string = kebabCase;

/** The operation of a root field in reports. */
export function operationOf(rootType: string, field: string): string {
  return `${rootType}.${field}`;
}
