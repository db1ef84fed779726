import type { DocumentSet, Located } from "@nodewright/source";
import type { DocumentNode } from "graphql";

export interface CompanionOptions {
  readonly documents: DocumentSet;
  readonly hasFile: (file: string) => boolean;
}

/** What stands beside a file of operations: of `block.graphql` and `.examples.yaml`, `block.examples.yaml`. */
export function companionFile(file: string, ending: string): string {
  return file.replace(/\.(?:graphqls?|gql)$/, "") + ending;
}

/** The items of the list that stands beside a file of operations; none where there is no such file. `reportNoList` is given what is no list. */
export function companionItems(
  { documents, hasFile }: CompanionOptions,
  companion: string,
  reportNoList: (root: Located) => void,
): readonly Located[] {
  const root = hasFile(companion) ? documents.read(companion)?.root : undefined;
  if (root !== undefined && root.typeName !== "array") reportNoList(root);
  return root?.items ?? [];
}

/** The operation of the file that an item is about. Beside several operations, or none, the item says it; undefined where that is none of the file's. */
export function ownerOf(item: Located, { definitions }: DocumentNode): OwnerOrNames {
  const names = definitions.flatMap((definition) =>
    definition.kind === "OperationDefinition" ? (definition.name?.value ?? []) : [],
  );
  const owner = item.member("operation")?.string ?? (names.length === 1 ? names[0] : undefined);
  return { owner: owner !== undefined && names.includes(owner) ? owner : undefined, names };
}

interface OwnerOrNames {
  readonly owner: string | undefined;
  /** Of all operations of the file. */
  readonly names: readonly string[];
}
