import type { Marks } from "@nodewright/model";

/** The runtime's `MarkFacts`. A type, not an interface, so that it is a JSON value. */
export type MarkFacts = {
  readonly disabledByDefault: boolean;
  readonly nodeControl: boolean;
  readonly units: number;
  readonly safe?: boolean;
  readonly servedBy?: NonNullable<Marks["servedBy"]>;
};

/** What the runtime has to know of the marks of an operation. */
export function markFacts({ disabledByDefault, nodeControl, units, safe, servedBy }: Marks): MarkFacts {
  return {
    disabledByDefault,
    nodeControl,
    units,
    ...(safe === undefined ? {} : { safe }),
    ...(servedBy === undefined ? {} : { servedBy }),
  };
}
