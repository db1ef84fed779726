import { basename, posix } from "node:path";
import { type Artefact, artefacts, type DocumentConfig, type NodewrightConfig } from "../configuration/config.ts";
import { suggestion, UsageError } from "@nodewright/terminal-text";

/** The part of a configuration that a run covers. */
export interface Only {
  /** Indexes of the documents; undefined for all. */
  readonly documents: ReadonlySet<number> | undefined;
  /** Artefacts; undefined for all that the configuration names. */
  readonly artefacts: ReadonlySet<Artefact> | undefined;
}

/**
 * Parses the values of `--only`: artefacts and documents, the latter by the path of the document, by their package's directory or by the
 * last segment of either. Throws a `UsageError` for anything else.
 */
export function readOnly(words: readonly string[], { documents }: NodewrightConfig): Only {
  const wantedDocuments = new Set<number>();
  const wantedArtefacts = new Set<Artefact>();
  for (const word of words.flatMap((each) => each.split(",")).filter((each) => each !== "")) {
    const artefact = artefacts.find((each) => each === word);
    if (artefact !== undefined) {
      wantedArtefacts.add(artefact);
      continue;
    }
    const found = documents.flatMap((document, index) => (namesOf(document).has(plainPath(word)) ? [index] : []));
    if (found.length === 0) throw new UsageError(unknownWord(word, documents));
    for (const index of found) wantedDocuments.add(index);
  }
  return {
    documents: wantedDocuments.size === 0 ? undefined : wantedDocuments,
    artefacts: wantedArtefacts.size === 0 ? undefined : wantedArtefacts,
  };
}

function unknownWord(word: string, documents: readonly DocumentConfig[]): string {
  const sources = documents.map(({ source }) => source);
  const known = [...artefacts, ...documents.flatMap((document) => [...namesOf(document)])];
  return [
    `--only ${word}: there is no artefact or document of that name${suggestion(word, known)}.`,
    `  Artefacts: ${artefacts.join(", ")}.`,
    `  Documents: ${sources.join(", ")}.`,
  ].join("\n");
}

function namesOf({ source, package: directory, name }: DocumentConfig): ReadonlySet<string> {
  return new Set([
    plainPath(source),
    basename(source),
    plainPath(directory),
    basename(directory),
    ...(name === undefined ? [] : [name]),
  ]);
}

function plainPath(path: string): string {
  return posix.normalize(path.replaceAll("\\", "/")).replace(/\/$/, "");
}
