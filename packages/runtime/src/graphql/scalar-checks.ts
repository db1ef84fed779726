import { GraphQLError } from "graphql";
import type { ScalarImplementation } from "./graphql-options.ts";

/** Checks of wire values of custom scalars, by the name of the scalar in the schema. */
export type ScalarChecks = Readonly<Record<string, (wire: unknown) => boolean>>;

/** Creates scalars whose values are their JSON: input of clients is checked against the scalar's type, and nothing is converted. */
export function checkedScalars(checks: ScalarChecks): Readonly<Record<string, ScalarImplementation>> {
  return Object.fromEntries(
    Object.entries(checks).map(([name, is]) => [
      name,
      {
        serialize: (value: unknown) => value,
        parse(value: unknown) {
          if (is(value)) return value;
          throw new GraphQLError(`It has not the form of ${name}.`);
        },
      },
    ]),
  );
}
