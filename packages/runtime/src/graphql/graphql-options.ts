import type { FastifyReply, FastifyRequest } from "fastify";
import type { DocumentNode, ExecutionResult, GraphQLResolveInfo, OperationDefinitionNode } from "graphql";
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

/** An operation that is about to be executed. */
export interface GraphqlExecution {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** What `cost` answered; 0 without it. */
  readonly cost: number;
}

/** What one request may be, at most. */
export interface GraphqlLimits {
  /** Lexical tokens of a document, comments not counted. */
  readonly tokens: number;
  /** Nesting of fields, fragments expanded; introspection may go as deep as tools need it. */
  readonly depth: number;
  /** Aliased fields of all operations of a document, fragments expanded. */
  readonly aliases: number;
  /** Directives of a document. */
  readonly directives: number;
  /** Fields of all operations of a document, fragments expanded. */
  readonly fields: number;
  /** What `cost` may answer. */
  readonly cost: number;
  /** Length of an answer. */
  readonly answerBytes: number;
}

export interface GraphqlOptions<Context>
  extends Omit<PluginOptions<Context>, "validateAnswers" | "onInvalidAnswer" | "context"> {
  /**
   * The context that resolvers are called with: once per execution, after `admitRequest`. `getSignal` gives what is aborted when
   * nobody waits for the answer any more; one execution may answer several callers.
   */
  context(request: FastifyRequest, getSignal: () => AbortSignal): Context | Promise<Context>;
  /**
   * Names everything, beside the query itself, that an answer to a request depends on. Equal queries under way, with equal names, are
   * executed once: the first one's context answers all of them that come before the next mutation has ended. Undefined: the request
   * shares with nobody. Absent: none does.
   */
  shareKey?(request: FastifyRequest): string | undefined;
  /** By the name of the scalar in the schema. Absent ones pass their values through. */
  scalars?: Readonly<Record<string, ScalarImplementation>>;
  /** Work that an operation asks for, in units of `limits.cost`. Told to `admitRequest`, `execute` and `onOperation`. */
  cost?(request: GraphqlCostRequest): number | Promise<number>;
  /**
   * Operations that cost less have answers that memory need not be feared for, unless they ask for one thing under many aliases: their
   * answers are held against `limits.answerBytes` when they are written, and not before. Absent: 0.
   */
  lightCost?: number;
  /** A function is asked for each request. Absent members: `defaultGraphqlLimits`. */
  limits?: Partial<GraphqlLimits> | ((request: FastifyRequest) => Partial<GraphqlLimits>);
  /**
   * Stands round the execution of an operation: for what has to happen before and after it, such as waiting for a turn, and for ending
   * it early. A `ServiceError` that it throws is the whole answer. Absent: `run()`.
   */
  execute?(
    run: () => ExecutionResult | Promise<ExecutionResult>,
    context: Context,
    execution: GraphqlExecution,
  ): ExecutionResult | Promise<ExecutionResult>;
  /**
   * Names under which documents may know scalars of the schema, by what they are called there, such as `{ Hash: "Bytes32" }`: taken in
   * the definitions of variables, and nowhere shown. Absent: none.
   */
  scalarAliases?: Readonly<Record<string, string>>;
  /** How long a subscription may have nothing to say before a comment is sent, so that its connection lives. Absent: 15,000. */
  keepAliveMilliseconds?: number;
  /** Most fields of documents kept parsed, validated and compiled, fragments spread; 0 keeps none. Absent: 50,000. */
  cacheFields?: number;
}

export const defaultGraphqlLimits: GraphqlLimits = {
  tokens: 10_000,
  depth: 20,
  aliases: 500,
  directives: 500,
  fields: 5_000,
  cost: Number.POSITIVE_INFINITY,
  answerBytes: Number.POSITIVE_INFINITY,
};
