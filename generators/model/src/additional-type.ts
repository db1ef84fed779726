import type { RecordNode, TypeNode } from "./read-model.ts";

/** Returns the type of the members that a record does not name: any value, unless the record defines it. */
export function additionalOf({ additional, source }: RecordNode): TypeNode {
  return additional ?? { kind: "any", source };
}
