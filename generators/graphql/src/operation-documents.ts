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
import type { DiagnosticSink, SourceValue, SourceText } from "@nodewright/source";
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
  specifiedRules,
  TokenKind,
  typeFromAST,
  UniqueOperationNamesRule,
  type ValidationRule,
  validate,
  valueFromASTUntyped,
  visit,
} from "graphql";
import { type CompanionOptions, itemsByOperation, operationsOf, writtenName } from "./companion-file.ts";
import type { DeclarationNames } from "./declaration-names.ts";
import { GraphqlPlaces, parseGraphql } from "./graphql-source.ts";
import { withRelations } from "./operation-relations.ts";
import { withPageRanges } from "./page-ranges.ts";
import { collectFields, selectionType } from "./selection-type.ts";
import { GraphqlTypeReader, type ScalarRepresentation } from "./type-reader.ts";

export interface OperationDocumentsOptions extends CompanionOptions {
  readonly schema: GraphQLSchema;
  readonly scalars: Readonly<Record<string, ScalarRepresentation>>;
  readonly names: DeclarationNames;
  readonly sink: DiagnosticSink;
  /** `*.graphql` files. The examples of `block.graphql` are in `block.examples.yaml`, if that file exists. */
  readonly files: readonly string[];
}

/** Reads the named operations of the operation documents. Fragments are shared by all files. */
export function readOperationDocuments(options: OperationDocumentsOptions): readonly GraphqlDocument[] {
  const files = options.files.flatMap((file) => parseFile(options, file));
  const asts = files.map(({ text, ast }) => ({ file: text.file, ast }));
  const examples = itemsByOperation(options, asts, {
    ending: ".examples.yaml",
    noList: "not-an-example",
    unclaimed: "unclaimed-example",
  });
  // A file that cannot be parsed may contain the fragments that others seem to lack.
  const isWhole = files.length === options.files.length;
  const wrongFiles = checkDocuments(options, files, isWhole ? rules : rulesOfSome);
  const fragments = new Map(files.flatMap(({ ast }) => ast.definitions.filter(isFragment)).map(named));
  const written = files.flatMap(writtenOperations);
  if (isWhole && wrongFiles.size === 0) reportUnusedFragments(options, files, written, fragments);
  const valid = withNames(options.report, written).filter(
    (operation) => isWhole && filesOf(operation, fragments).every((file) => !wrongFiles.has(file)),
  );
  const names = distinctNames(valid.map(({ name }) => ({ original: name, wanted: camelCase(name) })));
  const operations = valid.map((operation, index) => ({
    document: readOperation(options, fragments, operation, {
      name: names[index] ?? operation.name,
      examples: examples.get(operation.name) ?? [],
    }),
    definition: operation.definition,
    name: operation.name,
  }));
  return withRelations(options, asts, withPageRanges(options, asts, operations));
}

function parseFile({ documents, report }: OperationDocumentsOptions, file: string): readonly ParsedFile[] {
  const text = documents.readText(file);
  const ast = text && parseGraphql(text, report);
  return ast ? [{ text, ast, places: new GraphqlPlaces(text) }] : [];
}

interface ParsedFile {
  readonly text: SourceText;
  readonly ast: DocumentNode;
  readonly places: GraphqlPlaces;
}

interface WrittenOperation extends ParsedFile {
  readonly definition: OperationDefinitionNode;
  /** Name as written; an empty string for an anonymous operation. */
  readonly name: string;
}

function writtenOperations(file: ParsedFile): readonly WrittenOperation[] {
  return operationsOf(file.ast).map((definition) => ({ ...file, definition, name: writtenName(definition) }));
}

/**
 * Rules that apply to one document each, while the operations are in several; and the rule about unused fragments, which is checked
 * separately.
 */
const otherRules: ReadonlySet<ValidationRule> = new Set([
  LoneAnonymousOperationRule,
  UniqueOperationNamesRule,
  NoUnusedFragmentsRule,
]);

const rules = specifiedRules.filter((rule) => !otherRules.has(rule));
const rulesOfSome = rules.filter((rule) => rule !== KnownFragmentNamesRule);

/** Validates all files against the schema as one document. Returns the names of the files with errors. */
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
  return wrong;
}

function reportUnusedFragments(
  { report }: OperationDocumentsOptions,
  files: readonly ParsedFile[],
  operations: readonly WrittenOperation[],
  fragments: Fragments,
): void {
  const used = new Set(operations.flatMap(({ definition }) => usedFragments(definition, fragments)));
  for (const { ast, places } of files) {
    for (const fragment of ast.definitions.filter(isFragment)) {
      const name = fragment.name.value;
      if (!used.has(fragment)) report("unused-fragment", places.range(fragment.loc, name), { name });
    }
  }
}

function fileOf(node: ASTNode | undefined): string {
  return node?.loc?.source.name ?? "";
}

/** Returns the operations with a unique name. Reports the others. */
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
  { places, definition, name: originalName }: WrittenOperation,
  { name, examples }: { readonly name: string; readonly examples: readonly SourceValue[] },
): GraphqlDocument {
  const root = options.schema.getRootType(definition.operation);
  if (!root) throw new Error(`The schema has no ${definition.operation} type, though the operation is valid`);
  const types = new GraphqlTypeReader(places, options.scalars, options.names);
  const variables = readVariables(options.schema, types, places, definition);
  const facts = { schema: options.schema, fragments, types, places };
  const selected = collectFields(facts, root, [definition.selectionSet]);
  const definitions = [definition, ...usedFragments(definition, fragments)];
  return {
    name,
    root: definition.operation,
    text: print({ kind: Kind.DOCUMENT, definitions }),
    variables,
    result: selectionType(facts, root, [definition.selectionSet]),
    rootFields: [...new Set([...selected.values()].flatMap(({ nodes }) => nodes.map((node) => node.name.value)))],
    examples: examples.flatMap((item) => readExample(options, item, originalName, variables) ?? []),
    source: places.range(definition.loc, originalName),
    documentation: readComment(definition),
  };
}

/** Returns the files that contain an operation and its fragments. */
function filesOf({ definition }: WrittenOperation, fragments: Fragments): readonly string[] {
  return [definition, ...usedFragments(definition, fragments)].map(fileOf);
}

/** Returns the fragments that an operation uses, directly or indirectly, in order of first use. */
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
  // Iteration over a set includes elements that are added meanwhile.
  for (const fragment of used) collectFrom(fragment);
  return [...used];
}

function isFragment(definition: DefinitionNode): definition is FragmentDefinitionNode {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}

function named(fragment: FragmentDefinitionNode): readonly [string, FragmentDefinitionNode] {
  return [fragment.name.value, fragment];
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

/** Returns the comment above an operation as its description. */
function readComment({ loc }: OperationDefinitionNode): { readonly description?: string } {
  const lines: string[] = [];
  for (let token = loc?.startToken.prev; token?.kind === TokenKind.COMMENT; token = token.prev)
    lines.unshift(token.value.replace(/^\s/, "").trimEnd());
  const description = lines.join("\n").trim();
  return description === "" ? {} : { description };
}

function readExample(
  { report }: OperationDocumentsOptions,
  item: SourceValue,
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
  const members = given?.members ?? [];
  for (const [variable] of members) {
    if (!variables.some((known) => known.name === variable))
      report("unknown-variable", given?.keySource(variable) ?? item.source, { operation, variable });
  }
  const summary = item.member("summary")?.string;
  const input = Object.fromEntries(
    members.map(([variable, value]) => [variable, value.value as JsonValue]),
  ) as ExampleInput;
  return {
    name: kebabCase(name),
    input,
    isLive: item.member("live")?.boolean === true,
    source: item.source,
    ...(summary === undefined ? {} : { summary }),
    outcome: data === undefined ? failureOf(errors) : { kind: "success", status: 200, value: data.value as JsonValue },
  };
}

function failureOf(errors: SourceValue | undefined): Example["outcome"] {
  const first = errors?.items[0];
  const message = first?.member("message")?.string;
  const graphqlCode = first?.member("code")?.string;
  return {
    kind: "failure",
    ...(message === undefined ? {} : { message }),
    ...(graphqlCode === undefined ? {} : { graphqlCode }),
  };
}
