import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, extname, join, posix, relative, resolve, sep } from "node:path";
import type { ConformanceSuite } from "@nodewright/conformance/suite";
import { kebabCase } from "@nodewright/model";
import {
  createDiagnosticSink,
  createDocumentSet,
  type Diagnostic,
  type DiagnosticSink,
  type SourceText,
  sortDiagnostics,
} from "@nodewright/source";
import type { Phases } from "../jobs/phases.ts";
import { readModel } from "../jobs/read-model.ts";
import { UsageError } from "@nodewright/terminal-text";

export interface DocumentSelection {
  /** The document, relative to the working directory. */
  readonly spec: string;
  /** GraphQL: operation documents, or directories of them, relative to the working directory. */
  readonly operations: readonly string[];
  /** Folders in addition to the document's own that its references may lead to, relative to the working directory. */
  readonly referenceFolders?: readonly string[];
}

/** A document as a suite, with everything that is to be reported about it. */
export interface SuiteReading {
  /** Absent when the document is invalid. */
  readonly suite?: ConformanceSuite;
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, SourceText>;
  /** Facts about the document that readers of a report need, one sentence each. */
  readonly notices: readonly string[];
}

/**
 * Reads a document into its suite, in memory. The document is mostly a third party's: parts that are not supported are left out with a
 * warning, and so are examples and defaults that contradict their own types.
 *
 * @throws {UsageError} when a named file is not of the kind that its option requires.
 */
export async function readSuite(choice: DocumentSelection, phases: Phases): Promise<SuiteReading> {
  const root = process.cwd();
  const source = documentPath(root, choice.spec);
  const operationFiles = choice.operations.flatMap((path) => operationFilesAt(root, path));
  const sink = withToleratedErrors(createDiagnosticSink());
  const documents = createDocumentSet(root, sink, choice.referenceFolders);
  const apiName = kebabCase(basename(source, extname(source))) || "api";
  const model = await readModel(
    { config: { source, skipUnsupported: true }, root, apiName, operationFiles },
    documents,
    sink,
    phases,
  );
  if (model === undefined) refuseOther(choice.spec, documents.files.get(source)?.text);
  const { createSuite } = await phases.measureAsync("load", () => import("@nodewright/emit-conformance/suite"));
  const { diagnostics, hasErrors } = sink;
  const suite = model === undefined || hasErrors ? undefined : phases.measure("suite", () => createSuite(model));
  if (operationFiles.length > 0 && suite !== undefined && suite.protocol !== "graphql")
    throw new UsageError(`--operations is only for GraphQL, and ${choice.spec} is not a GraphQL schema: leave it out.`);
  return {
    ...(suite === undefined ? {} : { suite }),
    diagnostics,
    texts: documents.files,
    notices: noticesOf(diagnostics),
  };
}

function documentPath(root: string, spec: string): string {
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(spec))
    throw new UsageError(`Documents are read from files, not from a network: curl -o document ${spec}`);
  const path = resolve(root, spec);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`There is no file ${spec}.`);
  if (found.isDirectory()) throw new UsageError(`${spec} is a directory, and --spec takes one document.`);
  return fromRoot(root, path);
}

/**
 * Rejects a text that does not describe an API: each of its lines would be a mistake.
 *
 * @throws {UsageError} for such a text.
 */
function refuseOther(spec: string, text: string | undefined): void {
  if (text === undefined || /\.(graphqls?|gql)$/.test(spec)) return;
  if (/(?:^|[{,])\s*["']?(?:openapi|openrpc|swagger)["']?\s*:/m.test(text)) return;
  throw new UsageError(
    `${spec} is not an API document: it has neither "openapi" nor "openrpc" at its top. OpenAPI and OpenRPC are read from YAML and JSON, GraphQL schemas from files whose names end in .graphql.`,
  );
}

function operationFilesAt(root: string, path: string): readonly string[] {
  const absolute = resolve(root, path);
  if (!existsSync(absolute)) throw new UsageError(`There is no file or directory ${path} of operations.`);
  if (!statSync(absolute).isDirectory()) return [fromRoot(root, absolute)];
  const files = readdirSync(absolute)
    .filter((name) => /\.(?:graphqls?|gql)$/.test(name))
    .toSorted();
  if (files.length === 0) throw new UsageError(`${path} holds no operations: their files end in .graphql.`);
  return files.map((name) => fromRoot(root, join(absolute, name)));
}

function fromRoot(root: string, path: string): string {
  return posix.normalize(relative(root, path).replaceAll(sep, "/"));
}

/**
 * Returns a sink that turns some errors into warnings: values that contradict their types, and third-party extensions with names similar to
 * ours. They are left out of the suite; the rest of the document can be tested.
 */
function withToleratedErrors(sink: DiagnosticSink): DiagnosticSink {
  return {
    add: (diagnostic) => sink.add(isTolerated(diagnostic) ? { ...diagnostic, severity: "warning" } : diagnostic),
    get diagnostics() {
      return sink.diagnostics;
    },
    get hasErrors() {
      return sink.hasErrors;
    },
  };
}

/**
 * Returns whether a diagnostic is tolerated: document generators leave out facts that have only one possible value, such as that a path
 * parameter is required (zod-openapi).
 */
function isTolerated(diagnostic: Diagnostic): boolean {
  const { code } = diagnostic;
  return isAboutValue(diagnostic) || /^(?:mark|relation)\//.test(code) || code === "openapi/optional-path-parameter";
}

function isAboutValue({ code }: Diagnostic): boolean {
  return code.startsWith("value/") || code.startsWith("example/");
}

/** Maximum number of sentences of one kind in a report; the rest is counted. */
const maximumNotices = 50;

function noticesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  const reported = sortDiagnostics(diagnostics).filter(
    (diagnostic) => isTolerated(diagnostic) || /\/unsupported-/.test(diagnostic.code),
  );
  const sentences = reported.slice(0, maximumNotices).map(({ message, source }) => {
    const { file, line, column } = source;
    return `${file}:${line}:${column}: ${message}`;
  });
  const rest = reported.length - sentences.length;
  return rest === 0 ? sentences : [...sentences, `${rest} more of the document's values and parts were left out.`];
}
