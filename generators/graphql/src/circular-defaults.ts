import { type ConstValueNode, type DocumentNode, type InputValueDefinitionNode, Kind, type TypeNode } from "graphql";

/** Default of an input field that contains a value of the type that the field belongs to. */
export interface CircularDefault {
  /** Name of the input type. */
  readonly type: string;
  readonly field: string;
  readonly value: ConstValueNode;
}

/**
 * Returns the defaults of input fields that lead back to their own type, directly or through the defaults of other types. Most of them are
 * infinite, which section 3.10 of GraphQL, September 2025, forbids; graphql-js overflows its stack with each of them.
 */
export function circularDefaults(document: DocumentNode): readonly CircularDefault[] {
  const inputs = inputFields(document);
  const defaultsOf = (type: string): readonly string[] =>
    (inputs.get(type) ?? []).flatMap((field) => typesWithin(field.defaultValue, field.type, inputs));
  return [...inputs].flatMap(([type, fields]) =>
    fields.flatMap(({ name, type: fieldType, defaultValue: value }) => {
      const reached = new Set(typesWithin(value, fieldType, inputs));
      // The set grows during iteration: added elements are visited too.
      for (const other of reached) for (const next of defaultsOf(other)) reached.add(next);
      return value !== undefined && reached.has(type) ? [{ type, field: name.value, value }] : [];
    }),
  );
}

type InputFields = ReadonlyMap<string, readonly InputValueDefinitionNode[]>;

/** Returns the fields of each input type, including those of its extensions. */
function inputFields({ definitions }: DocumentNode): InputFields {
  const inputs = new Map<string, readonly InputValueDefinitionNode[]>();
  for (const definition of definitions) {
    if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION || definition.kind === Kind.INPUT_OBJECT_TYPE_EXTENSION) {
      const { name, fields = [] } = definition;
      inputs.set(name.value, [...(inputs.get(name.value) ?? []), ...fields]);
    }
  }
  return inputs;
}

/** Returns the names of the input types that a value contains. Lists and single values are treated alike. */
function typesWithin(value: ConstValueNode | undefined, type: TypeNode, inputs: InputFields): readonly string[] {
  if (value?.kind === Kind.LIST) return value.values.flatMap((item) => typesWithin(item, type, inputs));
  if (value?.kind !== Kind.OBJECT) return [];
  const name = nameOf(type);
  const fields = inputs.get(name);
  // An object may also be the value of a custom scalar.
  if (fields === undefined) return [];
  const members = new Map(value.fields.map((member) => [member.name.value, member.value]));
  return [name, ...fields.flatMap((field) => typesWithin(members.get(field.name.value), field.type, inputs))];
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}
