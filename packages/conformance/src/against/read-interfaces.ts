import { readdirSync, readFileSync } from "node:fs";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { AcrossRelation } from "./across.ts";

/** A file that says what two interfaces tell alike. */
interface InterfacesFile {
  readonly format: 1;
  /** Names of the suites. */
  readonly between: readonly [string, string];
  /** `suite`: the one whose operation is answered. */
  readonly relations: readonly (AcrossRelation & { readonly suite: string })[];
}

const directory = new URL("../../profiles/", import.meta.url);
const extension = "-interfaces.json";

/** What is held between two suites by the files that come along; empty where nothing is known of them. */
export function relationsBetween(
  own: Pick<ConformanceSuite, "name">,
  other: Pick<ConformanceSuite, "name">,
): readonly AcrossRelation[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(extension))
    .map((name) => JSON.parse(readFileSync(new URL(name, directory), "utf8")) as InterfacesFile)
    .filter(({ between }) => between.includes(own.name) && between.includes(other.name))
    .flatMap(({ relations }) => relations.filter(({ suite }) => suite === own.name));
}
