import { readdirSync, readFileSync } from "node:fs";
import { buildSchema } from "graphql";
import { operationOf } from "../protocols/graphql/graphql-case.ts";
import type { ConformanceSuite, GraphqlSuite } from "../suite/suite.ts";
import type { AcrossRelation } from "../contract/across.ts";

/** A file that says what two interfaces tell alike. */
interface InterfacesFile {
  readonly format: 1;
  readonly relations: readonly InterfaceRelation[];
}

/** `protocol`: of the interface whose operation is answered. */
interface InterfaceRelation extends AcrossRelation {
  readonly protocol: ConformanceSuite["protocol"];
}

const directory = new URL("../../profiles/", import.meta.url);
const extension = "-interfaces.json";

/**
 * What two suites have in common. Of two GraphQL schemas these are the fields of both query types; of others, what the files that come
 * along say of operations with these names, since documents of one interface have many titles. Empty where nothing is known of them.
 */
export function relationsBetween(own: ConformanceSuite, other: ConformanceSuite): readonly AcrossRelation[] {
  if (own.protocol === "graphql" && other.protocol === "graphql") return sharedFields(own, other);
  if (own.protocol === other.protocol) return [];
  const [ownNames, otherNames] = [namesOf(own), namesOf(other)];
  return readdirSync(directory)
    .filter((name) => name.endsWith(extension))
    .map((name) => JSON.parse(readFileSync(new URL(name, directory), "utf8")) as InterfacesFile)
    .flatMap(({ relations }) => relations)
    .filter(({ protocol, operation, holds }) => {
      const isOwn = protocol === own.protocol && ownNames.has(operation);
      return isOwn && askedOf(holds).every((name) => otherNames.has(name));
    })
    .map(({ protocol: _protocol, ...relation }) => relation);
}

function askedOf(holds: string): readonly string[] {
  return [...holds.matchAll(/\$other\(\s*"([^"]+)"/g)].flatMap(([, name]) => name ?? []);
}

function namesOf(suite: ConformanceSuite): ReadonlySet<string> {
  if (suite.protocol === "graphql") return new Set([...suite.documents.map(({ name }) => name), ...queryFields(suite)]);
  return new Set(suite.operations.map(({ name }) => name));
}

function queryFields({ schema }: GraphqlSuite): readonly string[] {
  const query = buildSchema(schema, { assumeValidSDL: true }).getQueryType();
  return Object.keys(query?.getFields() ?? {}).map((field) => operationOf(query?.name ?? "", field));
}

/** What stays the same while the other interface is asked is the same there. */
function sharedFields(own: GraphqlSuite, other: GraphqlSuite): readonly AcrossRelation[] {
  const there = new Set(queryFields(other));
  return queryFields(own)
    .filter((operation) => there.has(operation))
    .map((operation) => ({
      operation,
      name: "same-fields",
      holds: `($other := $other("${operation}", $input); $isSame($call("${operation}", $input), $) ? $agree($other, $))`,
      because: "Both interfaces have the field.",
    }));
}
