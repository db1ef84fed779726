import { declarationName, distinctNames } from "@nodewright/model";
import type { GraphQLSchema } from "graphql";
import { declaredTypes } from "./type-reader.ts";

/** Names of declarations by the names of types: `users_aggregate` is `UsersAggregate`, beside a type of that name `UsersAggregate2`. */
export interface DeclarationNames {
  of(type: string): string;
}

/** `chosen`: names that the configuration gives to types. */
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
