import { declarationName, distinctNames } from "@nodewright/model";
import type { GraphQLSchema } from "graphql";
import { declaredTypes } from "./type-reader.ts";

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
  const choices = new Map(Object.entries(chosen));
  const types = declaredTypes(schema);
  const wishes = types.map(({ name }) => {
    const choice = choices.get(name);
    return { original: name, wanted: choice ?? declarationName(name), isChosen: choice !== undefined };
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
