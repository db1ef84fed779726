import { GraphQLError } from "graphql";
import type { ScalarImplementation } from "./graphql-options.ts";

/** Whether a wire value is one of a custom scalar, by the name of the scalar in the schema. */
export type ScalarChecks = Readonly<Record<string, (wire: unknown) => boolean>>;

/** Scalars whose values are what they are in JSON: what callers send is held against the scalar's type, and nothing is converted. */
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
