import { type GraphQLNamedType, getNamedType, isCompositeType } from "graphql";
import type { FieldSite } from "./field-site.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { identityOf } from "./select-fields.ts";
import type { Selection } from "./selection.ts";

/** What names the objects: enough for a request that is refused. */
export function smallSelection(
  run: GraphqlRun,
  { field, selection }: Pick<FieldSite, "field" | "selection">,
): readonly Selection[] {
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return [];
  const leaf = selection.selections.find(
    (one) => one.kind === "field" && one.selections.length === 0 && one.name !== "__typename",
  );
  const [identity] =
    "getFields" in type && run.schema.getType(type.name) === type && "getInterfaces" in type && isObject(type)
      ? identityOf(type)
      : [];
  if (identity !== undefined) return [{ kind: "field", name: identity.name, selections: [] }];
  return [leaf ?? { kind: "field", name: "__typename", selections: [] }];
}

function isObject(type: GraphQLNamedType): type is Parameters<typeof identityOf>[0] {
  return type.astNode?.kind === "ObjectTypeDefinition";
}
