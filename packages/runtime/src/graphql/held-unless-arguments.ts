import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { GraphqlResolvers } from "./executable-schema.ts";
import type { Resolver } from "./graphql-options.ts";

const unlessArguments = new WeakSet<object>();

/**
 * A resolver for a field whose value the parent holds under the field's name as long as the caller gives no arguments.
 *
 * A member is read at a fraction of what calling a resolver costs, which tells where lists hold hundreds of objects.
 */
export function heldUnlessArguments<
  Name extends string,
  Parent extends Readonly<Record<Name, unknown>>,
  Arguments extends object,
  Value,
  Context,
>(
  name: Name,
  resolve: Resolver<Parent, Arguments, Value, Context>,
): Resolver<Parent, Arguments, Parent[Name] | Value, Context> {
  const resolver = (parent: Parent, input: Arguments, context: Context, info: GraphQLResolveInfo) =>
    Object.keys(input).length === 0 ? parent[name] : resolve(parent, input, context, info);
  unlessArguments.add(resolver);
  return resolver;
}

/** Whether a resolver is called for arguments alone. */
export function isHeldUnlessArguments(resolve: object): boolean {
  return unlessArguments.has(resolve);
}

/** Resolvers without those that are called for arguments alone; undefined where there are none of these. */
export function withoutHeldFields(resolvers: GraphqlResolvers): GraphqlResolvers | undefined {
  let isFound = false;
  const others = Object.entries(resolvers).map(([type, fields]) => {
    const all = Object.entries(fields ?? {});
    const kept = all.filter(([, resolve]) => !isHeldUnlessArguments(resolve));
    isFound ||= kept.length < all.length;
    return [type, Object.fromEntries(kept)] as const;
  });
  return isFound ? Object.fromEntries(others) : undefined;
}

/** Marks a field of an executable schema whose resolver is called for arguments alone. */
export const heldMark = "nodewrightHeldUnlessArguments";

/** Whether a document gives arguments to a field that is held without them. */
export function asksHeldFields(document: DocumentNode, schema: GraphQLSchema): boolean {
  let isFound = false;
  const types = new TypeInfo(schema);
  const enter = ({ arguments: given = [] }: FieldNode): typeof BREAK | undefined => {
    const field = types.getFieldDef();
    if (field?.extensions[heldMark] !== true) return undefined;
    if (given.length === 0 && field.args.every(({ defaultValue }) => defaultValue === undefined)) return undefined;
    isFound = true;
    return BREAK;
  };
  visit(document, visitWithTypeInfo(types, { Field: enter }));
  return isFound;
}
