import type { FastifyRequest } from "fastify";
import type { DocumentNode, GraphQLResolveInfo, OperationDefinitionNode } from "graphql";
import type { PluginOptions } from "../node/plugin-options.ts";

/** The arguments of a field that takes none. */
export type NoArguments = Readonly<Record<never, never>>;

/** Answers a field of an object: with the value, or `null` where the schema allows it. */
export type Resolver<Parent, Arguments, Value, Context> = (
  parent: Parent,
  input: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) => Value | Promise<Value>;

/** Names of the fields for which a parent has a member of the field's own type. */
type HeldFields<Fields, Parent> = {
  [Name in keyof Fields]: Name extends keyof Parent
    ? Fields[Name] extends (...inputs: never[]) => infer Answer
      ? Parent[Name] extends Answer
        ? Name
        : never
      : never
    : never;
}[keyof Fields];

/** The resolvers of an object type: those of fields that its parent's own members do not answer, and any of the others. */
export type ObjectResolvers<Fields, Parent> = Omit<Fields, HeldFields<Fields, Parent>> & Partial<Fields>;

/** Answers a field of a root type; one of the subscription type with an `AsyncIterable`, which is told by `return` when the caller has gone. */
export type RootResolver<Arguments, Value, Context> = (
  input: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) => Value | Promise<Value>;

/** How a custom scalar is read and written. A function throws with a message for the caller when a value is not one. */
export interface ScalarImplementation {
  /** From a resolver's value to JSON. */
  serialize(value: unknown): unknown;
  /**
   * From a variable's JSON or a literal: a string, a number, a bigint for an integer that a double would round, a boolean.
   *
   * `isFloatLiteral` is true for a literal with a fraction or an exponent, such as `1.0`, whose value may be an integer.
   */
  parse(value: unknown, isFloatLiteral?: boolean): unknown;
}

/** A GraphQL operation before it is executed. */
export interface GraphqlCostRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly request: FastifyRequest;
}

export interface GraphqlLimits {
  /** Lexical tokens of a document. */
  readonly tokens: number;
  /** Nesting of fields, fragments expanded. */
  readonly depth: number;
  /** Aliased fields, fragments expanded. */
  readonly aliases: number;
  /** Fields, fragments expanded. */
  readonly fields: number;
  /** What `cost` may answer. */
  readonly cost: number;
}

export interface GraphqlOptions<Context> extends Omit<PluginOptions<Context>, "validateAnswers" | "onInvalidAnswer"> {
  /** By the name of the scalar in the schema. Absent ones pass their values through. */
  scalars?: Readonly<Record<string, ScalarImplementation>>;
  /** Work that an operation asks for, in units of `limits.cost`. */
  cost?(request: GraphqlCostRequest): number;
  /** Absent members: `defaultGraphqlLimits`. */
  limits?: Partial<GraphqlLimits>;
  /** How long a subscription may have nothing to say before a comment is sent, so that its connection lives. Absent: 15,000. */
  keepAliveMilliseconds?: number;
  /** Most fields of documents kept parsed, validated and compiled, fragments spread; 0 keeps none. Absent: 50,000. */
  cacheFields?: number;
}

export const defaultGraphqlLimits: GraphqlLimits = {
  tokens: 10_000,
  depth: 20,
  aliases: 500,
  fields: 5_000,
  cost: Number.POSITIVE_INFINITY,
};
