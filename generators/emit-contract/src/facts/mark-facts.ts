import type { Marks } from "@nodewright/model";

/** The runtime's `MarkFacts`. A type, not an interface, so that it is a JSON value. */
export type MarkFacts = {
  readonly disabledByDefault: boolean;
  readonly nodeControl: boolean;
  readonly units: number;
  readonly safe?: boolean;
  readonly servedBy?: NonNullable<Marks["servedBy"]>;
};

/** Returns the facts about the extensions of an operation that the runtime needs. */
export function markFacts({ disabledByDefault, nodeControl, units, safe, servedBy }: Marks): MarkFacts {
  return {
    disabledByDefault,
    nodeControl,
    units,
    ...(safe === undefined ? {} : { safe }),
    ...(servedBy === undefined ? {} : { servedBy }),
  };
}
