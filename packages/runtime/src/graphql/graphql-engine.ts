import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  GraphQLError as GraphQLErrorClass,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  subscribe,
  validate,
} from "graphql";
import { BoundedCache } from "../bounded-cache.ts";
import { ServiceError } from "../service-error.ts";
import { type CompiledOperation, compileOperation } from "./compiled-operation.ts";
import { measureOperation } from "./document-size.ts";
import type { GraphqlLimits } from "./graphql-options.ts";

export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A valid operation of a valid document, ready to be executed. */
export interface PreparedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  run(context: unknown, variables: Readonly<Record<string, unknown>>): Promise<ExecutionResult>;
  /** The results of a subscription as they come; one result where it could not be begun. */
  subscribe(
    context: unknown,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;
}

/** A request that is not executed, with what is wrong about its document. */
export class GraphqlDocumentError extends Error {
  override readonly name = "GraphqlDocumentError";
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super("The GraphQL document can't be executed");
    this.errors = errors;
  }
}

/** A document that was parsed and found valid. */
interface CachedDocument {
  readonly document: DocumentNode;
  /** About how many fields it takes the place of. */
  readonly weight: number;
  /** By operation name. `undefined` after the first use: what is asked for once is not worth compiling. */
  readonly compiled: Map<string, CompiledOperation | undefined>;
}

/**
 * What a document takes in memory once it is compiled goes by its fields, with fragments spread, and by its text; the smallest has a
 * weight as well. A count of documents would bound nothing: one can be ten thousand times as large as another.
 */
const leastDocumentWeight = 100;
const charactersPerField = 20;
/**
 * Heavier documents are interpreted: compiling takes the serving thread for about 80 µs a field, and what it leaves behind is
 * collected late.
 */
const heaviestCompiled = 1_000;
const mostValidationErrors = 20;
/** Selection sets inside each other, for each level of fields that is allowed. */
const nestingPerLevel = 5;

/** Parses, checks, compiles and executes; keeps what it has learned about documents, within a bound. */
export class GraphqlEngine {
  readonly #schema: GraphQLSchema;
  readonly #limits: GraphqlLimits;
  readonly #documents: BoundedCache<string, CachedDocument>;
  /** Operations that can't be compiled. */
  readonly #interpreted = new WeakSet<OperationDefinitionNode>();

  /** `cacheFields` bounds what is kept of documents: about as much as so many fields take. */
  constructor(schema: GraphQLSchema, limits: GraphqlLimits, cacheFields: number) {
    this.#schema = schema;
    this.#limits = limits;
    this.#documents = new BoundedCache(cacheFields, ({ weight }) => weight);
  }

  /** Throws `GraphqlDocumentError` for a document that is not valid, `ServiceError` for one that is too large. */
  prepare({ query, operationName }: GraphqlRequest): PreparedOperation {
    const cached = this.#documents.find(query) ?? this.#read(query);
    const { document } = cached;
    const operation = getOperationAST(document, operationName);
    if (operation === undefined || operation === null) throw unknownOperation(operationName);
    return {
      document,
      operation,
      run: (context, variables) => this.#execute(cached, operation, context, variables),
      subscribe: (context, variables) => subscribe(this.#executionOf(cached, operation, context, variables)),
    };
  }

  #read(query: string): CachedDocument {
    const document = this.#parse(query);
    let weight = leastDocumentWeight + query.length / charactersPerField;
    for (const definition of document.definitions) {
      if (definition.kind === "OperationDefinition") weight += this.#checkSize(document, definition);
    }
    const errors = validate(this.#schema, document, undefined, { maxErrors: mostValidationErrors });
    if (errors.length > 0) throw new GraphqlDocumentError(errors);
    const cached: CachedDocument = { document, weight, compiled: new Map() };
    this.#documents.set(query, cached);
    return cached;
  }

  #parse(query: string): DocumentNode {
    try {
      return parse(query, { maxTokens: this.#limits.tokens });
    } catch (error) {
      if (error instanceof GraphQLErrorClass) throw new GraphqlDocumentError([error]);
      // The parser calls itself for each level.
      if (error instanceof RangeError) throw tooLarge("depth", this.#limits.depth);
      throw error;
    }
  }

  /** Gives the number of fields. */
  #checkSize(document: DocumentNode, operation: OperationDefinitionNode): number {
    const size = measureOperation(document, operation);
    const { depth, aliases, fields } = this.#limits;
    if (size.depth > depth || size.nesting > depth * nestingPerLevel) throw tooLarge("depth", depth);
    if (size.aliases > aliases) throw tooLarge("number of aliases", aliases);
    if (size.fields > fields) throw tooLarge("number of fields", fields);
    return size.fields;
  }

  async #execute(
    cached: CachedDocument,
    operation: OperationDefinitionNode,
    context: unknown,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<ExecutionResult> {
    const compiled = this.#compile(cached, operation);
    if (compiled !== undefined) return compiled(context, variables);
    return execute(this.#executionOf(cached, operation, context, variables));
  }

  #executionOf(
    { document }: CachedDocument,
    operation: OperationDefinitionNode,
    context: unknown,
    variables: Readonly<Record<string, unknown>>,
  ): ExecutionArgs {
    return {
      schema: this.#schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName: operation.name?.value,
    };
  }

  /** Compiles on the second use. */
  #compile(
    { document, weight, compiled }: CachedDocument,
    operation: OperationDefinitionNode,
  ): CompiledOperation | undefined {
    if (weight > heaviestCompiled) return undefined;
    const name = operation.name?.value ?? "";
    if (!compiled.has(name)) {
      compiled.set(name, undefined);
      return undefined;
    }
    const known = compiled.get(name);
    if (known !== undefined || this.#interpreted.has(operation)) return known;
    const result = compileOperation(this.#schema, document, operation);
    if (result === undefined) this.#interpreted.add(operation);
    else compiled.set(name, result);
    return result;
  }
}

function unknownOperation(operationName: string | undefined): ServiceError {
  const message =
    operationName === undefined
      ? "The document has several operations, so operationName has to name one of them"
      : "The document has no operation of the name in operationName";
  return new ServiceError("invalid_input", message);
}

function tooLarge(what: string, limit: number): ServiceError {
  return new ServiceError("invalid_input", `The ${what} of the GraphQL document passes the limit of ${limit}`);
}
