import { isRecord } from "@nodewright/api-model";
import { getNamedType, getNullableType, isLeafType } from "graphql";
import { type Finding, uniqueFindings } from "../../../contract/finding.ts";
import { inspectResponse } from "../../../properties/properties.ts";
import type { OperationDescription } from "../../../properties/operation.ts";
import type { GraphqlRun, ValidatedResponse } from "./graphql-run.ts";
import { isSingle } from "../schema/field-names.ts";
import { foreignElements } from "../response-rules/foreign-elements.ts";
import { listShapeOf, resultOf } from "../selection/list-shape.ts";
import type { Members } from "../response/selected-fields.ts";
import { describeField, typeOf } from "../schema/field-types.ts";
import { inputAt, type MetField } from "../response/walk-response.ts";

/** Returns the findings that all protocols have within a response: for each list and object, as if it were requested by itself. */
export function inspectFields(run: GraphqlRun, { requested, met }: ValidatedResponse): readonly Finding[] {
  // A list with arguments may be only a part of what is counted next to it.
  const parts = Map.groupBy(
    met.filter(({ field, value }) => field.args.length > 0 && Array.isArray(value)),
    ({ parent }) => parent,
  );
  const whole = (object: Members): Members => {
    const keys = new Set(parts.get(object)?.map(({ key }) => key));
    return keys.size === 0 ? object : Object.fromEntries(Object.entries(object).filter(([key]) => !keys.has(key)));
  };
  const inspected = met.flatMap((one): readonly Finding[] => {
    const { value } = one;
    if (isLeafType(getNullableType(one.field.type))) return [];
    const operation = descriptionOf(run, one);
    const input = inputAt(one, {});
    if (isRecord(value)) {
      const shape = listShapeOf(one.field.type);
      const { page } = shape === undefined ? {} : resultOf(shape, value, input);
      const result = { value: whole(value), ...(page === undefined ? {} : { page }) };
      // Members of the object itself may repeat the key that it was requested by; nested lists need not.
      const own = Object.fromEntries(Object.entries(value).filter(([, member]) => typeof member !== "object"));
      const byKey = { input: inputAt(one, requested.variables), result: { value: own } };
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
  return uniqueFindings([...met.flatMap(foreignElements), ...inspected]);
}

function descriptionOf(run: GraphqlRun, { parentType, field, value, nodes: [node] }: MetField): OperationDescription {
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
