import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import type { GraphqlSuite } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { sampleOf } from "../../types/sample-value.ts";
import type { RandomSource } from "../../types/random-source.ts";
import { hasRoleName } from "../../inference/list-roles.ts";

/** Input objects within each other that are followed. */
const deepestInput = 5;

/** A plain value of an input type; undefined where nothing is known of a custom scalar. */
export function sampleInput(
  suite: GraphqlSuite,
  random: RandomSource,
  name: string,
  type: GraphQLInputType,
  depth = 0,
): unknown {
  if (isNonNullType(type)) return sampleInput(suite, random, name, type.ofType, depth);
  if (isListType(type)) {
    const element = sampleInput(suite, random, name, type.ofType, depth);
    return element === undefined ? [] : [element];
  }
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    if (depth > deepestInput) return undefined;
    const sample: Record<string, unknown> = {};
    const fields = Object.values(type.getFields());
    for (const field of type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField)) {
      const value = sampleInput(suite, random, field.name, field.type, depth + 1);
      if (value === undefined) return undefined;
      sample[field.name] = value;
    }
    return sample;
  }
  switch (type.name) {
    case "Int":
      return hasRoleName("limit", name) ? 2 : hasRoleName("offset", name) ? 0 : 1;
    case "Float":
      return 1;
    case "String":
      return "a";
    case "Boolean":
      return true;
    case "ID":
      return "1";
    default: {
      const scalar = suite.scalars[type.name];
      return scalar === undefined ? undefined : sampleOf(formed(scalar), suite.types, random);
    }
  }
}

/** A scalar that is known by its name alone (`ISO8601DateTime`) is made as others of that name are. */
function formed(scalar: SuiteType): SuiteType {
  if (scalar.kind !== "string" || scalar.format === undefined) return scalar;
  const format = scalar.format
    .toLowerCase()
    .replace(/^(?:iso8601|local)|address$/g, "")
    .replace("datetime", "date-time")
    .replace("guid", "uuid");
  return { ...scalar, format };
}
