import {
  buildSchema,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
  type OperationTypeNode,
  type ValueNode,
} from "graphql";
import type { GraphqlOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import { propertyUnlessArgumentsExtension, isPropertyUnlessArguments } from "./field-of-parent.ts";
import type { Resolver, RootResolver, ScalarImplementation } from "./graphql-options.ts";

/** Resolvers of the fields of root types, by operation name. */
export type GraphqlHandlers<Context> = Readonly<Record<string, RootResolver<never, unknown, Context> | undefined>>;

/** Resolvers of the fields of object types, by name of type and field. */
export type GraphqlResolvers = Readonly<Record<string, object | undefined>>;

type AnyResolver = Resolver<unknown, never, unknown, unknown>;

/** Builds the schema of a document with all its resolvers. Throws for a resolver without a field. */
export function createExecutableSchema<Context>(
  schemaText: string,
  operations: Readonly<Record<string, GraphqlOperation>>,
  handlers: GraphqlHandlers<Context>,
  resolvers: GraphqlResolvers,
  scalars: Readonly<Record<string, ScalarImplementation>>,
): GraphQLSchema {
  const schema = buildSchema(schemaText);
  for (const operation of Object.values(operations)) addHandler(schema, operation, handlers[operation.name]);
  for (const [type, fields] of Object.entries(resolvers)) addResolvers(schema, type, fields ?? {});
  for (const [name, scalar] of Object.entries(scalars)) addScalar(schema, name, scalar);
  return schema;
}

function addHandler<Context>(
  schema: GraphQLSchema,
  operation: GraphqlOperation,
  handler: RootResolver<never, unknown, Context> | undefined,
): void {
  const root = schema.getRootType(operation.root as OperationTypeNode);
  const field = root?.getFields()[operation.field];
  if (field === undefined) throw new Error(`The schema has no ${operation.origin}`);
  const resolve: GraphQLFieldResolver<unknown, Context> = (_root, input, context, info) => {
    if (handler === undefined) throw new ServiceError("not_implemented", `${operation.origin} is not implemented`);
    // The schema and the handlers come from one document: a handler's arguments are those of its field.
    return handler(input as never, context, info);
  };
  if (operation.root !== "subscription") {
    field.resolve = resolve;
    return;
  }
  field.subscribe = resolve;
  // Each value of the handler is one of the field.
  field.resolve = (value: unknown) => value;
}

function addResolvers(schema: GraphQLSchema, typeName: string, resolvers: object): void {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) return;
  const fields = type.getFields();
  for (const [name, resolver] of Object.entries(resolvers)) {
    const field = fields[name];
    if (field === undefined) throw new Error(`The schema has no ${typeName}.${name}`);
    const resolve = resolver as AnyResolver;
    field.resolve = (parent, input, context, info) => resolve(parent, input as never, context, info);
    if (isPropertyUnlessArguments(resolve))
      field.extensions = { ...field.extensions, [propertyUnlessArgumentsExtension]: true };
  }
}

function addScalar(schema: GraphQLSchema, name: string, { serialize, parse }: ScalarImplementation): void {
  const scalar = schema.getType(name);
  if (!isScalarType(scalar)) throw new Error(`The schema has no scalar ${name}`);
  scalar.serialize = serialize;
  scalar.parseValue = parse;
  scalar.parseLiteral = (literal) => parse(literalValue(literal, name), literal.kind === "FloatValue");
}

/** Returns the value of a literal, without rounding integers. Throws `GraphQLError` for a list or an object. */
function literalValue(literal: ValueNode, name: string): unknown {
  switch (literal.kind) {
    case "IntValue":
      return integerValue(literal.value);
    case "FloatValue":
      return Number(literal.value);
    case "StringValue":
    case "BooleanValue":
    case "EnumValue":
      return literal.value;
    default:
      throw new GraphQLError(`${name} is neither a list nor an object`, { nodes: literal });
  }
}

function integerValue(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
