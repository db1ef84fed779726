import type { RecordMember, RecordNode, TypeNode } from "@nodewright/model";
import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import type { GraphqlPlaces } from "./graphql-source.ts";
import type { GraphqlTypeReader } from "./type-reader.ts";

export interface SelectionFacts {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly types: GraphqlTypeReader;
  readonly places: GraphqlPlaces;
}

/** One field of a response, with all selections on it from different places of the operation. */
interface Selected {
  readonly nodes: FieldNode[];
  /** Whether the field is always in the response; false if a directive may exclude it. */
  isCertain: boolean;
}

/** Returns the type of the response to a selection set on an object (GraphQL, October 2021, section 6.3.2, CollectFields). */
export function selectionType(
  facts: SelectionFacts,
  object: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): RecordNode {
  const source = facts.places.range(selections[0]?.loc, object.name);
  const fields = [...collectFields(facts, object, selections)].map(([responseName, selected]) =>
    fieldOf(facts, object, responseName, selected),
  );
  return { kind: "record", members: fields, additional: { kind: "never", source }, patterns: [], source };
}

/** Returns the selected fields of an object by response name, in the order of the response. */
export function collectFields(
  facts: Pick<SelectionFacts, "schema" | "fragments">,
  object: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): ReadonlyMap<string, Selected> {
  const collected = new Map<string, Selected>();
  for (const { selections: nodes } of selections) collect(facts, object, nodes, collected, true);
  return collected;
}

function collect(
  facts: Pick<SelectionFacts, "schema" | "fragments">,
  object: GraphQLObjectType,
  nodes: readonly SelectionNode[],
  into: Map<string, Selected>,
  isCertain: boolean,
): void {
  for (const node of nodes) {
    const isIncluded = isCertain && !mayBeSkipped(node);
    if (node.kind === "Field") {
      const responseName = node.alias?.value ?? node.name.value;
      const known = into.get(responseName) ?? { nodes: [], isCertain: false };
      known.nodes.push(node);
      known.isCertain ||= isIncluded;
      into.set(responseName, known);
      continue;
    }
    const fragment = node.kind === "FragmentSpread" ? facts.fragments.get(node.name.value) : node;
    const condition = fragment?.typeCondition?.name.value;
    if (fragment !== undefined && applies(facts.schema, condition, object))
      collect(facts, object, fragment.selectionSet.selections, into, isIncluded);
  }
}

function mayBeSkipped(node: SelectionNode): boolean {
  return (node.directives ?? []).some(({ name }) => name.value === "skip" || name.value === "include");
}

/** Returns whether a fragment applies to an object type (section 6.3.2, DoesFragmentTypeApply). */
function applies(schema: GraphQLSchema, condition: string | undefined, object: GraphQLObjectType): boolean {
  if (condition === undefined || condition === object.name) return true;
  const type = schema.getType(condition);
  return isAbstractType(type) && schema.isSubType(type, object);
}

function fieldOf(
  facts: SelectionFacts,
  object: GraphQLObjectType,
  responseName: string,
  { nodes, isCertain }: Selected,
): RecordMember {
  const [first] = nodes;
  const fieldName = first?.name.value ?? responseName;
  const source = facts.places.range(first?.loc, `${object.name}.${fieldName}`);
  const base = { name: responseName, required: isCertain, access: "read-write", arguments: [], source } as const;
  if (fieldName === "__typename") return { ...base, type: { kind: "enumeration", values: [object.name], source } };
  const type = object.getFields()[fieldName]?.type;
  if (type === undefined) throw new Error(`${object.name} has no field ${fieldName}, though the operation is valid`);
  return { ...base, type: resultType(facts, type, nodes, `${object.name}.${fieldName}`) };
}

function resultType(
  facts: SelectionFacts,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  path: string,
): TypeNode {
  const source = facts.places.range(nodes[0]?.loc, path);
  if (!isNonNullType(type)) {
    const present = presentResponse(facts, type, nodes, path);
    return { kind: "union", mode: "any-of", members: [present, { kind: "null", source }], source };
  }
  return presentResponse(facts, getNullableType(type) as GraphQLOutputType, nodes, path);
}

/**
 * Returns each shape once, with the names of all types that have it. Most queries on an interface of 300 types select only its own fields,
 * so that most types have the same shape.
 */
function distinctShapes(members: readonly RecordNode[]): readonly RecordNode[] {
  const groups = Map.groupBy(members, (member) => JSON.stringify(withoutTypeNames(member), withoutPlaces));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const fields = first.members.map((field, index): RecordMember => {
      if (field.type.kind !== "enumeration") return field;
      const values = group.flatMap((member) => {
        const type = member.members[index]?.type;
        return type?.kind === "enumeration" ? type.values : [];
      });
      return { ...field, type: { ...field.type, values } };
    });
    return [{ ...first, members: fields }];
  });
}

/** Returns the record without the values of `__typename`. They are the only enumerations: all others are references. */
function withoutTypeNames({ members, ...rest }: RecordNode): unknown {
  return {
    ...rest,
    members: members.map(({ type, ...field }) => ({ ...field, type: type.kind === "enumeration" ? "name" : type })),
  };
}

function withoutPlaces(name: string, value: unknown): unknown {
  return name === "source" ? undefined : value;
}

function presentResponse(
  facts: SelectionFacts,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  path: string,
): TypeNode {
  const source = facts.places.range(nodes[0]?.loc, path);
  if (isListType(type))
    return { kind: "list", prefix: [], element: resultType(facts, type.ofType, nodes, path), source };
  const named = getNamedType(type);
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  if (isObjectType(named)) return selectionType(facts, named, selections);
  if (isAbstractType(named)) {
    const members = facts.schema.getPossibleTypes(named).map((possible) => selectionType(facts, possible, selections));
    const [first, ...others] = distinctShapes(members);
    if (first !== undefined && others.length === 0) return first;
    return { kind: "union", mode: "any-of", members: first === undefined ? [] : [first, ...others], source };
  }
  return facts.types.present(type, path);
}
