import type { DocumentSet, SourceValue, Report } from "@nodewright/source";
import { type DocumentNode, Kind, type OperationDefinitionNode } from "graphql";
import type { graphqlDiagnostics } from "./graphql-diagnostics.ts";

export interface CompanionOptions {
  readonly documents: DocumentSet;
  readonly hasFile: (file: string) => boolean;
  readonly report: Report<typeof graphqlDiagnostics>;
}

/** A file with operations. */
export interface OperationFile {
  readonly file: string;
  readonly ast: DocumentNode;
}

/** Kind of file next to files with operations: a list of items, each of which belongs to one operation. */
export interface CompanionKind {
  /** File name ending: with `.examples.yaml`, the companion of `block.graphql` is `block.examples.yaml`. */
  readonly ending: string;
  /** Diagnostic for a file that does not contain a list. */
  readonly noList: "not-an-example" | "not-a-range" | "not-relations";
  /** Diagnostic for an item that belongs to no operation of its file. */
  readonly unclaimed: "unclaimed-example" | "unclaimed-pages" | "unclaimed-relation";
}

/** Reads the items of the companion files, by name of their operation. In a file with one operation, items need not name it. */
export function itemsByOperation(
  { documents, hasFile, report }: CompanionOptions,
  files: readonly OperationFile[],
  { ending, noList, unclaimed }: CompanionKind,
): ReadonlyMap<string, readonly SourceValue[]> {
  const items = new Map<string, SourceValue[]>();
  for (const { file, ast } of files) {
    const companion = file.replace(/\.(?:graphqls?|gql)$/, "") + ending;
    const root = hasFile(companion) ? documents.read(companion)?.root : undefined;
    if (root === undefined) continue;
    if (root.typeName !== "array") report(noList, root.source, {});
    const names = operationsOf(ast).map(writtenName);
    for (const item of root.items) {
      const owner = item.member("operation")?.string ?? (names.length === 1 ? names[0] : undefined);
      if (owner !== undefined && names.includes(owner)) items.set(owner, [...(items.get(owner) ?? []), item]);
      else report(unclaimed, item.source, { file, operations: names.join(", ") });
    }
  }
  return items;
}

/** Returns the operations of a file, in document order. */
export function operationsOf({ definitions }: DocumentNode): readonly OperationDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

/** Returns the name of an operation; an empty string for an anonymous one. */
export function writtenName({ name }: OperationDefinitionNode): string {
  return name?.value ?? "";
}
