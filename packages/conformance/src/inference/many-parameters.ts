/** Parameters of an operation of which not all that could be tried fits into its calls. */
const manyParameters = 6;

/** Whether calls would run out if all that could be tried of each parameter were. */
export function hasManyParameters({ parameters }: { readonly parameters: readonly unknown[] }): boolean {
  return parameters.length > manyParameters;
}
