import type { Rule } from "../contract/rule.ts";
import { graphqlRules } from "../protocols/graphql/contract/graphql-rules.ts";
import { auditRules } from "../protocols/graphql/rules/protocol-audits.ts";
import { httpRules } from "../protocols/http/http-rules.ts";
import { againstRules } from "../against/against-rules.ts";
import { propertyRules } from "../properties/property-rules.ts";
import { relationRules } from "../relations/relation-cases.ts";
import { rpcRules } from "../protocols/jsonrpc/rpc-rules.ts";
import { runRules } from "../run/run-rules.ts";

/** Rules of one kind of interface. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** All rules for responses. */
export const ruleGroups: readonly RuleGroup[] = [
  { name: "All", rules: Object.values(runRules) },
  { name: "Properties, in all protocols", rules: Object.values(propertyRules) },
  { name: "Relations of the description", rules: Object.values(relationRules) },
  { name: "Two targets", rules: Object.values(againstRules) },
  { name: "HTTP (OpenAPI)", rules: Object.values(httpRules) },
  { name: "JSON-RPC (OpenRPC)", rules: Object.values(rpcRules) },
  { name: "GraphQL", rules: Object.values(graphqlRules) },
  { name: "GraphQL over HTTP, whatever the schema", rules: auditRules() },
];

/** Renders a line for each rule: id, level, title and source. */
export function renderRules(): string {
  const lines = ruleGroups.flatMap(({ name, rules }) => [
    `${name}:`,
    ...rules.map(({ id, level, title, source }) => `  ${id.padEnd(7)}${level.padEnd(10)}${title} (${source})`),
    "",
  ]);
  return `${lines.join("\n")}\n`;
}

/** Renders the rules as JSON. */
export function renderRulesJson(): string {
  const rules = ruleGroups.flatMap((group) =>
    group.rules.map(({ id, level, title, source }) => ({ group: group.name, id, level, title, source })),
  );
  return `${JSON.stringify({ format: 1, rules }, undefined, 2)}\n`;
}
