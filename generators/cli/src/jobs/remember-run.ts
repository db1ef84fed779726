import type { ApiModel, ArtefactResult } from "@nodewright/model";
import type { DocumentOutline } from "@nodewright/openapi";
import { contractNames } from "@nodewright/emit-contract/names";
import type { Diagnostic, DocumentSet } from "@nodewright/source";
import type { DocumentJob } from "./document-job.ts";
import type { RunMemory } from "./run-memory.ts";

/** The results of a run that emitted a complete document. */
export interface CompleteRun {
  readonly model: ApiModel;
  readonly documents: DocumentSet;
  readonly diagnostics: readonly Diagnostic[];
  readonly outline: DocumentOutline | undefined;
  /** Results by name of the emitter. */
  readonly results: ReadonlyMap<string, ArtefactResult>;
}

/** Returns the cache entry of a run; undefined when no part of its document can be read separately. */
export function rememberRun(job: DocumentJob, run: CompleteRun): RunMemory | undefined {
  const { model, documents, diagnostics, outline, results } = run;
  const { source } = job.config;
  const text = documents.files.get(source)?.text;
  if (outline === undefined || text === undefined || !isRememberable(job, run)) return undefined;
  const names = contractNames(model);
  const files = [...results.values()].flatMap((result) => result.files);
  return {
    text,
    outline,
    operations: model.operations.map((operation) => ({
      name: operation.name,
      origin: operation.origin,
      types: names.of(operation),
    })),
    declarations: model.declarations.map(({ name, originalName, source: { pointer } }) => ({
      name,
      originalName,
      pointer,
    })),
    diagnostics,
    settled: Object.fromEntries(
      [...results].flatMap(([name, { settled }]) => (settled === undefined ? [] : [[name, settled]])),
    ),
    pieces: Object.fromEntries(files.map(({ path, pieces = [] }) => [path, pieces])),
  };
}

/** Returns whether no result of the run depends on operations in a way that is not tracked. */
function isRememberable(job: DocumentJob, { model, documents, diagnostics }: CompleteRun): boolean {
  const { source, emitters = [], operations = {}, skipUnsupported } = job.config;
  const hasLinks = [...model.operations, ...(model.incoming ?? [])].some(({ links }) => links.length > 0);
  const isSkipping = skipUnsupported === true || Object.values(operations).some(({ skip }) => skip === true);
  const isWhole = !job.isPartial && emitters.length === 0 && documents.files.size === 1 && documents.missing.size === 0;
  // A message with a line number changes as soon as lines move.
  const arePlain = diagnostics.every(
    (each) => each.severity === "warning" && each.source.file === source && !/\bline\b/.test(each.hint ?? ""),
  );
  return isWhole && !hasLinks && !isSkipping && arePlain;
}
