import {
  camelCase,
  createNameAllocator,
  type Documentation,
  type JsonValue,
  type Parameter,
  pascalCase,
  type RecordField,
  type TypeDeclaration,
  type TypeNode,
} from "@nodewright/model";
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  valueFromASTUntyped,
} from "graphql";
import type { GraphqlPlaces } from "./graphql-source.ts";

/** What a custom scalar is in JSON. */
export interface ScalarRepresentation {
  /** ECMA-262, `u` flag, of the text it is written as. */
  readonly pattern: string;
}

type Described = Pick<
  GraphQLNamedType | GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField,
  "description"
> & {
  readonly deprecationReason?: string | null | undefined;
};

/** Turns the types of a valid schema into type nodes. */
export class GraphqlTypeReader {
  readonly #places: GraphqlPlaces;
  readonly #scalars: Readonly<Record<string, ScalarRepresentation>>;

  constructor(places: GraphqlPlaces, scalars: Readonly<Record<string, ScalarRepresentation>>) {
    this.#places = places;
    this.#scalars = scalars;
  }

  /** Every type of the schema but the root types and GraphQL's own, in document order. */
  declarations(schema: GraphQLSchema): readonly TypeDeclaration[] {
    const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
    return Object.values(schema.getTypeMap())
      .filter((type) => !type.name.startsWith("__") && !(isScalarType(type) && isSpecifiedScalarType(type)))
      .filter((type) => !(isObjectType(type) && roots.has(type)))
      .toSorted((left, right) => (left.astNode?.loc?.start ?? 0) - (right.astNode?.loc?.start ?? 0))
      .map((type) => this.#declaration(type));
  }

  /** A type in place: nullable unless it says otherwise. */
  type(type: GraphQLType, path: string): TypeNode {
    if (isNonNullType(type)) return this.#present(type.ofType, path);
    const source = this.#places.range(undefined, path);
    return { kind: "union", mode: "any-of", members: [this.#present(type, path), { kind: "null", source }], source };
  }

  parameters(argumentsOfField: readonly GraphQLArgument[], path: string): readonly Parameter[] {
    const names = createNameAllocator();
    return argumentsOfField.map((argument) =>
      this.#parameter(argument, names.allocate(camelCase(argument.name)), `${path}(${argument.name}:)`),
    );
  }

  #declaration(type: GraphQLNamedType): TypeDeclaration {
    const source = this.#places.range(type.astNode?.loc, type.name);
    return {
      name: pascalCase(type.name),
      originalName: type.name,
      role: roleOf(type),
      type: this.#definition(type),
      implements: isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().map(({ name }) => name) : [],
      source,
      documentation: documentationOf(type),
    };
  }

  #definition(type: GraphQLNamedType): TypeNode {
    const source = this.#places.range(type.astNode?.loc, type.name);
    if (isScalarType(type)) {
      const pattern = this.#scalars[type.name]?.pattern;
      return { kind: "string", format: type.name, source, ...(pattern === undefined ? {} : { pattern }) };
    }
    if (isEnumType(type)) return { kind: "enumeration", values: type.getValues().map(({ name }) => name), source };
    if (isUnionType(type)) {
      const members = type
        .getTypes()
        .map((member): TypeNode => ({ kind: "reference", target: pascalCase(member.name), source }));
      return { kind: "union", mode: "any-of", members, discriminator: { property: "__typename" }, source };
    }
    const fields = isInputObjectType(type)
      ? this.#inputFields(Object.values(type.getFields()), type.name)
      : this.#fields(Object.values(type.getFields()), type.name);
    return { kind: "record", fields, additional: { kind: "never", source }, patterns: [], source };
  }

  #fields(fields: readonly GraphQLField<unknown, unknown>[], owner: string): readonly RecordField[] {
    return fields.map((field) => {
      const path = `${owner}.${field.name}`;
      return {
        name: field.name,
        type: this.type(field.type, path),
        required: true,
        access: "read-write",
        arguments: this.parameters(field.args, path),
        source: this.#places.range(field.astNode?.loc, path),
        documentation: documentationOf(field),
      };
    });
  }

  #inputFields(fields: readonly GraphQLInputField[], owner: string): readonly RecordField[] {
    return fields.map((field) => {
      const path = `${owner}.${field.name}`;
      return {
        name: field.name,
        type: this.type(field.type, path),
        required: isNonNullType(field.type) && field.defaultValue === undefined,
        access: "read-write",
        arguments: [],
        source: this.#places.range(field.astNode?.loc, path),
        documentation: documentationOf(field),
      };
    });
  }

  #parameter(argument: GraphQLArgument, property: string, path: string): Parameter {
    const initial = defaultOf(argument);
    return {
      name: argument.name,
      property,
      location: "argument",
      required: isNonNullType(argument.type) && initial === undefined,
      type: this.type(argument.type, path),
      style: "simple",
      explode: false,
      source: this.#places.range(argument.astNode?.loc, path),
      documentation: documentationOf(argument),
      ...(initial === undefined ? {} : { default: initial }),
    };
  }

  #present(type: GraphQLType, path: string): TypeNode {
    const source = this.#places.range(undefined, path);
    if (isListType(type)) return { kind: "list", prefix: [], element: this.type(type.ofType, path), source };
    if (isNonNullType(type)) return this.#present(type.ofType, path);
    if (isScalarType(type) && isSpecifiedScalarType(type)) return specifiedScalar(type.name, source);
    return { kind: "reference", target: pascalCase(type.name), source };
  }
}

function roleOf(type: GraphQLNamedType): TypeDeclaration["role"] {
  if (isObjectType(type)) return "object";
  if (isInterfaceType(type)) return "interface";
  if (isInputObjectType(type)) return "input";
  return isScalarType(type) ? "scalar" : "value";
}

/** GraphQL, October 2021, section 3.5: the five scalars that every schema has. */
function specifiedScalar(name: string, source: TypeNode["source"]): TypeNode {
  switch (name) {
    case "Int":
      return {
        kind: "number",
        integer: true,
        representation: "number",
        minimum: -(2 ** 31),
        maximum: 2 ** 31 - 1,
        source,
      };
    case "Float":
      return { kind: "number", integer: false, representation: "number", source };
    case "Boolean":
      return { kind: "boolean", source };
    default:
      return { kind: "string", source };
  }
}

function defaultOf(argument: GraphQLArgument): JsonValue | undefined {
  if (argument.defaultValue === undefined) return undefined;
  const literal = astFromValue(argument.defaultValue, argument.type);
  return literal ? (valueFromASTUntyped(literal) as JsonValue) : undefined;
}

export function documentationOf({ description, deprecationReason }: Described): Documentation {
  return {
    ...(description ? { description } : {}),
    ...(deprecationReason === undefined || deprecationReason === null ? {} : { deprecated: true }),
  };
}
