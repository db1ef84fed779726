import { type GraphqlDocument, readRelations } from "@nodewright/model";
import type { DiagnosticSink, DocumentSet, Located, Report } from "@nodewright/source";
import type { DocumentNode } from "graphql";
import { companionFile, companionItems, ownerOf } from "./companion-file.ts";
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
    const relationsFile = companionFile(file, ".relations.yaml");
    const reportNoList = (root: Located): void => options.report("not-relations", root.source, {});
    for (const item of companionItems(options, relationsFile, reportNoList)) {
      const { owner, names } = ownerOf(item, ast);
      if (owner === undefined)
        options.report("unclaimed-relation", item.source, { file, operations: names.join(", ") });
      else items.set(owner, [...(items.get(owner) ?? []), item]);
    }
  }
  return operations.map(({ name, document }) => {
    const relations = readRelations(items.get(name) ?? [], options.sink, owningMember);
    return relations.length === 0 ? document : { ...document, relations };
  });
}
