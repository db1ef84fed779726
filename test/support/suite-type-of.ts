import type { ApiModel, JsonValue, TypeNode } from "@nodewright/model";
import type { Bound, SuiteType, SuiteTypes } from "../../packages/conformance/src/suite/suite-type.ts";

/** The types of a model as data, for tests of what holds values against them. */
export function suiteTypesOf({ declarations }: Pick<ApiModel, "declarations">): SuiteTypes {
  return Object.fromEntries(declarations.map(({ name, type }) => [name, suiteTypeOf(type)]));
}

/** A type of the model as data. */
export function suiteTypeOf(type: TypeNode): SuiteType {
  const common = commonOf(type);
  switch (type.kind) {
    case "any":
    case "never":
    case "null":
    case "boolean":
    case "bytes":
      return { kind: type.kind, ...common };
    case "string":
      return {
        kind: "string",
        ...common,
        ...present({
          minLength: type.minLength,
          maxLength: type.maxLength,
          pattern: type.pattern,
          format: type.format,
        }),
      };
    case "number":
      return {
        kind: "number",
        integer: type.integer,
        ...common,
        ...present({
          minimum: boundOf(type.minimum),
          maximum: boundOf(type.maximum),
          exclusiveMinimum: boundOf(type.exclusiveMinimum),
          exclusiveMaximum: boundOf(type.exclusiveMaximum),
          multipleOf: type.multipleOf,
        }),
      };
    case "enumeration":
      return { kind: "enumeration", values: type.values, ...common };
    case "list":
      return {
        kind: "list",
        prefix: type.prefix.map(suiteTypeOf),
        element: suiteTypeOf(type.element),
        ...common,
        ...present({
          minItems: type.minItems,
          maxItems: type.maxItems,
          uniqueItems: type.uniqueItems,
          evaluatesAll: type.evaluatesAll,
          contains: type.contains && { ...type.contains, type: suiteTypeOf(type.contains.type) },
        }),
      };
    case "record":
      return {
        kind: "record",
        members: type.fields.map(({ name, required, access, isUndescribed, type: member }) => ({
          name,
          required,
          type: suiteTypeOf(member),
          ...(access === "read-write" ? {} : { access }),
          ...present({ isUndescribed }),
        })),
        additional: suiteTypeOf(type.additional),
        patterns: type.patterns.map((one) => ({ pattern: one.pattern, type: suiteTypeOf(one.type) })),
        ...common,
        ...present({
          minProperties: type.minProperties,
          maxProperties: type.maxProperties,
          evaluatesAll: type.evaluatesAll,
          names: type.names && suiteTypeOf(type.names),
          dependencies: type.dependencies?.map((one) => ({ property: one.property, type: suiteTypeOf(one.type) })),
        }),
      };
    case "union":
      return {
        kind: "union",
        mode: type.mode,
        members: type.members.map(suiteTypeOf),
        ...common,
        ...present({ discriminator: type.discriminator }),
      };
    case "intersection":
      return { kind: "intersection", members: type.members.map(suiteTypeOf), ...common };
    case "not":
      return { kind: "not", type: suiteTypeOf(type.type), ...common };
    case "conditional":
      return {
        kind: "conditional",
        condition: suiteTypeOf(type.condition),
        consequence: suiteTypeOf(type.consequence),
        alternative: suiteTypeOf(type.alternative),
        ...common,
      };
    case "unevaluated":
      return {
        kind: "unevaluated",
        base: suiteTypeOf(type.base),
        ...common,
        ...present({
          members: type.members && suiteTypeOf(type.members),
          elements: type.elements && suiteTypeOf(type.elements),
        }),
      };
    case "reference":
      return { kind: "reference", target: type.target, ...common };
  }
}

interface CommonParts {
  readonly place: string;
  readonly isKindImplied?: boolean;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
}

function commonOf(type: TypeNode): CommonParts {
  return {
    place: `${type.source.start.line}:${type.source.start.column}`,
    ...present({
      isKindImplied: "isKindImplied" in type ? type.isKindImplied : undefined,
      default: type.default,
      examples: type.documentation?.examples,
    }),
  };
}

function boundOf(bound: number | bigint | undefined): Bound | undefined {
  return typeof bound === "bigint" ? bound.toString() : bound;
}

type Present<Parts> = { [Name in keyof Parts]?: Exclude<Parts[Name], undefined> };

/** Without the parts that are not there. */
function present<Parts extends object>(parts: Parts): Present<Parts> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Present<Parts>;
}
