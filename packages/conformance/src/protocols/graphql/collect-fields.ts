import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/** A document that was asked, as its answer is read with. */
export interface AskedDocument {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** As they were sent, the defaults of those that were left out put in. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Reads which operation of a document is asked for; undefined when there is none of that name, or the name is needed. */
export function askedDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  operationName?: string,
): AskedDocument | undefined {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const named =
    operationName === undefined ? operations : operations.filter((one) => one.name?.value === operationName);
  const [operation] = named;
  if (operation === undefined || named.length > 1) return undefined;
  const fragments = new Map(
    document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION).map((one) => [one.name.value, one]),
  );
  return { schema, operation, fragments, variables: { ...defaultsOf(operation), ...variables } };
}

/** Only booleans are looked at: what directives are decided by. */
function defaultsOf(operation: OperationDefinitionNode): Readonly<Record<string, unknown>> {
  const defaults: Record<string, unknown> = {};
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue?.kind === Kind.BOOLEAN) defaults[variable.name.value] = defaultValue.value;
  }
  return defaults;
}

/** Fields by response key, in the order in which an answer has them (specification, section 6.3.2). */
export type CollectedFields = Map<string, FieldNode[]>;

/** Collects what selections ask of an object. */
export function collectFields(
  asked: AskedDocument,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): CollectedFields {
  const collected: CollectedFields = new Map();
  const spread = new Set<string>();
  for (const selectionSet of selectionSets) collect(asked, type, selectionSet, collected, spread);
  return collected;
}

function collect(
  asked: AskedDocument,
  type: GraphQLObjectType,
  selectionSet: SelectionSetNode,
  collected: CollectedFields,
  spread: Set<string>,
): void {
  for (const selection of selectionSet.selections) {
    if (!isIncluded(asked, selection.directives)) continue;
    switch (selection.kind) {
      case Kind.FIELD: {
        const key = responseKeyOf(selection);
        const known = collected.get(key);
        if (known === undefined) collected.set(key, [selection]);
        else known.push(selection);
        break;
      }
      case Kind.INLINE_FRAGMENT: {
        const { typeCondition } = selection;
        if (typeCondition !== undefined && !applies(asked.schema, type, typeCondition.name.value)) break;
        collect(asked, type, selection.selectionSet, collected, spread);
        break;
      }
      case Kind.FRAGMENT_SPREAD: {
        const name = selection.name.value;
        const fragment = asked.fragments.get(name);
        if (spread.has(name) || fragment === undefined) break;
        spread.add(name);
        if (!applies(asked.schema, type, fragment.typeCondition.name.value)) break;
        collect(asked, type, fragment.selectionSet, collected, spread);
        break;
      }
      default:
        selection satisfies never;
    }
  }
}

/** The key that a field has in an answer. */
export function responseKeyOf(field: FieldNode): string {
  return field.alias?.value ?? field.name.value;
}

/** What is selected below fields of one response key. */
export function selectionSetsOf(fields: readonly FieldNode[]): readonly SelectionSetNode[] {
  return fields.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]));
}

function applies(schema: GraphQLSchema, type: GraphQLObjectType, condition: string): boolean {
  if (condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

function isIncluded(asked: AskedDocument, directives: readonly DirectiveNode[] | undefined): boolean {
  for (const { name, arguments: given } of directives ?? []) {
    if (name.value !== "skip" && name.value !== "include") continue;
    const value = given?.find((one) => one.name.value === "if")?.value;
    const decided =
      value?.kind === Kind.VARIABLE
        ? asked.variables[value.name.value] === true
        : value?.kind === Kind.BOOLEAN && value.value;
    if (name.value === "skip" ? decided : !decided) return false;
  }
  return true;
}
