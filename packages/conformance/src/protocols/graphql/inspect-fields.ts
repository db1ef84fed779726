import { showValue } from "../../compare/show-value.ts";
import { isRecord } from "@nodewright/api-model";
import {
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  valueFromASTUntyped,
} from "graphql";
import type { Finding } from "../../contract/finding.ts";
import { inspectResponse } from "../../properties/inspect-response.ts";
import type { Input, OperationDescription } from "../../properties/operation.ts";
import { saysExcerpt } from "../../suite/described-facts.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { scalarTypesOf } from "./input-type.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { listShapeOf } from "./list-shape.ts";
import { placeOf } from "./place-of.ts";
import { leafTypeOf, parametersOf, resultOf, scalarNames } from "./property-cases.ts";
import { identityOf } from "./select-fields.ts";
import type { MetField } from "./walk-answer.ts";

/** What has to hold within every answer in all protocols: of each list and each object in it, as if it were asked for by itself. */
export function inspectFields(run: GraphqlRun, met: readonly MetField[]): readonly Finding[] {
  // A list that takes arguments may be a part of what is counted beside it.
  const parts = Map.groupBy(
    met.filter(({ field, value }) => field.args.length > 0 && Array.isArray(value)),
    ({ parent }) => parent,
  );
  const whole = (object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const keys = new Set(parts.get(object)?.map(({ key }) => key));
    return keys.size === 0 ? object : Object.fromEntries(Object.entries(object).filter(([key]) => !keys.has(key)));
  };
  const ofOthers = met.flatMap(strangerFindings);
  const inspected = met.flatMap((one): readonly Finding[] => {
    const { value } = one;
    if (isLeafType(getNullableType(one.field.type))) return [];
    const operation = descriptionOf(run, one);
    if (isRecord(value)) {
      const shape = listShapeOf(one.field.type);
      const { page } = shape === undefined ? {} : resultOf(shape, value, inputOf(one));
      const result = { value: whole(value), ...(page === undefined ? {} : { page }) };
      return inspectResponse(operation, { input: inputOf(one), result });
    }
    if (!Array.isArray(value)) return [];
    // The list of a page is looked at with the page.
    const isOfPage = listShapeOf(one.parentType) !== undefined;
    const list = isOfPage
      ? []
      : inspectResponse(operation, { input: inputOf(one), result: { value, page: { items: value } } });
    const element = { ...operation, isOfOne: true, parameters: [], result: typeOf(getNamedType(one.field.type)) };
    const objects = value.filter(isRecord);
    return [
      ...list,
      ...objects.flatMap((object) => inspectResponse(element, { input: {}, result: { value: whole(object) } })),
    ];
  });
  return [...ofOthers, ...inspected];
}

/**
 * What an object lists is of that object: `album` of each of `Album.tracks`. That the two are the ends of one relation is told by names
 * alone: both are called after the types.
 */
function strangerFindings({ parentType: owner, parent, field: list, value }: MetField): readonly Finding[] {
  const shape = listShapeOf(list.type);
  const element = shape?.element;
  if (!isObjectType(element) || element === owner || !isPluralOf(list.name, element.name)) return [];
  const back = Object.values(element.getFields()).find(
    ({ name, type }) => getNullableType(type) === owner && name.toLowerCase() === owner.name.toLowerCase(),
  );
  const [key] = identityOf(owner);
  const own = key === undefined ? undefined : parent[key.name];
  if (back === undefined || key === undefined || own === null || own === undefined) return [];
  const others = (shape?.elementsOf(value) ?? []).map((item) => (isRecord(item) ? item[back.name] : undefined));
  const stranger = others.find((one) => isRecord(one) && one[key.name] != null && one[key.name] !== own);
  if (!isRecord(stranger)) return [];
  const pointer = `/${list.name}/*/${back.name}/${key.name}`;
  const message = `${pointer} is another than ${key.name} of the object that lists it`;
  const detail = `${showValue(stranger[key.name])} instead of ${showValue(own)}`;
  return [{ rule: graphqlRules.alone, message, detail, pointer, ...withPlace(placeOf(back.astNode)) }];
}

function isPluralOf(name: string, type: string): boolean {
  const [plural, singular] = [name.toLowerCase(), type.toLowerCase()];
  return [`${singular}s`, `${singular}es`, `${singular.replace(/y$/, "")}ies`].includes(plural);
}

/** The arguments of a field; null for what a variable says. */
function inputOf({ node }: MetField): Input {
  return Object.fromEntries(
    (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value) ?? null]),
  );
}

function descriptionOf(run: GraphqlRun, { parentType, field, value }: MetField): OperationDescription {
  const isRoot = parentType === run.schema.getQueryType();
  return {
    ...(isRoot ? {} : { subject: `${parentType.name}.${field.name}` }),
    isWithin: !isRoot && Array.isArray(value),
    things: field.name,
    isOfOne: listShapeOf(field.type) === undefined,
    parameters: parametersOf(field),
    result: typeOf(field.type),
    types: typesOf(run),
    ...withPlace(placeOf(field.astNode)),
  };
}

const knownTypes = new WeakMap<GraphQLSchema, SuiteTypes>();

/** The types of a schema that are returned, as properties see them: members that need no argument; of abstract types their possible ones. */
export function typesOf(run: GraphqlRun): SuiteTypes {
  const known = knownTypes.get(run.schema);
  if (known !== undefined) return known;
  const own = Object.values(run.schema.getTypeMap()).flatMap((type): readonly (readonly [string, SuiteType])[] => {
    if (isAbstractType(type))
      return [[type.name, { kind: "union", mode: "any-of", members: run.schema.getPossibleTypes(type).map(typeOf) }]];
    if (!isObjectType(type)) return [];
    const members = Object.values(type.getFields())
      .filter(({ args }) => !args.some(isRequiredArgument))
      .map((field) => ({
        name: field.name,
        required: false,
        type: memberTypeOf(field),
        ...withPlace(placeOf(field.astNode)),
      }));
    const typename = {
      name: "__typename",
      required: true,
      type: { kind: "enumeration", values: [type.name] },
    } as const;
    return [[type.name, { kind: "record", members: [typename, ...members] }]];
  });
  const types = { ...scalarTypesOf(run.suite, scalarNames(run)), ...Object.fromEntries(own) };
  knownTypes.set(run.schema, types);
  return types;
}

function memberTypeOf({ type, description }: GraphQLField<unknown, unknown>): SuiteType {
  const own = typeOf(type);
  return own.kind === "list" && saysExcerpt([description]) ? { ...own, isExcerpt: true } : own;
}

export function typeOf(type: GraphQLOutputType): SuiteType {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return { kind: "list", element: typeOf(nullable.ofType) };
  return isLeafType(nullable) ? leafTypeOf(nullable) : { kind: "reference", target: nullable.name };
}
