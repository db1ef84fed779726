import { type GraphqlDocument, readRelations } from "@nodewright/model";
import type { DiagnosticSink } from "@nodewright/source";
import { type CompanionOptions, itemsByOperation, type OperationFile } from "./companion-file.ts";
import type { ReadOperation } from "./page-ranges.ts";

const owningMember: ReadonlySet<string> = new Set(["operation"]);

/**
 * Reads relations between responses: those of the operations in `block.graphql` are in `block.relations.yaml`, a list of `{ operation?,
 * name, holds, because? }`.
 */
export function withRelations(
  options: CompanionOptions & { readonly sink: DiagnosticSink },
  files: readonly OperationFile[],
  operations: readonly ReadOperation[],
): readonly GraphqlDocument[] {
  const items = itemsByOperation(options, files, {
    ending: ".relations.yaml",
    noList: "not-relations",
    unclaimed: "unclaimed-relation",
  });
  return operations.map(({ name, document }) => {
    const relations = readRelations(items.get(name) ?? [], options.sink, owningMember);
    return relations.length === 0 ? document : { ...document, relations };
  });
}
