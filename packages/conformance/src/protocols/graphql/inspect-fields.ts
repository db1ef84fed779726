import { singularOf } from "../../basics/singular.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { showValue } from "../../compare/show-value.ts";
import { isRecord } from "@nodewright/api-model";
import { getNamedType, getNullableType, isLeafType, isObjectType, valueFromASTUntyped } from "graphql";
import { type Finding, finding, uniqueFindings } from "../../contract/finding.ts";
import { inspectResponse } from "../../properties/properties.ts";
import type { Input, OperationDescription } from "../../properties/operation.ts";
import type { RequestedDocument } from "./collect-fields.ts";
import type { GraphqlRun, ValidatedResponse } from "./graphql-run.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { isSingle } from "./field-names.ts";
import { elementsOf, listShapeOf } from "./list-shape.ts";
import { placeOf } from "./place-of.ts";
import { resultOf } from "./field-operation.ts";
import { describeField, typeOf } from "./field-types.ts";
import { identityOf } from "./select-fields.ts";
import type { MetField } from "./walk-response.ts";

/** Returns the findings that all protocols have within a response: for each list and object, as if it were requested by itself. */
export function inspectFields(run: GraphqlRun, { requested, met }: ValidatedResponse): readonly Finding[] {
  // A list with arguments may be only a part of what is counted next to it.
  const parts = Map.groupBy(
    met.filter(({ field, value }) => field.args.length > 0 && Array.isArray(value)),
    ({ parent }) => parent,
  );
  const whole = (object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const keys = new Set(parts.get(object)?.map(({ key }) => key));
    return keys.size === 0 ? object : Object.fromEntries(Object.entries(object).filter(([key]) => !keys.has(key)));
  };
  const ofOthers = met.flatMap(unknownFieldFindings);
  const inspected = met.flatMap((one): readonly Finding[] => {
    const { value } = one;
    if (isLeafType(getNullableType(one.field.type))) return [];
    const operation = descriptionOf(run, one);
    const input = inputOf(one, {});
    if (isRecord(value)) {
      const shape = listShapeOf(one.field.type);
      const { page } = shape === undefined ? {} : resultOf(shape, value, input);
      const result = { value: whole(value), ...(page === undefined ? {} : { page }) };
      // Members of the object itself may repeat the key that it was requested by; nested lists need not.
      const own = Object.fromEntries(Object.entries(value).filter(([, member]) => typeof member !== "object"));
      const byKey = { input: inputOf(one, requested.variables), result: { value: own } };
      return [
        ...(operation.key === undefined ? [] : inspectResponse(operation, byKey)),
        ...inspectResponse(operation, { input, result }),
      ];
    }
    if (!Array.isArray(value)) return [];
    // The list of a page is checked with the page.
    const isOfPage = listShapeOf(one.parentType) !== undefined;
    const list = isOfPage ? [] : inspectResponse(operation, { input, result: { value, page: { items: value } } });
    const element = { ...operation, isOfOne: true, parameters: [], result: typeOf(getNamedType(one.field.type)) };
    const objects = value.filter(isRecord);
    return [
      ...list,
      ...objects.flatMap((object) => inspectResponse(element, { input: {}, result: { value: whole(object) } })),
    ];
  });
  return uniqueFindings([...ofOthers, ...inspected]);
}

/**
 * Returns a finding when an element of an object's list does not refer back to the object: `album` of each of `Album.tracks`. That both are
 * ends of one relation is inferred from their names, which are those of the types.
 */
function unknownFieldFindings({ parentType: owner, parent, field: list, value }: MetField): readonly Finding[] {
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
  const unknownField = others.find((one) => isRecord(one) && one[key.name] != null && one[key.name] !== own);
  if (!isRecord(unknownField)) return [];
  const pointer = `/${list.name}/*/${back.name}/${key.name}`;
  const message = `${pointer} is another than ${key.name} of the object that lists it`;
  const detail = `${showValue(unknownField[key.name])} instead of ${showValue(own)}`;
  return [finding(graphqlRules.alone, message, detail, { pointer, place: placeOf(back.astNode) })];
}

/** Returns the arguments of a field, with null for unknown variables. */
function inputOf({ node }: MetField, variables: RequestedDocument["variables"]): Input {
  return Object.fromEntries(
    (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables) ?? null]),
  );
}

function descriptionOf(run: GraphqlRun, { parentType, field, value, node }: MetField): OperationDescription {
  const isRoot = parentType.name === run.queryType;
  const [given, ...others] = isRoot && isSingle(field) ? (node.arguments ?? []) : [];
  return {
    ...describeField(run, parentType.name, field),
    ...(given !== undefined && others.length === 0 ? { key: given.name.value } : {}),
    isWithin: !isRoot && Array.isArray(value),
    isOfOne: listShapeOf(field.type) === undefined,
    result: typeOf(field.type),
  };
}
