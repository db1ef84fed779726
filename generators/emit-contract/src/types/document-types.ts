import { createRequire } from "node:module";
import type { TypeScriptDocumentsPluginConfig } from "@graphql-codegen/typescript-operations";
import type { ApiModel } from "@nodewright/model";
import { readTypeAliases, type SourceDeclaration } from "@nodewright/output";
import { contractNames } from "../names/contract-names.ts";
import type { DefinitionNode, DocumentNode, Kind, OperationDefinitionNode } from "graphql";
import { typesOfDocument } from "../contract/contract-types.ts";

type Graphql = typeof import("graphql");
type TypescriptOperations = typeof import("@graphql-codegen/typescript-operations");

/**
 * Returns the variables and data of GraphQL operation documents, as @graphql-codegen/typescript-operations types them: enums as unions,
 * readonly, scalars as in this package's own declarations.
 *
 * Its visitor is called directly: the plugin around it is asynchronous and adds only features that are switched off here.
 */
export function documentTypes(model: ApiModel): readonly SourceDeclaration[] {
  if (model.documents.length === 0) return [];
  const graphql: Graphql = load("graphql");
  const { TypeScriptDocumentsVisitor }: TypescriptOperations = load("@graphql-codegen/typescript-operations");
  if (model.schemaText === undefined) throw new Error(`${model.document} has operation documents and no schema`);
  const schema = graphql.buildSchema(model.schemaText);
  const written = oneDocument(model, graphql);
  const visitor = new TypeScriptDocumentsVisitor(schema, visitorOptions(model), written, written, "types.ts");
  const text = operationsOf(written).map((operation) => visitor.OperationDefinition(operation));
  const aliases = readTypeAliases(text.join("\n"), referenceNames(model));
  return model.documents.flatMap((document) =>
    typesOfDocument(model, document).map(({ name, comment }): SourceDeclaration => {
      const type = aliases.get(name);
      if (type === undefined) throw new Error(`${document.source.file}: no type was made for ${name}`);
      return { kind: "type", name, comment, type };
    }),
  );
}

/** Joins the operations of an API in one document, with each fragment once: every visitor of a document first searches the schema. */
function oneDocument(model: ApiModel, { Kind, parse }: Graphql): DocumentNode {
  const fragments = new Map<string, DefinitionNode>();
  const operations = model.documents.flatMap((document) => {
    const { stem } = contractNames(model).ofDocument(document);
    const { definitions } = withName(parse(document.text), stem);
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    return definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  });
  return { kind: Kind.DOCUMENT, definitions: [...operations, ...fragments.values()] };
}

function visitorOptions(model: ApiModel): TypeScriptDocumentsPluginConfig {
  const scalars = model.declarations.filter(({ role }) => role === "scalar");
  return {
    namingConvention: "keep",
    enumType: "string-literal",
    immutableTypes: true,
    arrayInputCoercion: false,
    inputMaybeValue: "T | null",
    useTypeImports: true,
    importSchemaTypesFrom: "./types.ts",
    scalars: Object.fromEntries(scalars.map(({ name, originalName }) => [originalName, name])),
  };
}

/** Renames the operation, so that the visitor's type names are ours. */
function withName(document: DocumentNode, name: string): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    definition.kind === "OperationDefinition"
      ? { ...definition, name: { kind: "Name" as Kind.NAME, value: name } }
      : definition,
  );
  return { ...document, definitions };
}

function operationsOf(document: DocumentNode): readonly OperationDefinitionNode[] {
  return document.definitions.flatMap((definition) => (definition.kind === "OperationDefinition" ? [definition] : []));
}

/** Returns a function from names of the schema to names of declarations; the visitor refers to input types through a namespace. */
function referenceNames(model: ApiModel): (name: string) => string {
  const names = new Map(model.declarations.map(({ name, originalName }) => [originalName, name]));
  return (qualified) => {
    const name = qualified.replace(/^Types\./, "");
    return names.get(name) ?? name;
  };
}

/** Loads a library when an API has operation documents: both libraries together take longer than emitting. */
function load<Library>(module: string): Library {
  return createRequire(import.meta.url)(module) as Library;
}
