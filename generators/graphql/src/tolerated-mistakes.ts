import { editDistanceAtMost } from "@nodewright/terminal-text";
import {
  BREAK,
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLError,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  print,
  specifiedDirectives,
  type TypeDefinitionNode,
  type TypeExtensionNode,
  visit,
} from "graphql";

// Errors that published schemas contain and that have no effect: they are reported as warnings, and the schema is read.

/** Returns the document without fields that a type defines again with the same signature. Calls `onRepeated` for each. */
export function withoutRepeatedFields(
  document: DocumentNode,
  onRepeated: (field: FieldDefinitionNode, type: string) => void,
): DocumentNode {
  const definitions = document.definitions.map((definition) => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION)
      return definition;
    const firsts = new Map<string, FieldDefinitionNode>();
    const fields = (definition.fields ?? []).filter((field) => {
      const first = firsts.get(field.name.value);
      if (first === undefined) {
        firsts.set(field.name.value, field);
        return true;
      }
      if (signatureOf(first) !== signatureOf(field)) return true;
      onRepeated(field, definition.name.value);
      return false;
    });
    return { ...definition, fields };
  });
  return { ...document, definitions };
}

/**
 * Returns the document with a definition for each type that it extends but does not define, where that is not an error: in a subgraph of a
 * federated schema, whose other subgraphs may define it, and for root types, which every subgraph extends. Calls `onOrphan` for each.
 */
export function withDefinitionsOfExtended(
  document: DocumentNode,
  onOrphan: (extension: TypeExtensionNode) => void,
): DocumentNode {
  const defined = new Set(
    document.definitions.flatMap((definition) => (isTypeDefinitionNode(definition) ? [definition.name.value] : [])),
  );
  const mayExtendOthers = isFederated(document);
  const definitions = document.definitions.map((definition): DefinitionNode => {
    if (!isTypeExtensionNode(definition) || defined.has(definition.name.value)) return definition;
    const name = definition.name.value;
    if (!mayExtendOthers && !rootTypeNames.has(name)) return definition;
    defined.add(name);
    onOrphan(definition);
    return { ...definition, kind: definitionKinds[definition.kind] } as TypeDefinitionNode;
  });
  return { ...document, definitions };
}

const rootTypeNames: ReadonlySet<string> = new Set(["Query", "Mutation", "Subscription"]);

/** Kind of definition for each kind of extension; both have the same members. */
const definitionKinds: Readonly<Record<TypeExtensionNode["kind"], TypeDefinitionNode["kind"]>> = {
  [Kind.SCALAR_TYPE_EXTENSION]: Kind.SCALAR_TYPE_DEFINITION,
  [Kind.OBJECT_TYPE_EXTENSION]: Kind.OBJECT_TYPE_DEFINITION,
  [Kind.INTERFACE_TYPE_EXTENSION]: Kind.INTERFACE_TYPE_DEFINITION,
  [Kind.UNION_TYPE_EXTENSION]: Kind.UNION_TYPE_DEFINITION,
  [Kind.ENUM_TYPE_EXTENSION]: Kind.ENUM_TYPE_DEFINITION,
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: Kind.INPUT_OBJECT_TYPE_DEFINITION,
};

/** Returns whether a document uses the directives of federation: `@key` or `@external`. */
function isFederated(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, {
    Directive(node) {
      if (node.name.value !== "key" && node.name.value !== "external") return undefined;
      isFound = true;
      return BREAK;
    },
  });
  return isFound;
}

/** Returns the directives that the document uses and does not define, unless their name looks like a typing error for one that exists. */
export function thirdPartyDirectives(
  document: DocumentNode,
): readonly { readonly name: string; readonly node: DirectiveNode }[] {
  const known = new Set([
    ...specifiedDirectives.map(({ name }) => name),
    ...document.definitions.flatMap((definition) =>
      definition.kind === Kind.DIRECTIVE_DEFINITION ? [definition.name.value] : [],
    ),
  ]);
  const foreign = new Map<string, DirectiveNode>();
  visit(document, {
    Directive(node) {
      const name = node.name.value;
      if (!known.has(name) && !foreign.has(name) && !isSlip(name)) foreign.set(name, node);
    },
  });
  return [...foreign].map(([name, node]) => ({ name, node }));
}

/** Returns whether a validation error is only about a directive that the document does not define. */
export function isThirdPartyDirective(error: GraphQLError): boolean {
  const name = /^Unknown directive "@(\w+)"\.$/.exec(error.message)?.[1];
  return name !== undefined && !isSlip(name);
}

function isSlip(name: string): boolean {
  return specifiedDirectives.some((directive) => editDistanceAtMost(directive.name, name, 2));
}

/** Returns the signature of a field: its arguments with their defaults, and its type. Descriptions may differ. */
function signatureOf({ name, arguments: parameters = [], type }: FieldDefinitionNode): string {
  const written = parameters.map((parameter) => {
    const initial = parameter.defaultValue === undefined ? "" : ` = ${print(parameter.defaultValue)}`;
    return `${parameter.name.value}: ${print(parameter.type)}${initial}`;
  });
  return `${name.value}(${written.join()}): ${print(type)}`;
}
