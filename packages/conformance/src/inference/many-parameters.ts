/** Maximum number of parameters of an operation all values of which can be tried within its calls. */
const manyParameters = 6;

/** Whether an operation has too many parameters to try all their values. */
export function hasManyParameters({ parameters }: { readonly parameters: readonly unknown[] }): boolean {
  return parameters.length > manyParameters;
}
