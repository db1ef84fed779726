import { suggestion } from "@nodewright/terminal-text";
import { dirname, isAbsolute, join, posix, resolve as resolvePath } from "node:path";
import { createAllowedFolders } from "./allowed-folders.ts";
import { createReport, type DiagnosticSink, type Report, type SourceRange } from "./diagnostic.ts";
import { fragmentTokens } from "./json-pointer.ts";
import { readJson } from "./json-scanner.ts";
import { readTextFile } from "./read-text-file.ts";
import { sourceDiagnostics } from "./source-diagnostics.ts";
import { SourceValue, type SourceDocument } from "./source-document.ts";
import type { SourceNode } from "./source-node.ts";
import { createSourceText, type SourceText } from "./source-text.ts";
import { readYaml } from "./yaml-reader.ts";

/** The documents of one run. Each is read once; references between them are resolved without a network. */
export interface DocumentSet {
  /** Reads a JSON or YAML document. Returns undefined, with diagnostics, if that fails. `askedBy`: where another document names it. */
  read(file: string, referrer?: SourceRange): SourceDocument | undefined;
  /** Reads a text document such as GraphQL SDL. */
  readText(file: string, referrer?: SourceRange): SourceText | undefined;
  /** Follows a `$ref` to its value, through further `$ref`s. Returns undefined, with a diagnostic, if it cannot be resolved. */
  resolve(reference: SourceValue): SourceValue | undefined;
  /** Resolves one `$ref`: the value may be another `$ref`. */
  resolveOnce(reference: SourceValue): SourceValue | undefined;
  /** Registers the source text for an absolute URI, as if it had been fetched from there: `read` finds it by that URI. */
  register(uri: string, text: string): void;
  /** Returns whether `read` would find a document of that name without reading from disk. */
  knows(name: string): boolean;
  /** Registers the URI by which a document identifies itself: references to that URI resolve to it. */
  identify(uri: string, document: SourceDocument): void;
  /** Follows the tokens of a JSON Pointer from `root`. Returns undefined, with a diagnostic at `place`, if they cannot be resolved. */
  follow(root: SourceValue, tokens: readonly string[], place: SourceValue): SourceValue | undefined;
  /** Every file read so far, for digests. */
  readonly files: ReadonlyMap<string, SourceText>;
  /** Every requested file that could not be read. */
  readonly missing: ReadonlySet<string>;
  /** Releases the values of documents, which are many times as large as their source texts; these are kept. */
  release(): void;
}

/**
 * Creates a set of documents. Relative file names start at `baseDirectory`; diagnostics name files as they were given.
 *
 * A file that is read without `askedBy` was named by the user. Files that documents refer to must be below the folder of such a file, or
 * below one of `allowedFolders` (absolute, or relative to the base directory).
 */
export function createDocumentSet(
  baseDirectory: string,
  sink: DiagnosticSink,
  allowedFolders: readonly string[] = [],
): DocumentSet {
  const report = createReport("source", sourceDiagnostics, sink);
  const texts = new Map<string, SourceText>();
  const documents = new Map<string, SourceDocument | undefined>();
  const registered = new Map<string, string>();
  /** URIs by which documents identify themselves, by file. */
  const identities = new Map<string, string>();
  const missing = new Set<string>();
  /** Files that are not valid text; each is reported once. */
  const unreadable = new Set<string>();
  /** Final targets of references: each chain is followed once, however many references lead into it. */
  const resolved = new Map<SourceNode, SourceValue | undefined>();

  const folders = createAllowedFolders(baseDirectory);
  for (const folder of allowedFolders) folders.allow(resolvePath(baseDirectory, folder));

  const readText = (file: string, referrer?: SourceRange): SourceText | undefined => {
    if (unreadable.has(file)) return undefined;
    const known = texts.get(file);
    if (known !== undefined) return known;
    const path = isAbsolute(file) ? file : join(baseDirectory, file);
    if (referrer === undefined) folders.allow(dirname(path));
    // The first file is the document itself, which may be a link. Later files without a referrer were found in a folder.
    const outside = texts.size === 0 && referrer === undefined ? undefined : folders.placeOutside(path);
    if (outside !== undefined) {
      const place = referrer ?? createSourceText(file, "").range(0, 0, "");
      report("outside-reference", place, { file, place: outside, folder: posix.dirname(outside) });
      return undefined;
    }
    try {
      const { text: characters, wrongAt, isUtf16 } = readTextFile(path);
      const text = createSourceText(file, characters);
      texts.set(file, text);
      if (wrongAt !== undefined) {
        const format = isUtf16 ? "it is UTF-16" : "the first invalid byte is here";
        report("not-utf-8", text.range(wrongAt, wrongAt + 1, ""), { format });
        unreadable.add(file);
        return undefined;
      }
      return text;
    } catch (reason) {
      missing.add(file);
      report("file-not-found", referrer ?? createSourceText(file, "").range(0, 0, ""), {
        path: file,
        reason: reason instanceof Error ? reason.message : String(reason),
      });
      return undefined;
    }
  };

  const read = (file: string, referrer?: SourceRange): SourceDocument | undefined => {
    if (documents.has(file)) return documents.get(file);
    const given = registered.get(file);
    const text = given === undefined ? readText(file, referrer) : createSourceText(file, given);
    const root = text && (isJson(text) ? readJson(text, report) : readYaml(text, report));
    const document = text && root && { file, text, root: new SourceValue(text, root, "") };
    documents.set(file, document);
    return document;
  };

  /** Returns the URI of a document that a reference from a file identifies; undefined if no document has that URI. */
  const knownName = (path: string, from: string): string | undefined => {
    const identity = identities.get(from);
    const uri = identity === undefined ? path : (URL.parse(path, identity)?.href ?? path);
    return path !== "" && documents.has(uri) && uri.includes(":") ? uri : undefined;
  };

  const resolveOnce = (reference: SourceValue): SourceValue | undefined => {
    const place = reference.member("$ref") ?? reference;
    const text = place.string;
    if (text === undefined) {
      report("unresolved-reference", place.source, { reference: String(place.value), reason: "it is not a string" });
      return undefined;
    }
    return resolveText(text, place, { read, report, knownName });
  };

  const resolve = (reference: SourceValue): SourceValue | undefined => {
    if (!reference.has("$ref")) return reference;
    const chain = new Set<SourceNode>();
    let place: SourceValue | undefined = reference;
    while (place?.has("$ref") && !resolved.has(place.node)) {
      if (chain.has(place.node)) {
        report("circular-reference", place.source, { reference: String(place.member("$ref")?.value) });
        place = undefined;
        break;
      }
      chain.add(place.node);
      place = resolveOnce(place);
    }
    const target = place?.has("$ref") ? resolved.get(place.node) : place;
    for (const node of chain) resolved.set(node, target);
    return target;
  };

  return {
    read,
    readText,
    resolve,
    resolveOnce,
    register(uri, text) {
      registered.set(uri, text);
    },
    knows(name) {
      return documents.has(name) || registered.has(name);
    },
    identify(uri, document) {
      identities.set(document.file, uri);
      documents.set(uri, document);
    },
    follow(root, tokens, place) {
      return followTokens(root, tokens, place, report);
    },
    files: texts,
    missing,
    release() {
      documents.clear();
    },
  };
}

function resolveText(
  reference: string,
  place: SourceValue,
  {
    read,
    report,
    knownName,
  }: {
    readonly read: DocumentSet["read"];
    readonly report: Report<typeof sourceDiagnostics>;
    readonly knownName: (path: string, from: string) => string | undefined;
  },
): SourceValue | undefined {
  const hash = reference.indexOf("#");
  const path = hash === -1 ? reference : reference.slice(0, hash);
  const fragment = hash === -1 ? "" : reference.slice(hash + 1);
  const known = knownName(path, place.document.file);
  if (known === undefined && /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) {
    report("remote-reference", place.source, { reference });
    return undefined;
  }
  const beside = path === "" ? place.document.file : siblingFile(place.document.file, path);
  if (beside === undefined) {
    report("unresolved-reference", place.source, { reference, reason: 'a "%" in it is followed by no two digits' });
    return undefined;
  }
  const target = read(known ?? beside, place.source);
  if (target === undefined) return undefined;
  const tokens = fragmentTokens(fragment);
  if (tokens === undefined) {
    report("unresolved-reference", place.source, { reference, reason: "the fragment is not a JSON Pointer" });
    return undefined;
  }
  return followTokens(target.root, tokens, place, report);
}

/** Returns the file at a path relative to another file; undefined if the percent-encoding is malformed. */
function siblingFile(file: string, path: string): string | undefined {
  try {
    const name = decodeURIComponent(path);
    return posix.isAbsolute(name) ? posix.normalize(name) : posix.join(dirname(file), name);
  } catch {
    return undefined;
  }
}

function followTokens(
  root: SourceValue,
  tokens: readonly string[],
  place: SourceValue,
  report: Report<typeof sourceDiagnostics>,
): SourceValue | undefined {
  let found = root;
  for (const name of tokens) {
    const next = found.child(name);
    if (next === undefined) {
      const where = found.pointer === "" ? "the document" : `#${found.pointer}`;
      report("unresolved-reference", place.source, {
        reference: place.string ?? String(place.value),
        reason: `there is no "${name}" in ${where}${suggestion(name, namesIn(found))}`,
      });
      return undefined;
    }
    found = next;
  }
  return found;
}

function namesIn({ node }: SourceValue): Iterable<string> {
  return node.kind === "object" ? node.members.keys() : [];
}

function isJson(text: SourceText): boolean {
  return text.file.endsWith(".json") || /^\uFEFF?\s*[{[]/.test(text.text);
}
