import {
  type ApiModel,
  camelCase,
  createNameAllocator,
  defaultMarks,
  type NameAllocator,
  type Operation,
} from "@nodewright/model";
import { createReport, type DiagnosticSink, type DocumentSet, type Report, type SourceText } from "@nodewright/source";
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  isScalarType,
  OperationTypeNode,
  printSchema,
  validateSchema,
} from "graphql";
import { validateSDL } from "graphql/validation/validate.js";
import { graphqlDiagnostics } from "./graphql-diagnostics.ts";
import { GraphqlPlaces, parseGraphql } from "./graphql-source.ts";
import { readOperationDocuments } from "./operation-documents.ts";
import { documentationOf, GraphqlTypeReader, type ScalarRepresentation } from "./type-reader.ts";

export interface ReadOptions {
  /** The schema, as diagnostics and generated files name it. */
  readonly file: string;
  /** `ApiModel.name`. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
  /** Files of the operation documents. */
  readonly operations: readonly string[];
  readonly hasFile: (file: string) => boolean;
  readonly scalars: Readonly<Record<string, ScalarRepresentation>>;
}

/** Reads GraphQL SDL (October 2021) and operation documents; undefined when there is nothing to read. */
export function readGraphql(options: ReadOptions): ApiModel | undefined {
  const report = createReport("graphql", graphqlDiagnostics, options.sink);
  const text = options.documents.readText(options.file);
  const ast = text && parseGraphql(text, report);
  const schema = text && ast && buildValidSchema(text, ast, report);
  if (text === undefined || schema === undefined) return undefined;
  const places = new GraphqlPlaces(text);
  reportUnknownScalars(options, schema, places, report);
  const types = new GraphqlTypeReader(places, options.scalars);
  return {
    name: options.name,
    protocol: "graphql",
    title: options.title,
    version: options.version,
    ...(schema.description ? { description: schema.description } : {}),
    document: options.file,
    declarations: types.declarations(schema),
    operations: readRootFields(schema, types, places),
    documents: readOperationDocuments({ ...options, schema, report, files: options.operations }),
    security: [],
    schemaText: printSchema(schema),
  };
}

/** Reports every mistake of the SDL before any of the schema: the latter can only be looked for once the former are gone. */
function buildValidSchema(
  text: SourceText,
  ast: DocumentNode,
  report: Report<typeof graphqlDiagnostics>,
): GraphQLSchema | undefined {
  const places = new GraphqlPlaces(text);
  const mistakes = validateSDL(ast);
  for (const error of mistakes) report("invalid-schema", places.ofError(error), { problem: error.message });
  if (mistakes.length > 0) return undefined;
  const schema = buildASTSchema(ast, { assumeValidSDL: true });
  const problems = validateSchema(schema);
  for (const error of problems) {
    if (error.message === "Query root type must be provided.") report("no-query", places.range(undefined, ""), {});
    else report("invalid-schema", places.ofError(error), { problem: error.message });
  }
  return problems.length > 0 ? undefined : schema;
}

function reportUnknownScalars(
  options: ReadOptions,
  schema: GraphQLSchema,
  places: GraphqlPlaces,
  report: Report<typeof graphqlDiagnostics>,
): void {
  for (const scalar of Object.keys(options.scalars)) {
    if (!isScalarType(schema.getType(scalar))) report("unknown-scalar", places.range(undefined, ""), { scalar });
  }
}

function readRootFields(schema: GraphQLSchema, types: GraphqlTypeReader, places: GraphqlPlaces): readonly Operation[] {
  const names = createNameAllocator();
  return [OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION].flatMap((root) => {
    const type = schema.getRootType(root);
    return Object.values(type?.getFields() ?? {}).map((field) =>
      readRootField({ root, typeName: type?.name ?? "", field }, types, places, names),
    );
  });
}

interface RootField {
  readonly root: OperationTypeNode;
  readonly typeName: string;
  readonly field: GraphQLField<unknown, unknown>;
}

function readRootField(
  { root, typeName, field }: RootField,
  types: GraphqlTypeReader,
  places: GraphqlPlaces,
  names: NameAllocator,
): Operation {
  const origin = `${typeName}.${field.name}`;
  const source = places.range(field.astNode?.loc, origin);
  return {
    name: names.allocate(camelCase(field.name)),
    origin,
    binding: { kind: "graphql", root, field: field.name },
    tags: [],
    parameters: types.parameters(field.args, origin),
    successes: [
      {
        status: 200,
        headers: [],
        description: "",
        source,
        content: { mediaType: "application/json", form: "json", type: types.type(field.type, origin) },
      },
    ],
    failures: [],
    examples: [],
    links: [],
    marks: { ...defaultMarks, safe: root === OperationTypeNode.QUERY },
    source,
    documentation: documentationOf(field),
  };
}
