import { getNamedType, isCompositeType, isObjectType } from "graphql";
import type { FieldSite } from "./field-site.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { identityOf } from "./select-fields.ts";
import { member, type Selection, typename } from "./selection.ts";

/** What names the objects: enough for a request that is refused. */
export function smallSelection(
  _run: GraphqlRun,
  { field, selection }: Pick<FieldSite, "field" | "selection">,
): readonly Selection[] {
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return [];
  const [identity] = isObjectType(type) ? identityOf(type) : [];
  if (identity !== undefined) return [member(identity.name)];
  const leaf = selection.selections.find(
    (one) => one.kind === "field" && one.selections.length === 0 && one.name !== "__typename",
  );
  return [leaf ?? typename];
}
