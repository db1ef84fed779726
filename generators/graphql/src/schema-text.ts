import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  print,
  printSchema,
  visit,
} from "graphql";

type Input = GraphQLArgument | GraphQLInputField;

/** Returns the schema as SDL, with its extensions merged into the definitions. */
export function schemaTextOf(schema: GraphQLSchema): string {
  const inputs = inputsOf(schema);
  if (inputs.every(({ input }) => isPrintable(input))) return printSchema(schema);
  return print(withWrittenDefaults(printWithoutDefaults(schema, inputs), inputs));
}

interface PlacedInput {
  /** Path of the input: `Query.pets.filter`, `PetFilter.kinds`, `@tag.name`. */
  readonly place: string;
  readonly input: Input;
}

/** Returns every argument and input field. */
function inputsOf(schema: GraphQLSchema): readonly PlacedInput[] {
  const ofTypes = Object.values(schema.getTypeMap()).flatMap((type): readonly PlacedInput[] => {
    if (isInputObjectType(type)) return placed(type.name, Object.values(type.getFields()));
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, args }) => placed(`${type.name}.${name}`, args));
  });
  return [...ofTypes, ...schema.getDirectives().flatMap(({ name, args }) => placed(`@${name}`, args))];
}

function placed(around: string, inputs: readonly Input[]): readonly PlacedInput[] {
  return inputs.map((input) => ({ place: `${around}.${input.name}`, input }));
}

/** Returns whether graphql-js can print the default. It cannot print a list or an object that is the value of a custom scalar. */
function isPrintable({ defaultValue, type }: Input): boolean {
  try {
    astFromValue(defaultValue, type);
    return true;
  } catch {
    return false;
  }
}

function printWithoutDefaults(schema: GraphQLSchema, inputs: readonly PlacedInput[]): string {
  const values = inputs.map(({ input }) => input.defaultValue);
  for (const { input } of inputs) input.defaultValue = undefined;
  const text = printSchema(schema);
  for (const [index, { input }] of inputs.entries()) input.defaultValue = values[index];
  return text;
}

/** Returns the parsed document with each default as written in the original one. */
function withWrittenDefaults(text: string, inputs: readonly PlacedInput[]): ReturnType<typeof parse> {
  const written = new Map(inputs.map(({ place, input }) => [place, input.astNode?.defaultValue]));
  const around: string[] = [];
  const named = {
    enter: ({ name }: { readonly name: { readonly value: string } }): void => void around.push(name.value),
    leave: (): void => void around.pop(),
  };
  return visit(parse(text), {
    ObjectTypeDefinition: named,
    InterfaceTypeDefinition: named,
    InputObjectTypeDefinition: named,
    FieldDefinition: named,
    DirectiveDefinition: {
      enter: ({ name }) => void around.push(`@${name.value}`),
      leave: () => void around.pop(),
    },
    InputValueDefinition(node): InputValueDefinitionNode | undefined {
      const defaultValue = written.get([...around, node.name.value].join("."));
      return defaultValue === undefined ? undefined : { ...node, defaultValue };
    },
  });
}
