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

// What published schemas get wrong without anybody being misled: told as a warning, and read.

/** The document without fields that a type describes again in the same words; `onRepeated` is told of each. */
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
 * The document with a definition for each type that it extends and never defines, where that is no mistake: in the part of a
 * federated schema, whose other parts may define it, and for root types, which every part extends. `onOrphan` is told of each.
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

/** What each extension says, its definition says with the same members. */
const definitionKinds: Readonly<Record<TypeExtensionNode["kind"], TypeDefinitionNode["kind"]>> = {
  [Kind.SCALAR_TYPE_EXTENSION]: Kind.SCALAR_TYPE_DEFINITION,
  [Kind.OBJECT_TYPE_EXTENSION]: Kind.OBJECT_TYPE_DEFINITION,
  [Kind.INTERFACE_TYPE_EXTENSION]: Kind.INTERFACE_TYPE_DEFINITION,
  [Kind.UNION_TYPE_EXTENSION]: Kind.UNION_TYPE_DEFINITION,
  [Kind.ENUM_TYPE_EXTENSION]: Kind.ENUM_TYPE_DEFINITION,
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: Kind.INPUT_OBJECT_TYPE_DEFINITION,
};

/** Whether a document uses what only parts of a federated schema do: `@key` or `@external`. */
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

/** Directives that the document uses and does not define, where their name is no slip of one that exists. */
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

/** Whether an error of validation says no more than that a directive is not defined in the document. */
export function isThirdPartyDirective(error: GraphQLError): boolean {
  const name = /^Unknown directive "@(\w+)"\.$/.exec(error.message)?.[1];
  return name !== undefined && !isSlip(name);
}

function isSlip(name: string): boolean {
  return specifiedDirectives.some((directive) => editDistanceAtMost(directive.name, name, 2));
}

/** What callers see of a field: its arguments, their defaults, its type. Descriptions may differ. */
function signatureOf({ name, arguments: parameters = [], type }: FieldDefinitionNode): string {
  const written = parameters.map((parameter) => {
    const initial = parameter.defaultValue === undefined ? "" : ` = ${print(parameter.defaultValue)}`;
    return `${parameter.name.value}: ${print(parameter.type)}${initial}`;
  });
  return `${name.value}(${written.join()}): ${print(type)}`;
}
