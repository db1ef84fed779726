import {
  type ApiModel,
  camelCase,
  defaultExtensions,
  distinctNames,
  type Operation,
  type CommonReadOptions,
} from "@nodewright/model";
import { createReport, type DiagnosticSink, type DocumentSet, type Report, type SourceText } from "@nodewright/source";
import {
  buildASTSchema,
  type ConstValueNode,
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  isExecutableDefinitionNode,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  print,
  type TypeNode,
  validate,
  validateSchema,
  ValuesOfCorrectTypeRule,
  type VariableNode,
} from "graphql";
import { validateSDL } from "graphql/validation/validate.js";
import { circularDefaults } from "./circular-defaults.ts";
import { createDeclarationNames } from "./declaration-names.ts";
import { graphqlDiagnostics } from "./graphql-diagnostics.ts";
import { GraphqlPlaces, parseGraphql } from "./graphql-source.ts";
import { readOperationDocuments } from "./operation-documents.ts";
import { schemaTextOf } from "./schema-text.ts";
import {
  thirdPartyDirectives,
  isThirdPartyDirective,
  withDefinitionsOfExtended,
  withoutRepeatedFields,
} from "./tolerated-mistakes.ts";
import { documentationOf, GraphqlTypeReader, type ScalarRepresentation } from "./type-reader.ts";

/** Options for reading a GraphQL schema. */
export interface ReadOptions {
  /** File name of the schema as diagnostics and generated files use it. */
  readonly file: string;
  /** Value of `ApiModel.name`. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
  /** Files of the operation documents. */
  readonly operations: readonly string[];
  readonly hasFile: (file: string) => boolean;
  readonly scalars: Readonly<Record<string, ScalarRepresentation>>;
  readonly readOptions?: CommonReadOptions;
}

/** Reads GraphQL SDL (October 2021) and operation documents. Returns undefined if there is nothing to read. */
export function readGraphql(options: ReadOptions): ApiModel | undefined {
  const report = createReport("graphql", graphqlDiagnostics, options.sink);
  const text = options.documents.readText(options.file);
  const ast = text && parseGraphql(text, report);
  const valid = text && ast && buildValidSchema(text, ast, report);
  if (text === undefined || valid === undefined) return undefined;
  const { schema, isAsWritten } = valid;
  const places = new GraphqlPlaces(text);
  reportUnknownScalars(options, schema, places, report);
  const names = createDeclarationNames(schema, options.readOptions?.declarations);
  const types = new GraphqlTypeReader(places, options.scalars, names);
  return {
    name: options.name,
    protocol: "graphql",
    title: options.title,
    version: options.version,
    ...(schema.description ? { description: schema.description } : {}),
    document: options.file,
    declarations: types.declarations(schema),
    operations: readRootFields(schema, types, places, options.readOptions?.operations),
    documents: readOperationDocuments({ ...options, schema, names, report, files: options.operations }),
    security: [],
    schemaText: schemaTextOf(schema),
    ...(isAsWritten ? { schemaSource: text.text } : {}),
  };
}

interface ValidSchema {
  readonly schema: GraphQLSchema;
  /** Whether the schema is as written; false if definitions were added for types that the document only extends. */
  readonly isAsWritten: boolean;
}

/** Builds a valid schema. Reports all errors of the SDL first: errors of the schema can only be found in a valid SDL. */
function buildValidSchema(
  text: SourceText,
  ast: DocumentNode,
  report: Report<typeof graphqlDiagnostics>,
): ValidSchema | undefined {
  const places = new GraphqlPlaces(text);
  let isAsWritten = true;
  const whole = withDefinitionsOfExtended(ast, ({ name, loc }) => {
    isAsWritten = false;
    report("only-extended", places.range(name.loc ?? loc, name.value), { name: name.value });
  });
  const single = withoutRepeatedFields(whole, (field, type) =>
    report("repeated-field", places.range(field.loc, `${type}.${field.name.value}`), {
      field: `${type}.${field.name.value}`,
    }),
  );
  const mistakes = validateSDL(single).filter((error) => !isThirdPartyDirective(error));
  for (const error of mistakes) report("invalid-schema", places.ofError(error), { problem: error.message });
  for (const { name, node } of thirdPartyDirectives(single))
    report("unknown-directive", places.range(node.loc, ""), { name });
  const strangers = single.definitions.filter(isExecutableDefinitionNode);
  for (const { loc } of strangers) report("operation-in-schema", places.range(loc, ""), {});
  const circular = circularDefaults(single);
  for (const { type, field, value } of circular) {
    const place = `${type}.${field}`;
    report("circular-default", places.range(value.loc, place), { value: print(value), place, type });
  }
  if (mistakes.length > 0 || strangers.length > 0 || circular.length > 0) return undefined;
  const schema = buildASTSchema(single, { assumeValidSDL: true });
  const problems = validateSchema(schema);
  if (problems.length === 0) reportInvalidDefaults(schema, places, report);
  for (const error of problems) {
    if (error.message === "Query root type must be provided.") report("no-query", places.range(undefined, ""), {});
    else report("invalid-schema", places.ofError(error), { problem: error.message });
  }
  return problems.length > 0 ? undefined : { schema, isAsWritten };
}

/**
 * Reports defaults that are not valid values of their types (section 3.6.1). graphql-js silently drops them, and ignores extra fields in
 * them.
 */
function reportInvalidDefaults(
  schema: GraphQLSchema,
  places: GraphqlPlaces,
  report: Report<typeof graphqlDiagnostics>,
): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInputObjectType(type) && !isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const path = `${type.name}.${field.name}`;
      const inputs = "args" in field ? field.args : [field];
      for (const { name, type: inputType, defaultValue, astNode } of inputs) {
        const written = astNode?.defaultValue;
        if (!written || (isValue(schema, astNode.type, written) && hasFiniteNumbers(defaultValue))) continue;
        const place = "args" in field ? `${path}(${name}:)` : path;
        report("wrong-default", places.range(written.loc, place), {
          value: print(written),
          place,
          type: String(inputType),
        });
      }
    }
  }
}

/** Returns whether a value literal is valid for a type. It is validated as the default of a variable, to which the same rules apply. */
function isValue(schema: GraphQLSchema, type: TypeNode, defaultValue: ConstValueNode): boolean {
  const variable: VariableNode = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: "default" } };
  const operation: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [{ kind: Kind.VARIABLE_DEFINITION, variable, type, defaultValue }],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [] },
  };
  return validate(schema, { kind: Kind.DOCUMENT, definitions: [operation] }, [ValuesOfCorrectTypeRule]).length === 0;
}

/** Returns whether all numbers in a value are finite: JSON cannot represent `1e400`. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(hasFiniteNumbers);
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

function readRootFields(
  schema: GraphQLSchema,
  types: GraphqlTypeReader,
  places: GraphqlPlaces,
  selections: CommonReadOptions["operations"] = {},
): readonly Operation[] {
  const configured = new Map(Object.entries(selections));
  const fields = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION].flatMap(
    (root) => {
      const type = schema.getRootType(root);
      if (!type) return [];
      const typeName = type.name;
      return Object.values(type.getFields()).flatMap((field) => {
        const selection = configured.get(`${typeName}.${field.name}`) ?? configured.get(field.name);
        return selection?.skip === true ? [] : [{ root, typeName, field, chosenName: selection?.name }];
      });
    },
  );
  const names = distinctNames(
    fields.map(({ root, field, chosenName }) => ({
      original: field.name,
      wanted: chosenName ?? rootFieldName(schema, root, field.name),
      isChosen: chosenName !== undefined,
    })),
  );
  return fields.map((field, index) => readRootField({ ...field, name: names[index] ?? "" }, types, places));
}

/** Returns the name of an operation for a root field: `users`, or `usersSubscription` if there is a query of the same name. */
function rootFieldName(schema: GraphQLSchema, root: OperationTypeNode, field: string): string {
  const isQueried = root !== OperationTypeNode.QUERY && schema.getQueryType()?.getFields()[field] !== undefined;
  return camelCase(isQueried ? `${field} ${root}` : field);
}

interface RootField {
  readonly root: OperationTypeNode;
  readonly typeName: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly name: string;
}

function readRootField(
  { root, typeName, field, name }: RootField,
  types: GraphqlTypeReader,
  places: GraphqlPlaces,
): Operation {
  const origin = `${typeName}.${field.name}`;
  const source = places.ofElement(field, origin);
  return {
    name,
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
    extensions: { ...defaultExtensions, safe: root === OperationTypeNode.QUERY },
    source,
    documentation: documentationOf(field),
  };
}
