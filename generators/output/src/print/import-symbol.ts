/** An export of another module. Emitters use it like any name; the file writes its import. */
export interface ImportSymbol {
  /** Module specifier in the importing file: `./types.ts`, `@nodewright/runtime`. */
  readonly module: string;
  /** Exported name; `*` for the module itself. */
  readonly name: string;
  readonly typeOnly: boolean;
}

/** Returns a symbol that is imported as a value. */
export function importValue(module: string, name: string): ImportSymbol {
  return { module, name, typeOnly: false };
}

/** Returns a symbol that is imported with `import type`. */
export function importType(module: string, name: string): ImportSymbol {
  return { module, name, typeOnly: true };
}
