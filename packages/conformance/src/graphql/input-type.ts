import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from "graphql";
import type { GraphqlSuite } from "../suite/suite.ts";
import type { SuiteType } from "../suite/suite-type.ts";

/** Input objects within each other that are followed. */
const deepestInput = 4;

/** The JSON that an input type takes, without null: what properties know of an argument. */
export function inputTypeOf(suite: GraphqlSuite, type: GraphQLInputType, depth = 0): SuiteType {
  if (isNonNullType(type)) return inputTypeOf(suite, type.ofType, depth);
  if (isListType(type)) return { kind: "list", element: inputTypeOf(suite, type.ofType, depth) };
  if (isEnumType(type)) return { kind: "enumeration", values: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) return scalarTypeOf(suite, type.name);
  if (depth >= deepestInput) return { kind: "any" };
  const members = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    required: isNonNullType(field.type) && field.defaultValue === undefined,
    type: inputTypeOf(suite, field.type, depth + 1),
  }));
  return { kind: "record", members };
}

/** The JSON of a scalar (specification, section 3.5), of a custom one as the suite says. */
export function scalarTypeOf({ scalars }: GraphqlSuite, name: string): SuiteType {
  switch (name) {
    case "Int":
      return { kind: "number", integer: true };
    case "Float":
      return { kind: "number", integer: false };
    case "String":
    case "ID":
      return { kind: "string" };
    case "Boolean":
      return { kind: "boolean" };
    default:
      return scalars[name] ?? { kind: "any" };
  }
}
