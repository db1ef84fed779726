import type { FastifyReply, FastifyRequest } from "fastify";
import type { DocumentNode, ExecutionResult, GraphQLResolveInfo, OperationDefinitionNode } from "graphql";
import type { PluginOptions } from "../node/plugin-options.ts";

/** Arguments of a field without any. */
export type NoArguments = Readonly<Record<never, never>>;

/** Resolver of a field of an object: returns the value, or `null` where the schema allows it. */
export type Resolver<Parent, Arguments, Value, Context> = (
  parent: Parent,
  input: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) => Value | Promise<Value>;

/** Names of the fields for which a parent has a member of the field's own type. */
type ArgumentFields<Fields, Parent> = {
  [Name in keyof Fields]: Name extends keyof Parent
    ? Fields[Name] extends (...inputs: never[]) => infer Result
      ? Parent[Name] extends Result
        ? Name
        : never
      : never
    : never;
}[keyof Fields];

/** Resolvers of an object type: those of fields that its parent's own members do not provide, and any of the others. */
export type ObjectResolvers<Fields, Parent> = Omit<Fields, ArgumentFields<Fields, Parent>> & Partial<Fields>;

/**
 * Resolver of a field of a root type; one of the subscription type returns an `AsyncIterable`, whose `return` is called when the client has
 * gone.
 */
export type RootResolver<Arguments, Value, Context> = (
  input: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) => Value | Promise<Value>;

/** Implementation of a custom scalar. A function throws with a message for the client when a value is invalid. */
export interface ScalarImplementation {
  /** Converts a resolver's value to JSON. */
  serialize(value: unknown): unknown;
  /**
   * Converts a variable's JSON or a literal: a string, a number, a bigint for an integer that a double would round, a boolean.
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

/** An operation that is about to be executed. */
export interface GraphqlExecution {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Result of `cost`; 0 without it. */
  readonly cost: number;
}

/** Limits of one request. */
export interface GraphqlLimits {
  /** Maximum lexical tokens of a document, without comments. */
  readonly tokens: number;
  /** Maximum nesting of fields, fragments expanded; introspection may go as deep as tools need it. */
  readonly depth: number;
  /** Maximum aliased fields of all operations of a document, fragments expanded. */
  readonly aliases: number;
  /** Maximum directives of a document. */
  readonly directives: number;
  /** Maximum fields of all operations of a document, fragments expanded. */
  readonly fields: number;
  /** Maximum result of `cost`. */
  readonly cost: number;
  /** Maximum length of a response, in bytes. */
  readonly responseBytes: number;
}

/** Options of a generated GraphQL plugin. */
export interface GraphqlOptions<Context>
  extends Omit<PluginOptions<Context>, "validateResponses" | "onInvalidResponse" | "context"> {
  /**
   * Returns the context for resolvers: once per execution, after `admitRequest`. `getSignal` returns the signal that is aborted when all
   * clients have gone; one execution may serve several clients.
   */
  context(request: FastifyRequest, getSignal: () => AbortSignal): Context | Promise<Context>;
  /**
   * Returns a key for everything, other than the query itself, that a response depends on. Equal queries in flight, with equal keys, are
   * executed once: the first one's context serves all of them that arrive before the next mutation has ended. Undefined: the request is not
   * shared. Absent: none is.
   */
  shareKey?(request: FastifyRequest): string | undefined;
  /** Implementations by the name of the scalar in the schema. Absent ones pass their values through. */
  scalars?: Readonly<Record<string, ScalarImplementation>>;
  /** Returns the work of an operation, in units of `limits.cost`. Passed to `admitRequest`, `execute` and `onOperation`. */
  cost?(request: GraphqlCostRequest): number | Promise<number>;
  /**
   * Cost below which responses take little memory, unless they select one thing under many aliases: they are compared with
   * `limits.responseBytes` when they are written, and not before. Absent: 0.
   */
  lightCost?: number;
  /** Limits; a function is called for each request. Absent members: `defaultGraphqlLimits`. */
  limits?: Partial<GraphqlLimits> | ((request: FastifyRequest) => Partial<GraphqlLimits>);
  /**
   * Wraps the execution of an operation: for work before and after it, such as waiting for capacity, and for ending it early. A
   * `ServiceError` that it throws is the complete response. Absent: `run()`.
   */
  execute?(
    run: () => ExecutionResult | Promise<ExecutionResult>,
    context: Context,
    execution: GraphqlExecution,
  ): ExecutionResult | Promise<ExecutionResult>;
  /**
   * Names that documents may use for scalars of the schema, by their names there, such as `{ Hash: "Bytes32" }`: accepted in the
   * definitions of variables, and never exposed. Absent: none.
   */
  scalarAliases?: Readonly<Record<string, string>>;
  /** Milliseconds without a result of a subscription before a comment is sent, so that its connection stays open. Absent: 15,000. */
  keepAliveMilliseconds?: number;
  /** Maximum fields of documents cached parsed, validated and compiled, fragments spread; 0 disables the cache. Absent: 50,000. */
  cacheFields?: number;
}

/** Default limits of GraphQL operations; their cost and the bytes of their responses are unlimited. */
export const defaultGraphqlLimits: GraphqlLimits = {
  tokens: 10_000,
  depth: 20,
  aliases: 500,
  directives: 500,
  fields: 5_000,
  cost: Number.POSITIVE_INFINITY,
  responseBytes: Number.POSITIVE_INFINITY,
};
