import { posix } from "node:path";
import type { ApiModel, EmittedFile } from "@nodewright/model";
import { manifestName } from "@nodewright/output/write";
import type { DiagnosticSink } from "@nodewright/source";
import type { ConfigPath, ConfigProblem } from "../configuration/config-problems.ts";
import type { DocumentJob } from "./document-job.ts";
import type { Phases } from "./phases.ts";

/** A file of a generated directory with its emitter. */
export interface OwnedFile extends EmittedFile {
  /** Name of its emitter, as in messages. */
  readonly owner: string;
}

export interface UserEmission {
  readonly files: readonly OwnedFile[];
  /** Paths that emitters must not write, or that two of them write. */
  readonly problems: readonly ConfigProblem[];
}

/** An error that a user's emitter threw: neither the document's mistake nor an internal error. */
export class EmitterError extends Error {
  override readonly name = "EmitterError";

  constructor(emitter: string, cause: unknown) {
    super(`The emitter ${emitter} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Runs the emitters of the configuration for a document, and checks their files against those of the toolkit. */
export function runUserEmitters(
  job: DocumentJob,
  model: ApiModel,
  own: readonly OwnedFile[],
  { sink, phases }: { readonly sink: DiagnosticSink; readonly phases: Phases },
): UserEmission {
  const owners = new Map(own.map(({ path, owner }) => [fileKey(path), owner]));
  owners.set(manifestName, "nodewright");
  const files: OwnedFile[] = [];
  const problems: ConfigProblem[] = [];
  for (const [index, choice] of (job.config.emitters ?? []).entries()) {
    const { emitter, options } = "emitter" in choice ? choice : { emitter: choice, options: undefined };
    const place: ConfigPath = ["documents", job.index, "emitters", index];
    const emitted = phases.measure(`emit ${emitter.name}`, () => {
      try {
        const result = emitter.emit({
          model,
          packageName: job.packageName,
          options: emitter.parseOptions?.(options),
          report: ({ code, severity, message, hint, source }) =>
            sink.add({
              code: `${emitter.name}/${code}`,
              severity,
              message,
              source,
              ...(hint === undefined ? {} : { hint }),
            }),
        });
        if (!isResult(result)) throw new TypeError("it has to return { files: [{ path, text }] }.");
        return result;
      } catch (reason) {
        throw new EmitterError(emitter.name, reason);
      }
    });
    for (const { path, text } of emitted.files) {
      const owner = owners.get(fileKey(path));
      if (!isInnerFile(path)) {
        problems.push({ code: "file-outside", path: place, facts: { emitter: `The emitter ${emitter.name}`, path } });
      } else if (owner !== undefined) {
        problems.push({
          code: "clashing-files",
          path: place,
          facts: { path, first: owner, second: `the emitter ${emitter.name}` },
        });
      } else {
        owners.set(fileKey(path), `the emitter ${emitter.name}`);
        files.push({ path, text: text.replaceAll("\r\n", "\n"), owner: `the emitter ${emitter.name}` });
      }
    }
  }
  return { files, problems };
}

/** Returns whether an emitter returned a valid result: emitters are third-party code, and need not be TypeScript. */
function isResult(result: unknown): boolean {
  const files = (result as { readonly files?: unknown } | undefined)?.files;
  if (!Array.isArray(files)) return false;
  return files.every(
    (file: Partial<EmittedFile> | null) => typeof file?.path === "string" && typeof file.text === "string",
  );
}

/** Returns a key that is equal for paths that are the same file on case-insensitive file systems. */
function fileKey(path: string): string {
  return path.toLowerCase().normalize("NFC");
}

function isInnerFile(path: string): boolean {
  return (
    path !== "" &&
    !/[\\\0]/.test(path) &&
    !posix.isAbsolute(path) &&
    posix.normalize(path) === path &&
    !path.endsWith("/") &&
    path.split("/").every((part) => !part.startsWith("."))
  );
}
