import { createNameAllocator, pascalCase } from "@nodewright/model";
import type { GraphQLSchema } from "graphql";
import { declaredTypes } from "./type-reader.ts";

/** Names of declarations by the names of types: `users_aggregate` is `UsersAggregate`, a second type of that name `UsersAggregate2`. */
export interface DeclarationNames {
  of(type: string): string;
}

/** `chosen`: names that the configuration gives to types. */
export function createDeclarationNames(
  schema: GraphQLSchema,
  chosen: Readonly<Record<string, string>> = {},
): DeclarationNames {
  const allocator = createNameAllocator();
  const names = new Map<string, string>();
  const types = declaredTypes(schema);
  // Who is spelt like a declaration already keeps its name, wherever in the document the other one stands.
  const isExact = (name: string): boolean => Object.hasOwn(chosen, name) || pascalCase(name) === name;
  for (const { name } of [
    ...types.filter((type) => isExact(type.name)),
    ...types.filter((type) => !isExact(type.name)),
  ])
    names.set(name, allocator.allocate(chosen[name] ?? pascalCase(name)));
  return {
    of(type) {
      const name = names.get(type);
      if (name === undefined) throw new Error(`The schema declares no "${type}"`);
      return name;
    },
  };
}
