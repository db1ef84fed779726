import { declarationName, distinctNames } from "@nodewright/model";
import {
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from "graphql";

/**
 * Names of declarations by name of the GraphQL type: `users_aggregate` becomes `UsersAggregate`, or `UsersAggregate2` if there is a type of
 * that name.
 */
export interface DeclarationNames {
  of(type: string): string;
}

/** `chosen`: configured names by type. */
export function createDeclarationNames(
  schema: GraphQLSchema,
  chosen: Readonly<Record<string, string>> = {},
): DeclarationNames {
  const configured = new Map(Object.entries(chosen));
  const types = declaredTypes(schema);
  const wishes = types.map(({ name }) => {
    const chosenName = configured.get(name);
    return { original: name, wanted: chosenName ?? declarationName(name), isChosen: chosenName !== undefined };
  });
  const given = distinctNames(wishes);
  const names = new Map(types.map((type, index) => [type.name, given[index]]));
  return {
    of(type) {
      const name = names.get(type);
      if (name === undefined) throw new Error(`The schema declares no "${type}"`);
      return name;
    },
  };
}

/** Returns the types that become declarations, in document order. A root type is included only if another type refers to it. */
export function declaredTypes(schema: GraphQLSchema): readonly GraphQLNamedType[] {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const referred = new Set(Object.values(schema.getTypeMap()).flatMap(typesOfFields));
  return Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith("__") && !(isScalarType(type) && isSpecifiedScalarType(type)))
    .filter((type) => !(isObjectType(type) && roots.has(type)) || referred.has(type));
}

function typesOfFields(type: GraphQLNamedType): readonly GraphQLNamedType[] {
  if (isUnionType(type)) return type.getTypes();
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).map((field) => getNamedType(field.type));
}
