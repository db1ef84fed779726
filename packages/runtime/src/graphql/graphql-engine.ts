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
  NoFragmentCyclesRule,
  parse,
  subscribe,
  type ValidationRule,
  validate,
} from "graphql";
import { BoundedCache } from "../basics/bounded-cache.ts";
import type { PromiseOrValue } from "../basics/promise-or-value.ts";
import type { GraphqlOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import { type CompiledOperation, compileOperation, maximumVariableErrors } from "./compiled-operation.ts";
import { assertRepetitions, assertScan, assertSize, type MeasuredDocument } from "./document-limits.ts";
import { scanDocument } from "./document-scan.ts";
import { countRepetitions, measureDocument } from "./document-size.ts";
import type { GraphqlLimits } from "./graphql-options.ts";
import { selectsArgumentFields } from "./field-of-parent.ts";
import { type IntrospectionLists, introspectionListsOf, usualIntrospection } from "./introspection-size.ts";
import { type RootField, selectedRootFields } from "./root-fields.ts";
import { withoutScalarAliases } from "./scalar-aliases.ts";

export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Variables = Readonly<Record<string, unknown>>;

/** A valid operation of a valid document, ready to be executed; cached with the document. */
export interface PreparedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly rootFields: readonly RootField[];
  /** Number of aliased fields of the document, fragments expanded. */
  readonly aliases: number;
  run(context: unknown, variables: Variables): PromiseOrValue<ExecutionResult>;
  /** Returns the results of a subscription as they arrive; one result where it could not be started. */
  subscribe(
    context: unknown,
    variables: Variables,
  ): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;
}

/** Error for a request that is not executed, with the errors of its document. */
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
  /** Sizes, because limits may differ from request to request. */
  readonly measured: MeasuredDocument;
  /** Weight, in about as many fields as it takes the memory of. */
  readonly weight: number;
  /** Operations by the name that requests give. */
  readonly operations: Map<string | undefined, PreparedOperation>;
}

/**
 * Minimum weight of a document. Its memory once it is compiled depends on its fields, with fragments spread, and on its source text. A
 * count of documents would bound nothing: one can be ten thousand times as large as another.
 */
const minimumDocumentWeight = 100;
const charactersPerField = 20;
/**
 * Weight above which documents are interpreted: compiling takes the serving thread for about 80 µs a field, and its garbage is collected
 * late.
 */
const heaviestCompiled = 1_000;
const maximumValidationErrors = 20;
/** Maximum introspections in a document: tools request the schema once; some request parts of it in addition. */
const introspectionsPerDocument = 2;

/** Engine that parses, validates, compiles and executes; it caches documents, within a bound. */
export class GraphqlEngine {
  readonly #schema: GraphQLSchema;
  readonly #schemaWithoutArgumentFields: GraphQLSchema;
  readonly #limits: GraphqlLimits;
  readonly #scalarAliases: Readonly<Record<string, string>>;
  readonly #documents: BoundedCache<string, CachedDocument>;
  readonly #introspectionLists: IntrospectionLists;
  readonly #introspectionLimit: number;
  readonly #operations: readonly GraphqlOperation[];

  /**
   * Creates the engine. `limits` are those of requests without their own. `cacheFields` bounds the cache of documents: about as much memory
   * as so many fields take. `scalarAliases` as in `GraphqlOptions`; `operations` are those that root fields are found among. `schemaWithoutArgumentFields`
   * is the schema without the resolvers that are called only for arguments: documents without those arguments are compiled with it.
   */
  constructor(
    schema: GraphQLSchema,
    limits: GraphqlLimits,
    cacheFields: number,
    scalarAliases: Readonly<Record<string, string>> = {},
    operations: readonly GraphqlOperation[] = [],
    schemaWithoutArgumentFields: GraphQLSchema = schema,
  ) {
    this.#schema = schema;
    this.#schemaWithoutArgumentFields = schemaWithoutArgumentFields;
    this.#limits = limits;
    this.#scalarAliases = scalarAliases;
    this.#operations = operations;
    this.#documents = new BoundedCache(cacheFields, ({ weight }) => weight);
    this.#introspectionLists = introspectionListsOf(schema);
    this.#introspectionLimit = usualIntrospection(this.#introspectionLists) * introspectionsPerDocument;
  }

  /** Prepares an operation. Throws `GraphqlDocumentError` for an invalid document, `ServiceError` for one that is too large. */
  prepare({ query, operationName }: GraphqlRequest, limits: GraphqlLimits = this.#limits): PreparedOperation {
    const found = this.#documents.find(query);
    if (found !== undefined) this.#assertLimits(found.measured, limits);
    const cached = found ?? this.#read(query, limits);
    const known = cached.operations.get(operationName);
    if (known !== undefined) return known;
    const operation = getOperationAST(cached.document, operationName);
    if (operation === undefined || operation === null) throw unknownOperation(operationName);
    if (this.#schema.getRootType(operation.operation) === undefined) throw noRoot(operation);
    const prepared = this.#prepare(cached, operation);
    cached.operations.set(operationName, prepared);
    return prepared;
  }

  #prepare({ document, weight, measured }: CachedDocument, operation: OperationDefinitionNode): PreparedOperation {
    const executionOf = (context: unknown, variables: Variables): ExecutionArgs => ({
      schema: this.#schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName: operation.name?.value,
      options: { maxCoercionErrors: maximumVariableErrors },
    });
    const interpret: CompiledOperation = (context, variables) => execute(executionOf(context, variables));
    let isUsed = false;
    let compiled: CompiledOperation | undefined;
    // A document that is requested once is not worth compiling.
    const findCompiled = (): CompiledOperation => {
      if (!isUsed || weight > heaviestCompiled) return interpret;
      const schema = selectsArgumentFields(document, this.#schema) ? this.#schema : this.#schemaWithoutArgumentFields;
      return compileOperation(schema, document, operation) ?? interpret;
    };
    return {
      document,
      operation,
      rootFields: selectedRootFields(document, operation, this.#operations),
      aliases: measured.size.aliases,
      run: (context, variables) => {
        const known = compiled ?? findCompiled();
        if (isUsed) compiled = known;
        isUsed = true;
        return known(context, variables);
      },
      subscribe: (context, variables) => subscribe(executionOf(context, variables)),
    };
  }

  /** Reads a document. All limits are checked before validation, which takes time with the square of a document's size. */
  #read(query: string, limits: GraphqlLimits): CachedDocument {
    const scan = scanDocument(query);
    assertScan(scan, limits);
    const document = withoutScalarAliases(parseDocument(query), this.#schema, this.#scalarAliases);
    const size = measureDocument(document, this.#introspectionLists);
    if (size.isCircular) throw new GraphqlDocumentError(this.#validate(document, [NoFragmentCyclesRule]));
    assertSize(size, limits, this.#introspectionLimit);
    const repetitions = countRepetitions(document);
    assertRepetitions(repetitions);
    const errors = this.#validate(document);
    if (errors.length > 0) throw new GraphqlDocumentError(errors);
    const weight = minimumDocumentWeight + query.length / charactersPerField + size.fields;
    const cached: CachedDocument = { document, measured: { scan, size }, weight, operations: new Map() };
    this.#documents.set(query, cached);
    return cached;
  }

  #assertLimits({ scan, size }: MeasuredDocument, limits: GraphqlLimits): void {
    assertScan(scan, limits);
    assertSize(size, limits, this.#introspectionLimit);
  }

  #validate(document: DocumentNode, rules?: readonly ValidationRule[]): readonly GraphQLError[] {
    return validate(this.#schema, document, rules, { maxErrors: maximumValidationErrors });
  }
}

function unknownOperation(operationName: string | undefined): ServiceError {
  const message =
    operationName === undefined
      ? "The document has several operations, so operationName has to name one of them"
      : "The document has no operation of the name in operationName";
  return new ServiceError("invalid_input", message);
}

/** Creates the error for a root that the schema does not have: validation checks no field of it. */
function noRoot({ operation }: OperationDefinitionNode): ServiceError {
  return new ServiceError("invalid_input", `The schema has no ${operation}s`);
}

function parseDocument(query: string): DocumentNode {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof GraphQLErrorClass) throw new GraphqlDocumentError([error]);
    throw error;
  }
}
