import { finishLines, renderCode, type SourceDeclaration } from "@nodewright/output";

/** The declarations without those that nothing mentions, and all words of the rest. */
export interface UsedDeclarations {
  readonly declarations: readonly SourceDeclaration[];
  readonly words: ReadonlySet<string>;
  /** Words of each remaining declaration: names of others among them, and the words that were searched for. */
  readonly mentions: ReadonlyMap<SourceDeclaration, readonly string[]>;
}

/**
 * Leaves out declarations that no exported function mentions, directly or through others: a part of a type that turned out to have no
 * effect was given a function all the same.
 */
export function usedDeclarations(
  declarations: readonly SourceDeclaration[],
  lookedFor: ReadonlySet<string> = new Set(),
): UsedDeclarations {
  const internal = new Map<string, SourceDeclaration>();
  const pending: SourceDeclaration[] = [];
  for (const declaration of declarations) {
    const isInternal = "isExported" in declaration && !declaration.isExported;
    if (isInternal) internal.set(declaration.name, declaration);
    else pending.push(declaration);
  }
  const used = new Set<SourceDeclaration>(pending);
  const words = new Set<string>();
  const mentions = new Map<SourceDeclaration, readonly string[]>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const own = new Set(wordsOf(next));
    mentions.set(
      next,
      [...own].filter((word) => internal.has(word) || lookedFor.has(word)),
    );
    for (const word of own) {
      if (words.has(word)) continue;
      words.add(word);
      const declaration = internal.get(word);
      if (declaration === undefined || used.has(declaration)) continue;
      used.add(declaration);
      pending.push(declaration);
    }
  }
  return { declarations: declarations.filter((declaration) => used.has(declaration)), words, mentions };
}

/** Returns the words of a declaration's code: its names, and parts of its strings. */
export function wordsOf(declaration: SourceDeclaration): readonly string[] {
  if (declaration.kind === "function") return identifiers(finishLines(declaration.body).text);
  return declaration.kind === "constant" ? identifiers(renderCode(declaration.value)) : [];
}

/** Returns runs of identifier characters; parts of strings among them are harmless. */
function identifiers(text: string): readonly string[] {
  return text.match(/[\w$\u0080-\uffff]+/g) ?? [];
}
