import type { Documentation, JsonValue, Parameter, RecordMember, TypeDeclaration, TypeNode } from "@nodewright/model";
import {
  DEFAULT_DEPRECATION_REASON,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLScalarType,
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
} from "graphql";
import { type DeclarationNames, declaredTypes } from "./declaration-names.ts";
import type { GraphqlPlaces } from "./graphql-source.ts";

/** JSON representation of a custom scalar. */
export interface ScalarRepresentation {
  /** JSON type; by default `string` if a pattern is given, else the usual type of a scalar of that name. */
  readonly type?: "string" | "number" | "integer" | "boolean" | "unknown";
  /** ECMA-262 pattern (`u` flag) of its string representation. */
  readonly pattern?: string;
}

// Custom scalars with well-known names, by their common representation (graphql-scalars and the specifications that `@specifiedBy` commonly
// names). Any other scalar may be any JSON value unless configured.
const stringScalars: ReadonlySet<string> = new Set(
  [
    "Date Time DateTime LocalDate LocalTime LocalDateTime TimeZone Duration ISO8601Date ISO8601DateTime Timestamp",
    "URI URL UUID GUID Email EmailAddress HTML Markdown Base64 Base64String Byte Bytes Hex Decimal Money Color Locale",
    "BigInt Long GitObjectID GitRefname GitSSHRemote GitTimestamp PreciseDateTime X509Certificate FormattedString",
  ].flatMap((names) => names.split(" ")),
);
const integerScalars: ReadonlySet<string> = new Set(
  "Int8 Int16 Int32 UInt8 UInt16 UInt32 PositiveInt NonNegativeInt UnsignedInt".split(" "),
);

/** JSON Schema formats of scalars, by URL of the specification in `@specifiedBy` and by name of the scalar. */
const specifiedFormats: readonly { readonly url: RegExp; readonly name: RegExp; readonly format: string }[] = [
  { url: /rfc-?3339|\/date-time\b/i, name: /^(?:date_?time|timestamp|instant)$/i, format: "date-time" },
  { url: /rfc-?3339|\/local-date\b/i, name: /^(?:local)?date$/i, format: "date" },
  { url: /rfc-?(?:4122|9562)/i, name: /^[ug]uid$/i, format: "uuid" },
];

type Described = Pick<
  GraphQLNamedType | GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField,
  "description"
> & {
  readonly deprecationReason?: string | null | undefined;
};

/** Converts the types of a valid schema to type nodes. */
export class GraphqlTypeReader {
  readonly #places: GraphqlPlaces;
  readonly #scalars: ReadonlyMap<string, ScalarRepresentation>;
  readonly #names: DeclarationNames;

  constructor(places: GraphqlPlaces, scalars: Readonly<Record<string, ScalarRepresentation>>, names: DeclarationNames) {
    this.#places = places;
    this.#scalars = new Map(Object.entries(scalars));
    this.#names = names;
  }

  /** Returns the declarations of all types in document order, except unreferenced root types and the built-in types of GraphQL. */
  declarations(schema: GraphQLSchema): readonly TypeDeclaration[] {
    return declaredTypes(schema).map((type) => this.#declaration(type));
  }

  /** Returns the type of a field or argument; nullable unless it is non-null. */
  type(type: GraphQLType, path: string): TypeNode {
    if (isNonNullType(type)) return this.present(type.ofType, path);
    const source = this.#places.range(undefined, path);
    return { kind: "union", mode: "any-of", members: [this.present(type, path), { kind: "null", source }], source };
  }

  /** Returns the parameters for arguments. They keep their names, because every GraphQL name is valid as the name of a property. */
  parameters(argumentsOfField: readonly GraphQLArgument[], path: string): readonly Parameter[] {
    return argumentsOfField.map((argument) => this.#parameter(argument, `${path}(${argument.name}:)`));
  }

  #declaration(type: GraphQLNamedType): TypeDeclaration {
    const source = this.#places.ofElement(type, type.name);
    return {
      name: this.#names.of(type.name),
      originalName: type.name,
      role: roleOf(type),
      type: this.#definition(type),
      implements: isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().map(({ name }) => name) : [],
      source,
      documentation: isEnumType(type) ? enumDocumentation(type) : documentationOf(type),
    };
  }

  #definition(type: GraphQLNamedType): TypeNode {
    const source = this.#places.ofElement(type, type.name);
    if (isScalarType(type)) return scalarType(type, this.#scalars.get(type.name), source);
    if (isEnumType(type)) return { kind: "enumeration", values: type.getValues().map(({ name }) => name), source };
    if (isUnionType(type)) {
      const members = type
        .getTypes()
        .map((member): TypeNode => ({ kind: "reference", target: this.#names.of(member.name), source }));
      return { kind: "union", mode: "any-of", members, discriminator: { property: "__typename" }, source };
    }
    if (isInputObjectType(type) && type.isOneOf) return this.#oneOf(Object.values(type.getFields()), type.name, source);
    const fields = isInputObjectType(type)
      ? this.#inputFields(Object.values(type.getFields()), type.name)
      : this.#fields(Object.values(type.getFields()), type.name);
    return { kind: "record", members: fields, additional: { kind: "never", source }, patterns: [], source };
  }

  #fields(fields: readonly GraphQLField<unknown, unknown>[], owner: string): readonly RecordMember[] {
    return fields.map((field) => {
      const path = `${owner}.${field.name}`;
      return {
        name: field.name,
        type: this.type(field.type, path),
        required: true,
        access: "read-write",
        arguments: this.parameters(field.args, path),
        source: this.#places.ofElement(field, path),
        documentation: documentationOf(field),
      };
    });
  }

  #inputFields(fields: readonly GraphQLInputField[], owner: string): readonly RecordMember[] {
    return fields.map((field) => {
      const path = `${owner}.${field.name}`;
      return {
        name: field.name,
        type: this.type(field.type, path),
        required: isNonNullType(field.type) && field.defaultValue === undefined,
        access: "read-write",
        arguments: [],
        source: this.#places.ofElement(field, path),
        documentation: documentationOf(field),
      };
    });
  }

  /** Returns the type of an input of which exactly one field is given, and not null (`@oneOf`; GraphQL, September 2025, section 3.10.1). */
  #oneOf(fields: readonly GraphQLInputField[], owner: string, source: TypeNode["source"]): TypeNode {
    const members = fields.map((field): TypeNode => {
      const path = `${owner}.${field.name}`;
      const place = this.#places.ofElement(field, path);
      const given: RecordMember = {
        name: field.name,
        type: this.present(field.type, path),
        required: true,
        access: "read-write",
        arguments: [],
        source: place,
        documentation: documentationOf(field),
      };
      const others = fields.filter((other) => other !== field).map((other) => absentField(other.name, place));
      return {
        kind: "record",
        members: [given, ...others],
        additional: { kind: "never", source: place },
        patterns: [],
        source: place,
      };
    });
    return { kind: "union", mode: "one-of", members, source };
  }

  #parameter(argument: GraphQLArgument, path: string): Parameter {
    const initial = defaultOf(argument);
    return {
      name: argument.name,
      property: argument.name,
      location: "argument",
      required: isNonNullType(argument.type) && initial === undefined,
      type: this.type(argument.type, path),
      style: "simple",
      explode: false,
      source: this.#places.ofElement(argument, path),
      documentation: documentationOf(argument),
      ...(initial === undefined ? {} : { default: initial }),
    };
  }

  /** Returns a type without null. */
  present(type: GraphQLType, path: string): TypeNode {
    const source = this.#places.range(undefined, path);
    if (isListType(type)) return { kind: "list", prefix: [], element: this.type(type.ofType, path), source };
    if (isNonNullType(type)) return this.present(type.ofType, path);
    if (isScalarType(type) && isSpecifiedScalarType(type)) return specifiedScalar(type.name, source);
    return { kind: "reference", target: this.#names.of(type.name), source };
  }
}

function absentField(name: string, source: TypeNode["source"]): RecordMember {
  return { name, type: { kind: "never", source }, required: false, access: "read-write", arguments: [], source };
}

function scalarType(
  { name, specifiedByURL }: Pick<GraphQLScalarType, "name" | "specifiedByURL">,
  { pattern, type = pattern === undefined ? usualType(name) : "string" }: ScalarRepresentation = {},
  source: TypeNode["source"],
): TypeNode {
  switch (type) {
    case "string":
      return {
        kind: "string",
        format: formatOf(name, specifiedByURL ?? ""),
        source,
        ...(pattern === undefined ? {} : { pattern }),
      };
    case "number":
    case "integer":
      return { kind: "number", integer: type === "integer", representation: "number", source };
    case "boolean":
      return { kind: "boolean", source };
    default:
      return { kind: "any", source };
  }
}

function usualType(name: string): ScalarRepresentation["type"] {
  if (stringScalars.has(name)) return "string";
  return integerScalars.has(name) ? "integer" : undefined;
}

function formatOf(scalar: string, address: string): string {
  return specifiedFormats.find(({ url, name }) => url.test(address) && name.test(scalar))?.format ?? scalar;
}

function roleOf(type: GraphQLNamedType): TypeDeclaration["role"] {
  if (isObjectType(type)) return "object";
  if (isInterfaceType(type)) return "interface";
  if (isInputObjectType(type)) return "input";
  return isScalarType(type) ? "scalar" : "value";
}

/** Returns the type of a built-in scalar (GraphQL, October 2021, section 3.5). */
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

/** Returns the default as JSON. Names of enumerations are their values, so that it is JSON already. */
function defaultOf({ defaultValue }: GraphQLArgument): JsonValue | undefined {
  return defaultValue === undefined ? undefined : (JSON.parse(JSON.stringify(defaultValue)) as JsonValue);
}

export function documentationOf({ description, deprecationReason }: Described): Documentation {
  return {
    ...(description ? { description } : {}),
    ...(typeof deprecationReason === "string" ? { deprecated: true, ...reasonOf(deprecationReason) } : {}),
  };
}

/** Returns the deprecation reason, unless it is the default one. */
function reasonOf(deprecationReason: string): Pick<Documentation, "deprecationReason"> {
  return deprecationReason === DEFAULT_DEPRECATION_REASON ? {} : { deprecationReason };
}

/** Returns the documentation of an enum, including that of its values: it becomes a union, whose members have no comments of their own. */
function enumDocumentation(type: GraphQLEnumType): Documentation {
  const lines = type.getValues().flatMap(({ name, description, deprecationReason }) => {
    const reason = typeof deprecationReason === "string" ? `deprecated: ${deprecationReason}` : "";
    const texts = [description ?? "", reason].map((text) => text.trim().replaceAll(/\s+/g, " "));
    const said = texts.filter((text) => text !== "").join("; ");
    return said === "" ? [] : [`- \`${name}\`: ${said}`];
  });
  const paragraphs = [type.description ?? "", lines.join("\n")].filter((text) => text !== "");
  return paragraphs.length === 0 ? {} : { description: paragraphs.join("\n\n") };
}
