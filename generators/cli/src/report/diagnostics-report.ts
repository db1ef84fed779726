import { type Diagnostic, renderDiagnostic, type SourceText, sortDiagnostics } from "@nodewright/source";
import { counted } from "@nodewright/terminal-text";
import { paint, visible } from "./paint.ts";

export interface DiagnosticsReport {
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, SourceText>;
  /** Whether every diagnostic is shown, however many there are of a code. */
  readonly isVerbose: boolean;
}

/** Number of diagnostics of one code that are shown individually; the rest is counted. */
const shownWarnings = 5;
const shownErrors = 100;

/** Prints diagnostics for the user to standard error. */
export function printDiagnostics({ diagnostics, texts, isVerbose }: DiagnosticsReport): void {
  if (diagnostics.length === 0) return;
  const seen = new Map<string, number>();
  const blocks = sortDiagnostics(diagnostics).flatMap((diagnostic) => {
    const { code, severity } = diagnostic;
    const before = seen.get(code) ?? 0;
    seen.set(code, before + 1);
    if (!isVerbose && before >= (severity === "error" ? shownErrors : shownWarnings)) return [];
    return [painted(visible(renderDiagnostic(diagnostic, texts.get(diagnostic.source.file))), diagnostic)];
  });
  console.error(blocks.join("\n\n"));
  const left = [...seen].flatMap(([code, number]) => {
    const severity = diagnostics.find((diagnostic) => diagnostic.code === code)?.severity;
    const rest = isVerbose ? 0 : number - (severity === "error" ? shownErrors : shownWarnings);
    return rest > 0 ? [`  … and ${rest} more of ${code}`] : [];
  });
  if (left.length > 0) console.error(["", ...left, "  --verbose shows all of them."].join("\n"));
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  console.error(`\n${counted(errors, "error")}, ${counted(diagnostics.length - errors, "warning")}.`);
}

function painted(text: string, { code, severity }: Diagnostic): string {
  const head = `${severity} ${code}`;
  const style = severity === "error" ? "red" : "yellow";
  return text.startsWith(head) ? paint(style, head, process.stderr) + text.slice(head.length) : text;
}
