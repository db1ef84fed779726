import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  isInterfaceType,
  isObjectType,
} from "graphql";
import type { Finding } from "../../contract/finding.ts";
import { type CasePlay, type PlannedCase, protocolOperation } from "../../contract/planned-case.ts";
import { graphqlCase } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { refusalOf } from "./refusal.ts";
import { schemaFindings } from "./schema-findings.ts";

/** The part of the standard introspection query that servers of every age know. */
const introspectionQuery: string = getIntrospectionQuery({ descriptions: false });

/** Compares the schema that a target serves with the description. */
export function planIntrospection(run: GraphqlRun): readonly PlannedCase[] {
  const question = { query: introspectionQuery };
  return [
    graphqlCase({
      operation: protocolOperation,
      group: "protocol",
      name: "introspection",
      rule: graphqlRules.schemaType,
      expected: "the schema of the description",
      isLive: false,
      question,
      play: (play) => playIntrospection(run, play),
    }),
  ];
}

async function playIntrospection(run: GraphqlRun, play: CasePlay): Promise<readonly Finding[]> {
  const { response, data, findings } = await run.ask(play, { query: introspectionQuery });
  const served = data?.["__schema"] == null ? undefined : readSchema(data);
  if (served !== undefined && !(served instanceof Error)) {
    avoidMissing(run, served);
    return [...findings, ...schemaFindings(run.schema, served, data)];
  }
  const kind = refusalOf(response);
  const isOff =
    response.errors.length > 0 &&
    (kind !== "unknown" || response.errors.some(({ message }) => /introspect|__schema/i.test(message)));
  if (isOff) return play.skip("The target does not answer introspection");
  const message = "Introspection is answered without a schema";
  return [
    ...response.findings,
    { rule: graphqlRules.introspection, message, detail: served?.message ?? response.errors[0]?.message ?? "" },
  ];
}

/** Reads the result of introspection; an error where it is not complete. */
function readSchema(data: Readonly<Record<string, unknown>>): GraphQLSchema | Error {
  try {
    return buildClientSchema(data as unknown as IntrospectionQuery, { assumeValid: true });
  } catch (reason) {
    return reason instanceof Error ? reason : new Error(String(reason));
  }
}

/** Fields that the target lacks would have every document with them refused. */
function avoidMissing(run: GraphqlRun, served: GraphQLSchema): void {
  for (const type of Object.values(run.schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    const other = served.getType(type.name);
    const given = isObjectType(other) || isInterfaceType(other) ? other.getFields() : {};
    const names = Object.keys(type.getFields());
    const missing = names.filter((name) => given[name] === undefined);
    if (missing.length < names.length) for (const name of missing) run.avoided.add(`${type.name}.${name}`);
  }
}
