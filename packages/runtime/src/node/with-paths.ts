import type { HttpOperation } from "../operations/operation.ts";

/** Returns operations with other paths, by name; those without another path keep theirs. */
export function withPaths(
  operations: Readonly<Record<string, HttpOperation>>,
  paths: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, HttpOperation>> {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => {
      const path = Object.hasOwn(paths, name) ? paths[name] : undefined;
      return [name, path === undefined ? operation : { ...operation, path }];
    }),
  );
}
