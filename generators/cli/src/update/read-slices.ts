import { referencesOfType, typesOfOperation } from "@nodewright/api-model";
import { type ApiModel, checkValues, type OperationSelection, type CommonReadOptions } from "@nodewright/model";
import { type DocumentSlice, type DocumentSlices, type PathChange, readOpenApi } from "@nodewright/openapi";
import { contractNames } from "@nodewright/emit-contract/names";
import { createDiagnosticSink, createDocumentSet, type Diagnostic } from "@nodewright/source";
import type { DocumentJob } from "../jobs/document-job.ts";
import type { RememberedOperation, RunMemory } from "../jobs/run-memory.ts";

/** A part of a document, before or after the change, read separately. */
interface ReadSlice {
  readonly model: ApiModel;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ReadSlices {
  readonly before: ReadSlice;
  readonly after: ReadSlice;
}

interface Doubt {
  readonly doubt: string;
}

/**
 * Reads the changed operations before and after, under the names that they have in the complete document. Returns a doubt where other
 * declarations of the document might change with them.
 */
export async function readSlices(
  job: DocumentJob,
  memory: RunMemory,
  slices: DocumentSlices,
  change: PathChange,
): Promise<ReadSlices | Doubt> {
  const operations = changedOperations(memory, slices, change);
  if ("doubt" in operations) return operations;
  const names = plainNames(memory.declarations);
  const readOptions = optionsOf(job, names, operations.selections);
  const before = await readSlice(job, slices.before, readOptions);
  const after = await readSlice(job, slices.after, readOptions);
  if (before === undefined || after === undefined) return { doubt: "the operation is not valid when read separately" };
  const doubt =
    doubtOfNames(before.model, operations.remembered, memory) ??
    doubtOfNames(after.model, operations.remembered, memory) ??
    doubtOfMeetings([before.model, after.model], slices, new Set(names.values()));
  return doubt === undefined ? { before, after } : { doubt };
}

async function readSlice(
  job: DocumentJob,
  { text }: DocumentSlice,
  readOptions: CommonReadOptions,
): Promise<ReadSlice | undefined> {
  const { source: file } = job.config;
  const sink = createDiagnosticSink();
  const documents = createDocumentSet(job.root, sink);
  documents.register(file, text);
  const model = await readOpenApi({ file, name: job.apiName, documents, sink, readOptions });
  if (model === undefined || sink.hasErrors) return undefined;
  checkValues(model, sink);
  // Other files that the document requests must be reported to the complete run.
  const isAlone = documents.files.size === 0 && documents.missing.size === 0;
  return sink.hasErrors || !isAlone ? undefined : { model, diagnostics: sink.diagnostics };
}

interface ChangedOperations {
  readonly remembered: readonly RememberedOperation[];
  readonly selections: Readonly<Record<string, OperationSelection>>;
}

interface OperationValue {
  readonly operationId?: unknown;
  readonly callbacks?: unknown;
}

function changedOperations(
  memory: RunMemory,
  slices: DocumentSlices,
  { path, operations }: PathChange,
): ChangedOperations | Doubt {
  const byOrigin = new Map(memory.operations.map((operation) => [operation.origin, operation]));
  const [before, after] = [slices.before, slices.after].map(({ text }) => operationsIn(text, path));
  const remembered: RememberedOperation[] = [];
  const selections: Record<string, OperationSelection> = {};
  for (const { name } of operations) {
    const [old, now] = [before?.[name], after?.[name]];
    const origin = `${name.toUpperCase()} ${path}`;
    const known = byOrigin.get(origin);
    if (known === undefined || old === undefined || now === undefined)
      return { doubt: `${origin} was left out before` };
    if (old.operationId !== now.operationId) return { doubt: `${origin} has another operationId` };
    if (old.callbacks !== undefined || now.callbacks !== undefined) return { doubt: `${origin} has callbacks` };
    remembered.push(known);
    const key = typeof now.operationId === "string" ? now.operationId : origin;
    selections[key] = { name: known.name };
  }
  return { remembered, selections };
}

function operationsIn(text: string, path: string): Readonly<Record<string, OperationValue>> {
  const { paths = {} } = JSON.parse(text) as { readonly paths?: Record<string, Record<string, OperationValue>> };
  return paths[path] ?? {};
}

/** Returns the options of the configuration, with the names that everything was given in the complete document. */
function optionsOf(
  { config: { formats } }: DocumentJob,
  names: ReadonlyMap<string, string>,
  operations: Readonly<Record<string, OperationSelection>>,
): CommonReadOptions {
  const declarations = Object.fromEntries(names);
  return { operations, declarations, ...(formats === undefined ? {} : { formats }) };
}

/** Returns the names of the components' declarations by their own; where one is declared in several ways, the plain one comes first. */
function plainNames(declarations: RunMemory["declarations"]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, originalName, pointer } of declarations) {
    const isComponent = /^\/components\/schemas\/[^/]*$/.test(pointer);
    if (isComponent && !names.has(originalName)) names.set(originalName, name);
  }
  return names;
}

/** Returns why the names in a part of the document differ from those of the complete one. */
function doubtOfNames(
  model: ApiModel,
  remembered: readonly RememberedOperation[],
  memory: RunMemory,
): string | undefined {
  const names = contractNames(model);
  const types = new Map(remembered.map((operation) => [operation.name, JSON.stringify(operation.types)]));
  const isSame = model.operations.every(
    (operation) => types.get(operation.name) === JSON.stringify(names.of(operation)),
  );
  if (model.operations.length !== remembered.length || !isSame)
    return "the operation has other names when read separately";
  if (model.operations.some(({ links }) => links.length > 0)) return "the operation links others";
  if (model.incoming !== undefined) return "the operation is called back";
  const declared = new Set(memory.declarations.map(({ name, pointer }) => `${name} ${pointer}`));
  const isDeclared = model.declarations.every(({ name, source: { pointer } }) => declared.has(`${name} ${pointer}`));
  return isDeclared ? undefined : "something is declared that was not";
}

/**
 * Returns a doubt about declarations that are not components. They are ordered by first encounter: operations must encounter the same ones
 * as before, in the same order.
 */
function doubtOfMeetings(
  [before, after]: readonly [ApiModel, ApiModel],
  slices: DocumentSlices,
  components: ReadonlySet<string>,
): string | undefined {
  if (declarationLines(before) !== declarationLines(after)) return "something else is declared, or in another order";
  const [met, metNow] = [before, after].map((model) => directReferences(model).filter((name) => !components.has(name)));
  if (met?.join("\n") !== metNow?.join("\n")) return "the operation refers to other declarations first";
  const isOrdered = (met?.length ?? 0) < 2 || referencesIn(slices.before) === referencesIn(slices.after);
  return isOrdered ? undefined : "the operation may refer to declarations in another order";
}

function declarationLines({ declarations }: ApiModel): string {
  return declarations.map(({ name, source: { pointer } }) => `${name} ${pointer}`).join("\n");
}

/** Returns the names that operations refer to directly. */
function directReferences({ operations }: ApiModel): readonly string[] {
  return [...new Set(operations.flatMap(typesOfOperation).flatMap((type) => [...referencesOfType(type)]))];
}

/** Returns the references of operations as they are in the source text. */
function referencesIn({ text }: DocumentSlice): string {
  const { paths } = JSON.parse(text) as { readonly paths: unknown };
  return [...JSON.stringify(paths).matchAll(/"\$ref":"[^"]*"/g)].join("\n");
}
