import {
  camelCase,
  distinctNames,
  type Example,
  type ExampleInput,
  type GraphqlDocument,
  type JsonValue,
  kebabCase,
  type Parameter,
} from "@nodewright/model";
import type { DiagnosticSink, DocumentSet, Located, Report, SourceText } from "@nodewright/source";
import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  KnownFragmentNamesRule,
  LoneAnonymousOperationRule,
  NoUnusedFragmentsRule,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
  specifiedRules,
  TokenKind,
  typeFromAST,
  UniqueOperationNamesRule,
  type ValidationRule,
  validate,
  valueFromASTUntyped,
  visit,
} from "graphql";
import { companionFile } from "./companion-file.ts";
import type { DeclarationNames } from "./declaration-names.ts";
import type { graphqlDiagnostics } from "./graphql-diagnostics.ts";
import { GraphqlPlaces, parseGraphql } from "./graphql-source.ts";
import { withRelations } from "./operation-relations.ts";
import { withPageRanges } from "./page-ranges.ts";
import { selectionType } from "./selection-type.ts";
import { GraphqlTypeReader, type ScalarRepresentation } from "./type-reader.ts";

export interface OperationDocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly scalars: Readonly<Record<string, ScalarRepresentation>>;
  readonly names: DeclarationNames;
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
  readonly report: Report<typeof graphqlDiagnostics>;
  /** `*.graphql` files; the examples of `block.graphql` stand in `block.examples.yaml`, if there are any. */
  readonly files: readonly string[];
  readonly hasFile: (file: string) => boolean;
}

/** Reads the named operations written beside a schema. A fragment serves the operations of all files. */
export function readOperationDocuments(options: OperationDocumentsOptions): readonly GraphqlDocument[] {
  const files = options.files.flatMap((file) => {
    const text = options.documents.readText(file);
    const ast = text && parseGraphql(text, options.report);
    return text === undefined || ast === undefined ? [] : [{ text, ast, places: new GraphqlPlaces(text) }];
  });
  for (const file of files) checkExampleOwners(options, file);
  // What can't be parsed may hold the fragments that others seem to lack.
  const isWhole = files.length === options.files.length;
  const wrongFiles = checkDocuments(options, files, isWhole ? rules : rulesOfSome);
  const fragments = new Map(files.flatMap(({ ast }) => ast.definitions.filter(isFragment)).map(named));
  const written = withNames(options.report, operationsOf(files)).filter(
    (operation) => isWhole && filesOf(operation, fragments).every((file) => !wrongFiles.has(file)),
  );
  const names = distinctNames(written.map(({ name }) => ({ original: name, wanted: camelCase(name) })));
  const operations = written.map((operation, index) => ({
    document: readOperation(options, fragments, operation, names[index] ?? operation.name),
    definition: operation.definition,
    name: operation.name,
  }));
  const asts = files.map(({ text, ast }) => ({ file: text.file, ast }));
  const documents = withPageRanges(options, asts, operations);
  return withRelations(
    options,
    asts,
    documents.flatMap((document, index) => {
      const name = operations[index]?.name;
      return name === undefined ? [] : [{ name, document }];
    }),
  );
}

interface ParsedFile {
  readonly text: SourceText;
  readonly ast: DocumentNode;
  readonly places: GraphqlPlaces;
}

interface WrittenOperation extends ParsedFile {
  readonly definition: OperationDefinitionNode;
  /** As it is written; empty for one that has none. */
  readonly name: string;
}

function operationsOf(files: readonly ParsedFile[]): readonly WrittenOperation[] {
  return files.flatMap((file) =>
    file.ast.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? [{ ...file, definition, name: definition.name?.value ?? "" }]
        : [],
    ),
  );
}

/** Rules about one document, of which the files are several; and one whose breach misleads nobody, told apart. */
const otherRules: ReadonlySet<ValidationRule> = new Set([
  LoneAnonymousOperationRule,
  UniqueOperationNamesRule,
  NoUnusedFragmentsRule,
]);

const rules = specifiedRules.filter((rule) => !otherRules.has(rule));
const rulesOfSome = rules.filter((rule) => rule !== KnownFragmentNamesRule);

/** Holds all files against the schema as one document; gives the names of those with a mistake. */
function checkDocuments(
  { schema, report }: OperationDocumentsOptions,
  files: readonly ParsedFile[],
  checked: readonly ValidationRule[],
): ReadonlySet<string> {
  const merged: DocumentNode = { kind: Kind.DOCUMENT, definitions: files.flatMap(({ ast }) => ast.definitions) };
  const placesByFile = new Map(files.map(({ text, places }) => [text.file, places]));
  const wrong = new Set<string>();
  for (const error of validate(schema, merged, checked, { maxErrors: 1000 })) {
    const file = fileOf(error.nodes?.at(-1));
    wrong.add(file);
    const source = placesByFile.get(file)?.ofError(error);
    if (source !== undefined) report("invalid-operation", source, { problem: error.message });
  }
  for (const error of wrong.size === 0 ? validate(schema, merged, [NoUnusedFragmentsRule]) : []) {
    const [fragment] = error.nodes ?? [];
    const source = placesByFile.get(fileOf(fragment))?.ofError(error);
    if (source !== undefined && fragment?.kind === Kind.FRAGMENT_DEFINITION)
      report("unused-fragment", source, { name: fragment.name.value });
  }
  return wrong;
}

function fileOf(node: ASTNode | undefined): string {
  return node?.loc?.source.name ?? "";
}

/** The operations with a name of their own; the others are reported. */
function withNames(
  report: OperationDocumentsOptions["report"],
  written: readonly WrittenOperation[],
): readonly WrittenOperation[] {
  const firsts = new Map<string, WrittenOperation>();
  for (const operation of written) {
    const { name, definition, places } = operation;
    const source = places.range(definition.loc, name);
    const first = firsts.get(name);
    if (name === "") report("anonymous-operation", source, {});
    else if (first !== undefined) report("duplicate-operation", source, { name, file: first.text.file });
    else firsts.set(name, operation);
  }
  return [...firsts.values()];
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function readOperation(
  options: OperationDocumentsOptions,
  fragments: Fragments,
  { text, places, definition, name: originalName, ast }: WrittenOperation,
  name: string,
): GraphqlDocument {
  const root = options.schema.getRootType(definition.operation);
  if (!root) throw new Error(`The schema has no ${definition.operation} type, though the operation is valid`);
  const types = new GraphqlTypeReader(places, options.scalars, options.names);
  const variables = readVariables(options.schema, types, places, definition);
  const result = selectionType({ schema: options.schema, fragments, types, places }, root, [definition.selectionSet]);
  const definitions = [definition, ...usedFragments(definition, fragments)];
  return {
    name,
    root: definition.operation,
    text: print({ kind: Kind.DOCUMENT, definitions }),
    variables,
    result,
    rootFields: rootFieldsOf(definition.selectionSet, fragments),
    examples: readExamples(options, text.file, {
      operation: originalName,
      variables,
      isAlone: operationNames(ast).length === 1,
    }),
    source: places.range(definition.loc, originalName),
    documentation: readComment(definition),
  };
}

/** The files that an operation and its fragments stand in. */
function filesOf({ definition }: WrittenOperation, fragments: Fragments): readonly string[] {
  return [definition, ...usedFragments(definition, fragments)].map(fileOf);
}

/** The fragments that an operation reaches, by the order in which it does. */
function usedFragments(operation: OperationDefinitionNode, fragments: Fragments): readonly FragmentDefinitionNode[] {
  const used = new Set<FragmentDefinitionNode>();
  const collectFrom = (node: ASTNode): void => {
    visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment === undefined || used.has(fragment)) return;
        used.add(fragment);
      },
    });
  };
  collectFrom(operation);
  // A set gives what is added while it is gone through.
  for (const fragment of used) collectFrom(fragment);
  return [...used];
}

/** Names of the fields of the root type that are selected, in fragments too. */
function rootFieldsOf(selectionSet: SelectionSetNode, fragments: Fragments): readonly string[] {
  const fields = new Set<string>();
  const visited = new Set<SelectionSetNode>();
  const collectFrom = (set: SelectionSetNode | undefined): void => {
    if (set === undefined || visited.has(set)) return;
    visited.add(set);
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) fields.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collectFrom(selection.selectionSet);
      else collectFrom(fragments.get(selection.name.value)?.selectionSet);
    }
  };
  collectFrom(selectionSet);
  return [...fields];
}

function isFragment(definition: DefinitionNode): definition is FragmentDefinitionNode {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}

function named(fragment: FragmentDefinitionNode): readonly [string, FragmentDefinitionNode] {
  return [fragment.name.value, fragment];
}

function operationNames({ definitions }: DocumentNode): readonly string[] {
  return definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value ?? ""] : [],
  );
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

/** The comment above an operation says what it is for. */
function readComment({ loc }: OperationDefinitionNode): { readonly description?: string } {
  const lines: string[] = [];
  for (let token = loc?.startToken.prev; token?.kind === TokenKind.COMMENT; token = token.prev)
    lines.unshift(token.value.replace(/^\s/, "").trimEnd());
  const description = lines.join("\n").trim();
  return description === "" ? {} : { description };
}

interface ExampleOwner {
  /** As it is written. */
  readonly operation: string;
  readonly variables: readonly Parameter[];
  /** Whether its file holds no other: then its examples need not say whose they are. */
  readonly isAlone: boolean;
}

function exampleItems({ documents, hasFile }: OperationDocumentsOptions, file: string): readonly Located[] {
  const examplesFile = companionFile(file, ".examples.yaml");
  return hasFile(examplesFile) ? (documents.read(examplesFile)?.root.items ?? []) : [];
}

/** Beside several operations, or none, an example says whose it is. */
function checkExampleOwners(options: OperationDocumentsOptions, { text: { file }, ast }: ParsedFile): void {
  const names = operationNames(ast);
  for (const item of exampleItems(options, file)) {
    const owner = item.member("operation")?.string ?? (names.length === 1 ? names[0] : undefined);
    if (owner !== undefined && names.includes(owner)) continue;
    options.report("unclaimed-example", item.source, { file, operations: names.join(", ") });
  }
}

function readExamples(options: OperationDocumentsOptions, file: string, owner: ExampleOwner): readonly Example[] {
  return exampleItems(options, file).flatMap((item) => {
    const operation = item.member("operation")?.string ?? (owner.isAlone ? owner.operation : undefined);
    return operation === owner.operation ? (readExample(options, item, owner) ?? []) : [];
  });
}

function readExample(
  { report }: OperationDocumentsOptions,
  item: Located,
  { operation, variables }: ExampleOwner,
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
