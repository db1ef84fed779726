import { type GraphqlDocument, readRelations } from "@nodewright/model";
import type { DiagnosticSink, DocumentSet, Located, Report } from "@nodewright/source";
import type { DocumentNode } from "graphql";
import { companionFile } from "./companion-file.ts";
import type { graphqlDiagnostics } from "./graphql-diagnostics.ts";

export interface RelationOptions {
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
  readonly report: Report<typeof graphqlDiagnostics>;
  readonly hasFile: (file: string) => boolean;
}

/** An operation by the name that it is written with. */
export interface NamedDocument {
  readonly name: string;
  readonly document: GraphqlDocument;
}

const owningMember: ReadonlySet<string> = new Set(["operation"]);

/**
 * Reads what holds between answers: the relations of the operations in `block.graphql` stand in `block.relations.yaml`, a list of
 * `{ operation?, name, holds, because? }`.
 */
export function withRelations(
  options: RelationOptions,
  files: readonly { readonly file: string; readonly ast: DocumentNode }[],
  operations: readonly NamedDocument[],
): readonly GraphqlDocument[] {
  const items = new Map<string, Located[]>();
  for (const { file, ast } of files) {
    const names = operationNames(ast);
    for (const item of relationItems(options, file)) {
      const owner = item.member("operation")?.string ?? (names.length === 1 ? names[0] : undefined);
      if (owner === undefined || !names.includes(owner))
        options.report("unclaimed-relation", item.source, { file, operations: names.join(", ") });
      else items.set(owner, [...(items.get(owner) ?? []), item]);
    }
  }
  return operations.map(({ name, document }) => {
    const relations = readRelations(items.get(name) ?? [], options.sink, owningMember);
    return relations.length === 0 ? document : { ...document, relations };
  });
}

function relationItems({ documents, report, hasFile }: RelationOptions, file: string): readonly Located[] {
  const relationsFile = companionFile(file, ".relations.yaml");
  const root = hasFile(relationsFile) ? documents.read(relationsFile)?.root : undefined;
  if (root !== undefined && root.typeName !== "array") report("not-relations", root.source, {});
  return root?.items ?? [];
}

function operationNames({ definitions }: DocumentNode): readonly string[] {
  return definitions.flatMap((definition) =>
    definition.kind === "OperationDefinition" ? (definition.name?.value ?? []) : [],
  );
}
