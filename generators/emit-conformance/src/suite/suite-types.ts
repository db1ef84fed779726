import {
  type ApiModel,
  assertNever,
  type EnumerationNode,
  isOfType,
  type ListNode,
  type NumberNode,
  type RecordField,
  type RecordNode,
  type StringNode,
  type TypeNode,
  type UnionNode,
} from "@nodewright/model";
import type {
  Bound,
  ConditionalType,
  EnumerationType,
  ListType,
  NumberType,
  RecordMember,
  RecordType,
  StringType,
  SuiteType,
  SuiteTypes,
  UnevaluatedType,
  UnionType,
} from "@nodewright/conformance/suite";
import type { PlaceMember, Places } from "./places.ts";

/** Makes the types of a suite from those of its model. */
export class TypeWriter {
  readonly #model: ApiModel;
  readonly #places: Places;

  constructor(model: ApiModel, places: Places) {
    this.#model = model;
    this.#places = places;
  }

  /**
   * Every declaration, by name and in the order of the model: also those that no operation leads to, so that an operation that refers
   * to another one changes nothing but itself.
   */
  declarations(): SuiteTypes {
    return Object.fromEntries(
      this.#model.declarations.map(({ name, type, source }) => [
        name,
        this.#written(type, this.#places.landmark(source)),
      ]),
    );
  }

  write(type: TypeNode): SuiteType {
    return this.#written(type, this.#places.detail(type.source));
  }

  #written(type: TypeNode, place: PlaceMember): SuiteType {
    return { ...this.#shape(type), ...this.#shown(type), ...place };
  }

  /** Values of its default and examples that are of the type: the others are told as warnings, and would mislead. */
  #shown(type: TypeNode): Pick<SuiteType, "default" | "examples"> {
    const examples = type.documentation?.examples?.filter((value) => isOfType(value, type, this.#model)) ?? [];
    const hasDefault = type.default !== undefined && isOfType(type.default, type, this.#model);
    return {
      ...(hasDefault ? { default: type.default } : {}),
      ...(examples.length === 0 ? {} : { examples }),
    };
  }

  #shape(type: TypeNode): SuiteType {
    switch (type.kind) {
      case "any":
      case "never":
      case "null":
      case "boolean":
      case "bytes":
        return { kind: type.kind };
      case "string":
        return stringType(type);
      case "number":
        return numberType(type);
      case "enumeration":
        return enumerationType(type);
      case "list":
        return this.#list(type);
      case "record":
        return this.#record(type);
      case "union":
        return this.#union(type);
      case "intersection":
        return { kind: "intersection", members: this.#all(type.members) };
      case "not":
        return { kind: "not", type: this.write(type.type) };
      case "conditional":
        return {
          kind: "conditional",
          condition: this.write(type.condition),
          consequence: this.write(type.consequence),
          alternative: this.write(type.alternative),
        } satisfies ConditionalType;
      case "unevaluated":
        return {
          kind: "unevaluated",
          base: this.write(type.base),
          ...(type.members === undefined ? {} : { members: this.write(type.members) }),
          ...(type.elements === undefined ? {} : { elements: this.write(type.elements) }),
        } satisfies UnevaluatedType;
      case "reference":
        return { kind: "reference", target: type.target };
      default:
        return assertNever(type);
    }
  }

  #all(types: readonly TypeNode[]): readonly SuiteType[] {
    return types.map((type) => this.write(type));
  }

  #list({
    prefix,
    element,
    minItems,
    maxItems,
    uniqueItems,
    contains,
    evaluatesAll,
    isKindImplied,
  }: ListNode): ListType {
    return {
      kind: "list",
      ...(prefix.length === 0 ? {} : { prefix: this.#all(prefix) }),
      element: this.write(element),
      ...(minItems === undefined ? {} : { minItems }),
      ...(maxItems === undefined ? {} : { maxItems }),
      ...(uniqueItems === undefined ? {} : { uniqueItems }),
      ...(contains === undefined ? {} : { contains: { ...contains, type: this.write(contains.type) } }),
      ...(evaluatesAll === undefined ? {} : { evaluatesAll }),
      ...implied(isKindImplied),
    };
  }

  #record(type: RecordNode): RecordType {
    const { fields, additional, patterns, minProperties, maxProperties, names, dependencies, evaluatesAll } = type;
    return {
      kind: "record",
      members: fields.map((field) => this.#member(field)),
      ...(additional.kind === "any" ? {} : { additional: this.write(additional) }),
      ...(patterns.length === 0
        ? {}
        : { patterns: patterns.map(({ pattern, type: value }) => ({ pattern, type: this.write(value) })) }),
      ...(minProperties === undefined ? {} : { minProperties }),
      ...(maxProperties === undefined ? {} : { maxProperties }),
      ...(names === undefined ? {} : { names: this.write(names) }),
      ...(dependencies === undefined
        ? {}
        : { dependencies: dependencies.map(({ property, type: whole }) => ({ property, type: this.write(whole) })) }),
      ...(evaluatesAll === undefined ? {} : { evaluatesAll }),
      ...implied(type.isKindImplied),
    };
  }

  #member({ name, type, required, access, isVolatile, isUndescribed, source }: RecordField): RecordMember {
    return {
      name,
      type: this.write(type),
      required,
      ...(access === "read-write" ? {} : { access }),
      ...(isVolatile === true ? { isVolatile } : {}),
      ...(isUndescribed === true ? { isUndescribed } : {}),
      ...this.#places.detail(source),
    };
  }

  #union({ mode, members, discriminator }: UnionNode): UnionType {
    return {
      kind: "union",
      mode,
      members: this.#all(members),
      ...(discriminator === undefined ? {} : { discriminator }),
    };
  }
}

function stringType({ minLength, maxLength, pattern, format, isKindImplied }: StringNode): StringType {
  return {
    kind: "string",
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(format === undefined ? {} : { format }),
    ...implied(isKindImplied),
  };
}

function numberType(type: NumberNode): NumberType {
  const { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, isKindImplied } = type;
  return {
    kind: "number",
    integer,
    ...(minimum === undefined ? {} : { minimum: bound(minimum) }),
    ...(maximum === undefined ? {} : { maximum: bound(maximum) }),
    ...(exclusiveMinimum === undefined ? {} : { exclusiveMinimum: bound(exclusiveMinimum) }),
    ...(exclusiveMaximum === undefined ? {} : { exclusiveMaximum: bound(exclusiveMaximum) }),
    ...(multipleOf === undefined ? {} : { multipleOf }),
    ...implied(isKindImplied),
  };
}

function enumerationType({ values }: EnumerationNode): EnumerationType {
  return { kind: "enumeration", values };
}

function bound(value: number | bigint): Bound {
  if (typeof value === "number") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function implied(isKindImplied: boolean | undefined): { readonly isKindImplied?: boolean } {
  return isKindImplied === true ? { isKindImplied } : {};
}
