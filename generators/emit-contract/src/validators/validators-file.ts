import { createNameAllocator, type NameAllocator } from "@nodewright/model";
import { createSourceFile, importType, importValue, type SourceFile } from "@nodewright/output";
import { formatPredicates, linearPatterns } from "./format-predicates.ts";
import { helperNames, type HelperNames } from "./helpers.ts";
import type { TypeFacts } from "./settled-validators.ts";
import { declaredFor } from "./validator-functions.ts";

/** A `validators.ts` with its imports only, and the names of everything in it. */
export interface ValidatorsFile {
  readonly file: SourceFile;
  /** Allocates names that neither exports nor imports nor helpers use. */
  readonly names: NameAllocator;
  readonly helpers: HelperNames;
  /** Asserted formats, and `linearPatterns` where needed, with the functions of the runtime that check them. */
  readonly formats: ReadonlyMap<string, string>;
  /** Name of the runtime's `Violation`. */
  readonly violation: string;
  /** Names of the imported types in the file. */
  readonly memoryTypes: ReadonlyMap<string, string>;
  /** Names of the types whose values may be nested without limit. */
  readonly deep: ReadonlySet<string>;
}

/** Opens the file of some types in which some formats are asserted. */
export function openValidatorsFile(
  types: readonly TypeFacts[],
  formats: readonly string[],
  document: string,
): ValidatorsFile {
  const declared = types.flatMap(declaredFor);
  const names = createNameAllocator(declared);
  const helpers: HelperNames = new Map(helperNames.map((name) => [name, names.allocate(name)]));
  const file = createSourceFile({ path: "validators.ts", document, declares: [...declared, ...helpers.values()] });
  const checks = new Map(
    formats.map((format) => {
      if (format === linearPatterns)
        return [format, file.use(importValue("@nodewright/runtime/patterns", "linearPattern"))];
      const predicate = formatPredicates.get(format) ?? format;
      return [format, file.use(importValue("@nodewright/runtime/formats", predicate))];
    }),
  );
  for (const local of checks.values()) names.allocate(local);
  const violation = file.use(importType("@nodewright/runtime", "Violation"));
  const imported = types.filter(({ isPredicate }) => isPredicate);
  return {
    file,
    names,
    helpers,
    formats: checks,
    violation,
    memoryTypes: new Map(imported.map(({ name }) => [name, file.use(importType("./types.ts", name))])),
    deep: new Set(types.filter(({ isDeep }) => isDeep).map(({ name }) => name)),
  };
}
