import type { Extensions } from "@nodewright/model";

/** The runtime's `ExtensionFacts`. A type, not an interface, so that it is a JSON value. */
export type ExtensionFacts = {
  readonly disabledByDefault: boolean;
  readonly nodeControl: boolean;
  readonly units: number;
  readonly safe?: boolean;
  readonly servedBy?: NonNullable<Extensions["servedBy"]>;
};

/** Returns the facts about the extensions of an operation that the runtime needs. */
export function extensionFacts({ disabledByDefault, nodeControl, units, safe, servedBy }: Extensions): ExtensionFacts {
  return {
    disabledByDefault,
    nodeControl,
    units,
    ...(safe === undefined ? {} : { safe }),
    ...(servedBy === undefined ? {} : { servedBy }),
  };
}
