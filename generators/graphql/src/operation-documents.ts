import {
  camelCase,
  type Example,
  type ExampleInput,
  type GraphqlDocument,
  type JsonValue,
  kebabCase,
  type Parameter,
} from "@nodewright/model";
import type { DocumentSet, Located, Report, SourceText } from "@nodewright/source";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  print,
  separateOperations,
  typeFromAST,
  validate,
  valueFromASTUntyped,
} from "graphql";
import type { DeclarationNames } from "./declaration-names.ts";
import type { graphqlDiagnostics } from "./graphql-diagnostics.ts";
import { GraphqlPlaces, parseGraphql } from "./graphql-source.ts";
import { selectionType } from "./selection-type.ts";
import { GraphqlTypeReader, type ScalarRepresentation } from "./type-reader.ts";

export interface OperationDocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly scalars: Readonly<Record<string, ScalarRepresentation>>;
  readonly names: DeclarationNames;
  readonly documents: DocumentSet;
  readonly report: Report<typeof graphqlDiagnostics>;
  /** `*.graphql` files; the examples of `block.graphql` stand in `block.examples.yaml`, if there are any. */
  readonly files: readonly string[];
  readonly hasFile: (file: string) => boolean;
}

/** Reads the named operations written beside a schema. */
export function readOperationDocuments(options: OperationDocumentsOptions): readonly GraphqlDocument[] {
  const firstFiles = new Map<string, string>();
  return options.files.flatMap((file) => {
    const text = options.documents.readText(file);
    const ast = text && parseGraphql(text, options.report);
    if (text === undefined || ast === undefined) return [];
    const places = new GraphqlPlaces(text);
    const errors = validate(options.schema, ast, undefined, { maxErrors: 1000 });
    for (const error of errors) options.report("invalid-operation", places.ofError(error), { problem: error.message });
    if (errors.length > 0) return [];
    return ast.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? (readOperation(options, { text, ast, places }, definition, firstFiles) ?? [])
        : [],
    );
  });
}

interface ParsedFile {
  readonly text: SourceText;
  readonly ast: DocumentNode;
  readonly places: GraphqlPlaces;
}

function readOperation(
  options: OperationDocumentsOptions,
  { text, ast, places }: ParsedFile,
  definition: OperationDefinitionNode,
  firstFiles: Map<string, string>,
): GraphqlDocument | undefined {
  const originalName = definition.name?.value;
  const source = places.range(definition.loc, originalName ?? "");
  if (originalName === undefined) {
    options.report("anonymous-operation", source, {});
    return undefined;
  }
  const name = camelCase(originalName);
  const firstFile = firstFiles.get(name);
  if (firstFile !== undefined) options.report("duplicate-operation", source, { name: originalName, file: firstFile });
  firstFiles.set(name, text.file);
  const root = options.schema.getRootType(definition.operation);
  if (!root) throw new Error(`The schema has no ${definition.operation} type, though the operation is valid`);
  const types = new GraphqlTypeReader(places, options.scalars, options.names);
  const fragments = new Map(
    ast.definitions.flatMap((other): [string, FragmentDefinitionNode][] =>
      other.kind === Kind.FRAGMENT_DEFINITION ? [[other.name.value, other]] : [],
    ),
  );
  const variables = readVariables(options.schema, types, places, definition);
  const result = selectionType({ schema: options.schema, fragments, types, places }, root, [definition.selectionSet]);
  return {
    name,
    root: definition.operation,
    text: print(separateOperations(ast)[originalName] ?? ast),
    variables,
    result,
    rootFields: definition.selectionSet.selections.flatMap((selection) =>
      selection.kind === Kind.FIELD ? [selection.name.value] : [],
    ),
    examples: readExamples(options, text.file, originalName, variables),
    source,
    documentation: readLeadingComment(text),
  };
}

function readVariables(
  schema: GraphQLSchema,
  types: GraphqlTypeReader,
  places: GraphqlPlaces,
  definition: OperationDefinitionNode,
): readonly Parameter[] {
  return (definition.variableDefinitions ?? []).map((variable) => {
    const name = variable.variable.name.value;
    const type = typeFromAST(schema, variable.type as never) as GraphQLInputType | undefined;
    if (type === undefined) throw new Error(`The variable $${name} has no type, though the operation is valid`);
    const initial = variable.defaultValue && (valueFromASTUntyped(variable.defaultValue) as JsonValue);
    return {
      name,
      property: name,
      location: "argument",
      required: isNonNullType(type) && initial === undefined,
      type: types.type(type, `$${name}`),
      style: "simple",
      explode: false,
      source: places.range(variable.loc, `$${name}`),
      ...(initial === undefined ? {} : { default: initial }),
    };
  });
}

/** The comment at the top of the file says what the operation is for. */
function readLeadingComment(text: SourceText): { readonly description?: string } {
  const lines = /^(?:\s*#[^\n]*\n)+/.exec(text.text)?.[0] ?? "";
  const description = lines
    .split("\n")
    .map((line) => line.trim().replace(/^#\s?/, ""))
    .join("\n")
    .trim();
  return description === "" ? {} : { description };
}

function readExamples(
  options: OperationDocumentsOptions,
  file: string,
  operation: string,
  variables: readonly Parameter[],
): readonly Example[] {
  const examplesFile = file.replace(/\.graphql$/, ".examples.yaml");
  if (!options.hasFile(examplesFile)) return [];
  const document = options.documents.read(examplesFile);
  return (document?.root.items ?? []).flatMap((item) => readExample(options, item, operation, variables) ?? []);
}

function readExample(
  { report }: OperationDocumentsOptions,
  item: Located,
  operation: string,
  variables: readonly Parameter[],
): Example | undefined {
  const name = item.member("name")?.string;
  const data = item.member("data");
  const errors = item.member("errors");
  if (name === undefined || (data === undefined) === (errors === undefined)) {
    report("not-an-example", item.source, {});
    return undefined;
  }
  const given = item.member("variables");
  for (const [variable] of given?.members ?? []) {
    if (!variables.some((known) => known.name === variable))
      report("unknown-variable", given?.keySource(variable) ?? item.source, { operation, variable });
  }
  const summary = item.member("summary")?.string;
  const input = Object.fromEntries(
    (given?.members ?? []).map(([variable, value]) => [variable, value.value as JsonValue]),
  ) as ExampleInput;
  return {
    name: kebabCase(name),
    input,
    live: item.member("live")?.boolean === true,
    source: item.source,
    ...(summary === undefined ? {} : { summary }),
    outcome: data === undefined ? failureOf(errors) : { kind: "success", status: 200, value: data.value as JsonValue },
  };
}

function failureOf(errors: Located | undefined): Example["outcome"] {
  const first = errors?.items[0];
  const message = first?.member("message")?.string;
  const graphqlCode = first?.member("code")?.string;
  return {
    kind: "failure",
    ...(message === undefined ? {} : { message }),
    ...(graphqlCode === undefined ? {} : { graphqlCode }),
  };
}
