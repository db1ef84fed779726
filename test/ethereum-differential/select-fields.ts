import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isRequiredArgument,
} from "graphql";

/** Arguments of a field, each as GraphQL's text: the field is selected once for each. */
export type FieldArguments = Readonly<Record<string, readonly string[]>>;

/** The whole of a type's fields as GraphQL's text. */
export type SelectFields = (type: string, given?: FieldArguments) => string;

/** `Type.field` of the fields of all types, and of input types, but GraphQL's own. */
export function listCoordinates(schema: GraphQLSchema): readonly string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    (isObjectType(type) || isInputObjectType(type)) && !type.name.startsWith("__")
      ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)
      : [],
  );
}

/** Types between a type and the fields that are selected of it. */
const deepest = 4;

/**
 * Creates what selects all fields of a type, and of the types below it. Of a type that is being selected already only the fields without a
 * selection of their own are taken; a field that needs arguments is taken when some are given under `Type.field`.
 *
 * `isLeftOut` tells fields that not every node has.
 */
export function createSelectFields(schema: GraphQLSchema, isLeftOut: (coordinate: string) => boolean): SelectFields {
  const selectType = (type: GraphQLObjectType, given: FieldArguments, above: readonly string[]): string => {
    const isRepeated = above.includes(type.name) || above.length >= deepest;
    return Object.values(type.getFields())
      .flatMap((field) => selectField(type, field, given, [...above, type.name], isRepeated))
      .join(" ");
  };
  const selectField = (
    type: GraphQLObjectType,
    field: GraphQLField<unknown, unknown>,
    given: FieldArguments,
    above: readonly string[],
    isRepeated: boolean,
  ): readonly string[] => {
    const coordinate = `${type.name}.${field.name}`;
    const inner = getNamedType(field.type);
    if (isLeftOut(coordinate) || (isRepeated && isObjectType(inner))) return [];
    const texts = given[coordinate] ?? (field.args.some(isRequiredArgument) ? [] : [""]);
    const selection = isObjectType(inner) ? `{ ${selectType(inner, given, above)} }` : "";
    return texts.map((text, at) => {
      const alias = at === 0 ? "" : `${field.name}${at}: `;
      return `${alias}${field.name}${text === "" ? "" : `(${text})`}${selection}`;
    });
  };
  return (name, given = {}) => {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`${name} is not a type with fields`);
    return selectType(type, given, []);
  };
}
