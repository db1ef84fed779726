import { propertyRules } from "../../properties/property-rules.ts";
import {
  type GraphQLArgument,
  type GraphQLField,
  isCompositeType,
  isRequiredArgument,
  Kind,
  type OperationDefinitionNode,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { PlannedCase } from "../../contract/planned-case.ts";
import type { SuiteGraphqlDocument } from "../../suite/suite.ts";
import { playDocument } from "./example-cases.ts";
import { graphqlCase } from "./graphql-case.ts";
import type { GraphqlRun } from "./graphql-run.ts";

/**
 * Plays an operation that no example belongs to: as it stands where its variables may be left out, else with values that were answered
 * elsewhere. Where there are none for a variable it is not played.
 */
export function planAsWritten(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  if (document.examples.some(({ outcome }) => outcome.kind === "success")) return [];
  const written = readOperation(run, document);
  if (written === undefined) return [];
  const { variables, hasArguments } = written;
  return [
    graphqlCase({
      operation: document.name,
      group: "example",
      name: "as-written",
      rule: propertyRules.validInput,
      expected: "data that has exactly the shape of the selection",
      writes: !run.session.safety.of(document.name).isSafe,
      question: { query: document.text, variables },
      play: async (play) => {
        const { findings, refused } = await playDocument(run, play, document, variables);
        if (refused !== undefined && hasArguments) play.skip("What it is called for may not be at the target");
        return refused === undefined ? findings : [...findings, refused];
      },
    }),
  ];
}

interface WrittenOperation {
  readonly variables: Readonly<Record<string, unknown>>;
  /** True: what it asks for may not be there at this target. */
  readonly hasArguments: boolean;
}

/** Undefined where there is no value for a variable that has to have one. */
function readOperation(run: GraphqlRun, { text }: SuiteGraphqlDocument): WrittenOperation | undefined {
  const document = parse(text);
  const [operation] = document.definitions.filter((one): one is OperationDefinitionNode => "operation" in one);
  const needed = new Set(
    (operation?.variableDefinitions ?? [])
      .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
      .map(({ variable }) => variable.name.value),
  );
  const variables: Record<string, unknown> = {};
  let hasArguments = false;
  const typeInfo = new TypeInfo(run.schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument: ({ value }) => {
        if (typeInfo.getDirective() != null) return;
        hasArguments = true;
        const name = value.kind === Kind.VARIABLE ? value.name.value : "";
        const found = needed.has(name) ? poolValueOf(run, typeInfo) : undefined;
        if (found !== undefined) variables[name] ??= found;
      },
    }),
  );
  return [...needed].every((name) => name in variables) ? { variables, hasArguments } : undefined;
}

function poolValueOf(run: GraphqlRun, typeInfo: TypeInfo): unknown {
  const parentType = typeInfo.getParentType();
  const field: GraphQLField<unknown, unknown> | undefined = typeInfo.getFieldDef() ?? undefined;
  const argument: GraphQLArgument | undefined = typeInfo.getArgument() ?? undefined;
  if (field === undefined || argument === undefined || !isCompositeType(parentType)) return undefined;
  const [first] = run.pool.candidatesOf(parentType.name, field, argument);
  return first?.value ?? (isRequiredArgument(argument) ? undefined : argument.defaultValue);
}
