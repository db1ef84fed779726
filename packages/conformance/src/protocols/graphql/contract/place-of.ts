import type { ASTNode } from "graphql";
import { type Finding, finding } from "../../../contract/finding.ts";
import type { Rule } from "../../../contract/rule.ts";
import type { Place } from "../../../suite/suite-type.ts";

/** Returns the place of `node` in the description; `undefined` for built-in definitions. */
export function placeOf(node: ASTNode | null | undefined): Place | undefined {
  const token = node?.loc?.startToken;
  if (token === undefined) return undefined;
  // A description precedes its definition, and is its first token.
  const name = node !== null && node !== undefined && "name" in node ? node.name : undefined;
  const start = name?.loc?.startToken ?? token;
  return `${start.line}:${start.column}`;
}

/** Returns a finding with the place of `node`. */
export function findingAt(node: ASTNode | null | undefined, rule: Rule, message: string, detail?: string): Finding {
  return finding(rule, message, detail, { place: placeOf(node) });
}
