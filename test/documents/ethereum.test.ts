import { readdirSync, readFileSync } from "node:fs";
import {
  type ArgumentNode,
  buildSchema,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type GraphQLNamedType,
  parse,
  TypeInfo,
  validate,
  validateSchema,
  visit,
  visitWithTypeInfo,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
} from "graphql";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";

interface Example {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly data?: object;
  readonly errors?: readonly { readonly message?: string; readonly code?: string }[];
}

const directory = new URL("../../specs/ethereum/", import.meta.url);
const schema = buildSchema(readFileSync(new URL("schema.graphql", directory), "utf8"));
const operations = readdirSync(new URL("operations/", directory))
  .filter((name) => name.endsWith(".graphql"))
  .map((name) => name.replace(".graphql", ""));

function ownTypes(): readonly GraphQLNamedType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith("__") && !isSpecifiedScalarType(type),
  );
}

function readExamples(name: string): readonly Example[] {
  return parseYaml(readFileSync(new URL(`operations/${name}.examples.yaml`, directory), "utf8")) as Example[];
}

describe("the Ethereum schema", () => {
  it("is valid", () => {
    expect(validateSchema(schema)).toEqual([]);
  });

  it("has exactly the eight queries and the mutation of the service's interface", () => {
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {}).sort()).toEqual([
      "block",
      "blocks",
      "gasPrice",
      "logs",
      "pending",
      "protocolVersion",
      "syncing",
      "transaction",
    ]);
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toEqual(["sendRawTransaction"]);
    expect(schema.getSubscriptionType()).toBeUndefined();
  });

  it("has the scalars of EIP-1767", () => {
    const scalars = ownTypes().filter((type) => isScalarType(type));
    expect(scalars.map(({ name }) => name).sort()).toEqual(["Address", "BigInt", "Bytes", "Bytes32", "Long"]);
  });

  it("describes every type, field and argument in sentences", () => {
    const described: [string, string | null | undefined][] = ownTypes().flatMap((type) => {
      const fields = "getFields" in type ? Object.values(type.getFields()) : [];
      return [
        [type.name, type.description] as [string, string | null | undefined],
        ...fields.flatMap((field): [string, string | null | undefined][] => [
          [`${type.name}.${field.name}`, field.description],
          ...argumentsOf(field).map((argument): [string, string | null | undefined] => [
            `${type.name}.${field.name}(${argument.name})`,
            argument.description,
          ]),
        ]),
      ];
    });
    for (const [name, description] of described) expect(description, name).toMatch(/\.$/);
    expect(described.length).toBeGreaterThan(150);
  });
});

describe("the operations next to it", () => {
  it("request every root field", () => {
    const asked = operations.flatMap((name) => {
      const { definitions } = parse(readFileSync(new URL(`operations/${name}.graphql`, directory), "utf8"));
      return definitions.flatMap((definition) =>
        definition.kind === "OperationDefinition"
          ? definition.selectionSet.selections.map((selection) => ("name" in selection ? selection.name?.value : ""))
          : [],
      );
    });
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    );
    expect([...new Set(asked)].sort()).toEqual(fields.sort());
  });

  it("request every field of every type, with every argument", () => {
    const asked = new Set<string>();
    for (const name of operations) {
      const info = new TypeInfo(schema);
      const collect = {
        Field: () => void asked.add(`${info.getParentType()?.name}.${info.getFieldDef()?.name}`),
        Argument: ({ name: argument }: ArgumentNode) =>
          void asked.add(`${info.getParentType()?.name}.${info.getFieldDef()?.name}(${argument.value})`),
      };
      visit(
        parse(readFileSync(new URL(`operations/${name}.graphql`, directory), "utf8")),
        visitWithTypeInfo(info, collect),
      );
    }
    const fields = ownTypes().flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields()).flatMap((field) => {
            const place = `${type.name}.${field.name}`;
            return [place, ...field.args.map((argument) => `${place}(${argument.name})`)];
          })
        : [],
    );
    expect(fields.length).toBeGreaterThan(120);
    expect(fields.filter((field) => !asked.has(field))).toEqual([]);
  });

  it("hold no number that a caller may want to choose", () => {
    for (const name of operations)
      expect(readFileSync(new URL(`operations/${name}.graphql`, directory), "utf8"), name).not.toMatch(/: *[0-9]/);
  });

  describe.each(operations)("%s", (name) => {
    const document = parse(readFileSync(new URL(`operations/${name}.graphql`, directory), "utf8"));

    it("is valid, and named as its file", () => {
      expect(validate(schema, document)).toEqual([]);
      const names = document.definitions.flatMap((definition) =>
        definition.kind === "OperationDefinition" ? [definition.name?.value] : [],
      );
      const expected = name.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
      expect(names).toEqual([expected]);
    });

    it("has examples with names of their own, variables, and data or errors", () => {
      const examples = readExamples(name);
      expect(examples.length).toBeGreaterThan(0);
      expect(new Set(examples.map((example) => example.name)).size).toBe(examples.length);
      for (const example of examples) {
        expect(example.variables, example.name).toBeTypeOf("object");
        expect(example.data === undefined, example.name).toBe(example.errors !== undefined);
        for (const error of example.errors ?? []) expect(error.code, example.name).toMatch(/^[A-Z_]+$/);
      }
    });
  });
});

/** Fields of inputs take no arguments. */
function argumentsOf(field: GraphQLField<unknown, unknown> | GraphQLInputField): readonly GraphQLArgument[] {
  return "args" in field ? field.args : [];
}
