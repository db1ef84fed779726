import { readdirSync, readFileSync } from "node:fs";
import type { ConformanceSuite } from "../suite/suite.ts";
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
 * What is held between two suites by the files that come along: known by the names of their operations, since documents of one
 * interface have many titles. Empty where nothing is known of them.
 */
export function relationsBetween(own: ConformanceSuite, other: ConformanceSuite): readonly AcrossRelation[] {
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
  const operations = suite.protocol === "graphql" ? suite.documents : suite.operations;
  return new Set(operations.map(({ name }) => name));
}
