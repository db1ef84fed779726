import type { DiagnosticTemplate } from "@nodewright/source";
import { catalogues } from "../explanations/catalogues.ts";
import { suggestion, UsageError } from "@nodewright/terminal-text";
import type { Explanation } from "../explanations/explanation.ts";
import { paint, visible } from "../report/paint.ts";
import type { CommandEnd } from "./command-options.ts";

export interface ExplainOptions {
  /** Code such as `openapi/duplicate-operation-id`, or the part after the slash; without one, all codes are listed. */
  readonly code: string | undefined;
  readonly json: boolean;
}

interface ExplainedCode extends DiagnosticTemplate, Explanation {
  readonly code: string;
}

/** Runs `nodewright explain`: describes why a diagnostic is reported, with an example and a remedy. */
export async function explain({ code, json }: ExplainOptions): Promise<CommandEnd> {
  const all = explainedCodes();
  if (code === undefined) {
    console.log(json ? JSON.stringify(all) : all.map(listed).join("\n"));
    return { exitCode: 0 };
  }
  const found = all.filter((each) => each.code === code || each.code.endsWith(`/${code}`));
  if (found.length === 0) throw new UsageError(unknownCode(code, all));
  console.log(json ? JSON.stringify(found) : found.map(explained).join("\n\n"));
  return { exitCode: 0 };
}

function explainedCodes(): readonly ExplainedCode[] {
  return catalogues.flatMap(({ origin, diagnostics, explanations }) =>
    Object.entries(diagnostics).flatMap(([name, template]) => {
      const explanation = explanations[name];
      return explanation === undefined ? [] : [{ code: `${origin}/${name}`, ...template, ...explanation }];
    }),
  );
}

function unknownCode(code: string, all: readonly ExplainedCode[]): string {
  const [origin] = code.split("/");
  const isForeign = code.includes("/") && catalogues.every((catalogue) => catalogue.origin !== origin);
  const known = all.flatMap((each) => [each.code, each.code.replace(/^.*\//, "")]);
  return [
    `There is no diagnostic "${code}"${suggestion(code, known)}.`,
    ...(isForeign
      ? [`Codes that begin with ${origin}/ are those of an emitter of that name, which explains them itself.`]
      : []),
    "nodewright explain lists all of them.",
  ].join("\n");
}

const widest = 42;

function listed({ code, severity, message }: ExplainedCode): string {
  return `${code.padEnd(widest)} ${severity.padEnd(8)} ${message}`;
}

function explained({ code, severity, message, hint, cause, example, remedy }: ExplainedCode): string {
  return visible(
    [
      `${paint(severity === "error" ? "red" : "yellow", severity, process.stdout)} ${code}`,
      `  ${message}`,
      ...(hint === undefined ? [] : [`  ${hint}`]),
      "",
      cause,
      "",
      "For example:",
      ...example.split("\n").map((line) => `  ${line}`),
      "",
      remedy,
    ].join("\n"),
  );
}
