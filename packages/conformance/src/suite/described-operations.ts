import type { ConformanceSuite } from "./suite.ts";
import type { Place } from "./suite-type.ts";
import { withPlace } from "./with-place.ts";

/** An operation of the description, for any protocol. */
export interface DescribedOperation {
  readonly name: string;
  /** `GET /pets`, `getblock`, `query Pets`. */
  readonly origin: string;
  /** Names that patterns of a command line may match. */
  readonly names: readonly string[];
  readonly place?: Place;
}

/** Returns the operations that a suite describes; for GraphQL the documents, since fields come from the schema. */
export function describedOperations(suite: ConformanceSuite): readonly DescribedOperation[] {
  if (suite.protocol === "graphql")
    return suite.documents.map(({ name, root, place }) => {
      return { name, origin: `${root} ${name}`, names: [name], ...withPlace(place) };
    });
  return suite.operations.map(({ name, origin, tags, method, place }) => {
    const names = [name, origin, ...(suite.protocol === "rpc" ? [method] : []), ...tags];
    return { name, origin, names: [...new Set(names)], ...withPlace(place) };
  });
}

/** Returns a lookup of the names that patterns may match, by the operation's name. */
export function operationNames(suite: ConformanceSuite): (operation: string) => readonly string[] {
  const names = new Map(describedOperations(suite).map((one) => [one.name, one.names]));
  return (operation) => names.get(operation) ?? [operation];
}
