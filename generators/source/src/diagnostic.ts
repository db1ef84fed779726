/** Range in a document. Lines and columns count from 1, columns in UTF-16 units; offsets count from 0. */
export interface SourceRange {
  /** Path as the user named the document, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Offset of the first character in the document's text. */
  readonly start: number;
  /** Offset one past the last character. */
  readonly end: number;
  /** JSON Pointer (RFC 6901) of the value, or a path such as `Query.block` for documents that are not JSON-like. */
  readonly pointer: string;
}

/** Severity of a diagnostic: an error prevents generation, a warning does not. */
export type Severity = "error" | "warning";

/** A problem of a document, with its location and how to fix it. */
export interface Diagnostic {
  /** `origin/kebab-case`, an entry of a catalogue. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** How to fix it, in one sentence. */
  readonly hint?: string;
  readonly source: SourceRange;
}

/** Severity and message of the diagnostics with one code. */
export interface DiagnosticTemplate {
  readonly severity: Severity;
  /** Message with `{name}` placeholders; their names become the facts that each report requires. */
  readonly message: string;
  readonly hint?: string;
}

/** Templates of diagnostics by code. */
export type DiagnosticCatalogue = Readonly<Record<string, DiagnosticTemplate>>;

/** Names of the placeholders in a message: `"a" | "b"` for `"{a} and {b}"`. */
type Holes<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never;

type TextOf<Template extends DiagnosticTemplate> =
  | Template["message"]
  | (Template extends { hint: infer Hint extends string } ? Hint : never);

/** Values for the placeholders in a template's message and hint. */
export type Facts<Template extends DiagnosticTemplate> = Readonly<Record<Holes<TextOf<Template>>, string | number>>;

/** Reports a diagnostic by code. An unknown code or a missing fact is a compile error. */
export type Report<Catalogue extends DiagnosticCatalogue> = <Code extends keyof Catalogue & string>(
  code: Code,
  source: SourceRange,
  facts: Facts<Catalogue[Code]>,
) => void;

/** Receiver of diagnostics, one by one. */
export interface DiagnosticReceiver {
  add(diagnostic: Diagnostic): void;
}

/** Collector of the diagnostics of one run, from all its documents. */
export interface DiagnosticSink extends DiagnosticReceiver {
  readonly diagnostics: readonly Diagnostic[];
  readonly hasErrors: boolean;
}

/** Creates an empty collection of diagnostics. A diagnostic with the same code, message and position is added once. */
export function createDiagnosticSink(): DiagnosticSink {
  const diagnostics: Diagnostic[] = [];
  const reported = new Set<string>();
  let hasErrors = false;
  return {
    add(diagnostic) {
      const { code, message, source } = diagnostic;
      const key = JSON.stringify([code, message, source.file, source.start]);
      if (reported.has(key)) return;
      reported.add(key);
      diagnostics.push(diagnostic);
      hasErrors ||= diagnostic.severity === "error";
    },
    diagnostics,
    get hasErrors() {
      return hasErrors;
    },
  };
}

/** Returns a report function for a catalogue and a sink. Its codes are `origin/key`. */
export function createReport<const Catalogue extends DiagnosticCatalogue>(
  origin: string,
  catalogue: Catalogue,
  sink: DiagnosticReceiver,
): Report<Catalogue> {
  return (code, source, facts) => {
    const template = catalogue[code];
    if (template === undefined) throw new Error(`No diagnostic "${origin}/${code}" in the catalogue`);
    const hint = template.hint === undefined ? {} : { hint: fill(template.hint, facts) };
    sink.add({
      code: `${origin}/${code}`,
      severity: template.severity,
      message: fill(template.message, facts),
      ...hint,
      source,
    });
  };
}

function fill(text: string, facts: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{([a-zA-Z]+)\}/g, (hole, name: string) => String(facts[name] ?? hole));
}
