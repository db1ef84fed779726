import type { SuiteParameter } from "../suite/suite.ts";

/** An input whose members are called as on the wire or as in the input, by the names of the latter. */
export function byProperty(
  parameters: readonly SuiteParameter[],
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const properties = new Map(
    parameters.flatMap(({ name, property }) => [
      [name, property],
      [property, property],
    ]),
  );
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [properties.get(name) ?? name, value]));
}
