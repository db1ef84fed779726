import type { RecordNode, TypeNode } from "./read-model.ts";

/** Type of the members that a record does not name: any value where it has none of its own. */
export function additionalOf({ additional, source }: RecordNode): TypeNode {
  return additional ?? { kind: "any", source };
}
