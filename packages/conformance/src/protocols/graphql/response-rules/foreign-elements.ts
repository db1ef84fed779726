import { isRecord } from "@nodewright/api-model";
import { getNullableType, isObjectType } from "graphql";
import { singularOf } from "../../../basics/singular.ts";
import { showValue } from "../../../compare/show-value.ts";
import { plainName } from "../../../compare/volatile-names.ts";
import { type Finding, finding } from "../../../contract/finding.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import { placeOf } from "../contract/place-of.ts";
import type { MetField } from "../response/walk-response.ts";
import { elementsOf, listShapeOf } from "../selection/list-shape.ts";
import { identityOf } from "../selection/select-fields.ts";

/**
 * Returns a finding when an element of an object's list does not refer back to the object: `album` of each of `Album.tracks`. That both are
 * ends of one relation is inferred from their names, which are those of the types.
 */
export function foreignElements({ parentType: owner, parent, field: list, value }: MetField): readonly Finding[] {
  const shape = listShapeOf(list.type);
  const element = shape?.element;
  if (!isObjectType(element) || element === owner || singularOf(plainName(list.name)) !== plainName(element.name))
    return [];
  const back = Object.values(element.getFields()).find(
    ({ name, type }) => getNullableType(type) === owner && name.toLowerCase() === owner.name.toLowerCase(),
  );
  const [key] = identityOf(owner);
  const own = key === undefined ? undefined : parent[key.name];
  if (back === undefined || key === undefined || own === null || own === undefined) return [];
  const others = elementsOf(shape, value)?.map((item) => (isRecord(item) ? item[back.name] : undefined)) ?? [];
  const foreign = others.find((one) => isRecord(one) && one[key.name] != null && one[key.name] !== own);
  if (!isRecord(foreign)) return [];
  const pointer = `/${list.name}/*/${back.name}/${key.name}`;
  const message = `${pointer} is another than ${key.name} of the object that lists it`;
  const detail = `${showValue(foreign[key.name])} instead of ${showValue(own)}`;
  return [finding(graphqlRules.alone, message, detail, { pointer, place: placeOf(back.astNode) })];
}
