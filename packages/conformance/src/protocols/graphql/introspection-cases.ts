import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import { type Finding, finding } from "../../contract/finding.ts";
import { type CasePlay, type PlannedCase, protocolCase } from "../../contract/planned-case.ts";
import { postOf } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { refusalOf } from "./refusal.ts";
import { schemaFindings } from "./schema-findings.ts";

/** The part of the standard introspection query that servers of every version support. */
const introspectionQuery: string = getIntrospectionQuery({ descriptions: false });

/** Plans the comparison of the target's schema with the description. */
export function planIntrospection(run: GraphqlRun): readonly PlannedCase[] {
  return [
    protocolCase({
      group: "protocol",
      name: "introspection",
      rule: graphqlRules.schemaType,
      expected: "the schema of the description",
      preview: [postOf({ query: introspectionQuery })],
      play: (play) => playIntrospection(run, play),
    }),
  ];
}

async function playIntrospection(run: GraphqlRun, play: CasePlay): Promise<readonly Finding[]> {
  const { response, data, findings } = await run.execute(play, { query: introspectionQuery });
  const served = data?.["__schema"] == null ? undefined : data;
  const problem = served === undefined ? response.errors[0]?.message : problemOf(served);
  if (served !== undefined && problem === undefined) {
    // A document that uses missing fields would be refused.
    return [...findings, ...schemaFindings(run.schema, served as unknown as IntrospectionQuery, run.avoided)];
  }
  const kind = refusalOf(response);
  const isOff =
    response.errors.length > 0 &&
    (kind !== "unknown" || response.errors.some(({ message }) => /introspect|__schema/i.test(message)));
  if (isOff) return play.skip("The target does not allow introspection");
  const message = "The response to introspection has no schema";
  return [...response.findings, finding(graphqlRules.introspection, message, problem)];
}

/** Returns why an introspection result is incomplete; `undefined` when it is complete. */
function problemOf(data: Readonly<Record<string, unknown>>): string | undefined {
  try {
    buildClientSchema(data as unknown as IntrospectionQuery, { assumeValid: true });
    return undefined;
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
}
