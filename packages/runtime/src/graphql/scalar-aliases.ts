import type {
  DefinitionNode,
  DocumentNode,
  GraphQLSchema,
  NamedTypeNode,
  TypeNode,
  VariableDefinitionNode,
} from "graphql";

/**
 * Returns the document with the schema's own names of scalars in the definitions of its variables, where it uses others for them. Nodes
 * keep their positions, so that errors refer to the client's source text. A name that the schema has a type of is left unchanged.
 */
export function withoutScalarAliases(
  document: DocumentNode,
  schema: GraphQLSchema,
  aliases: Readonly<Record<string, string>>,
): DocumentNode {
  if (Object.keys(aliases).length === 0) return document;
  const rename = ({ name, ...node }: NamedTypeNode): NamedTypeNode => {
    const own = Object.hasOwn(aliases, name.value) && schema.getType(name.value) === undefined;
    return { ...node, name: own ? { ...name, value: aliases[name.value] ?? name.value } : name };
  };
  const definitions = document.definitions.map((definition) => withTypes(definition, rename));
  return { ...document, definitions };
}

function withTypes(definition: DefinitionNode, rename: (type: NamedTypeNode) => NamedTypeNode): DefinitionNode {
  if (definition.kind !== "OperationDefinition" || !definition.variableDefinitions?.length) return definition;
  const variableDefinitions = definition.variableDefinitions.map(
    (variable): VariableDefinitionNode => ({ ...variable, type: withNames(variable.type, rename) }),
  );
  return { ...definition, variableDefinitions };
}

function withNames(type: TypeNode, rename: (type: NamedTypeNode) => NamedTypeNode): TypeNode {
  if (type.kind === "NamedType") return rename(type);
  if (type.kind === "ListType") return { ...type, type: withNames(type.type, rename) };
  const inner =
    type.type.kind === "NamedType" ? rename(type.type) : { ...type.type, type: withNames(type.type.type, rename) };
  return { ...type, type: inner };
}
