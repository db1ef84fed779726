import { finishLines, renderCode, type SourceDeclaration } from "@nodewright/output";

/** What is left of declarations when those are gone that nothing mentions, and all words of what is left. */
export interface UsedDeclarations {
  readonly declarations: readonly SourceDeclaration[];
  readonly words: ReadonlySet<string>;
  /** Words of each that is left: names of others among them, and of what is told to look for. */
  readonly mentions: ReadonlyMap<SourceDeclaration, readonly string[]>;
}

/**
 * Leaves out what no exported function mentions, in itself or through others: a part of a type that turned out to change nothing
 * has been given a function all the same.
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

/** Words of what a declaration does: its names, and pieces of its texts. */
export function wordsOf(declaration: SourceDeclaration): readonly string[] {
  if (declaration.kind === "function") return identifiers(finishLines(declaration.body).text);
  return declaration.kind === "constant" ? identifiers(renderCode(declaration.value)) : [];
}

/** Runs of what names consist of; pieces of texts among them do no harm. */
function identifiers(text: string): readonly string[] {
  return text.match(/[\w$\u0080-\uffff]+/g) ?? [];
}
