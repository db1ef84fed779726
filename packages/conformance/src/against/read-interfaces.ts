import { readdirSync, readFileSync } from "node:fs";
import type { AcrossRelation } from "../contract/options.ts";
import type { ConformanceSuite, GraphqlSuite } from "../suite/suite.ts";
import { type ComparedOperation, comparedOperations, queryFields } from "./compared-operation.ts";

/** A file with relations between two interfaces. */
interface InterfacesFile {
  readonly format: 1;
  readonly relations: readonly InterfaceRelation[];
}

/** `protocol`: protocol of the interface whose operation is called. */
interface InterfaceRelation extends AcrossRelation {
  readonly protocol: ConformanceSuite["protocol"];
}

const directory = new URL("../../profiles/", import.meta.url);
const extension = "-interfaces.json";

/**
 * Returns the relations between two suites: for two GraphQL schemas the common fields of the query types, for others the relations of the
 * included files for operations with these names, since documents of one interface have many titles. Empty where none are known.
 */
export function relationsBetween(own: ConformanceSuite, other: ConformanceSuite): readonly AcrossRelation[] {
  if (own.protocol === "graphql" && other.protocol === "graphql") return sharedFields(own, other);
  if (own.protocol === other.protocol) return [];
  const [ownNames, otherNames] = [namesOf(comparedOperations(own)), namesOf(comparedOperations(other))];
  return readdirSync(directory)
    .filter((name) => name.endsWith(extension))
    .map((name) => JSON.parse(readFileSync(new URL(name, directory), "utf8")) as InterfacesFile)
    .flatMap(({ relations }) => relations)
    .filter(({ protocol, operation, holds }) => {
      const isOwn = protocol === own.protocol && ownNames.has(operation);
      return isOwn && requestedOf(holds).every((name) => otherNames.has(name));
    })
    .map(({ protocol: _protocol, ...relation }) => relation);
}

function requestedOf(holds: string): readonly string[] {
  return [...holds.matchAll(/\$other\(\s*"([^"]+)"/g)].flatMap(([, name]) => name ?? []);
}

function namesOf(operations: readonly ComparedOperation[]): ReadonlySet<string> {
  return new Set(operations.map(({ name }) => name));
}

/** Returns relations of the fields of both query types: fields that do not change while the other interface is called are equal there. */
function sharedFields(own: GraphqlSuite, other: GraphqlSuite): readonly AcrossRelation[] {
  const there = namesOf(queryFields(other));
  return [...namesOf(queryFields(own))]
    .filter((operation) => there.has(operation))
    .map((operation) => ({
      operation,
      name: "same-fields",
      holds: `($other := $other("${operation}", $input); $isSame($call("${operation}", $input), $) ? $agree($other, $))`,
      because: "Both interfaces have the field.",
    }));
}
