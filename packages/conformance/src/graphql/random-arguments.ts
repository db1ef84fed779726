import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { GraphqlSuite } from "../suite/suite.ts";
import type { RecordMember, RecordType, SuiteType } from "../suite/suite-type.ts";
import { showValue } from "../compare/show-value.ts";
import { isRecord } from "../types/is-record.ts";
import { randomValueOf } from "../types/random-value.ts";
import { shrinkValue } from "../types/shrink-value.ts";
import { shrinkAllowance } from "../session/shrink-allowance.ts";
import { hasRoleName } from "../inference/list-roles.ts";
import { graphqlCase } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { smallSelection } from "./small-selection.ts";
import { type GivenArgument, writeQuestion } from "./selection.ts";

/** Random inputs of one field. */
const randomInputs = 2;
/** Requests that finding a smaller failing value may take in any case. */
const leastShrinks = 8;
/** No server has to be asked for more elements at once. */
const mostElements = 50;
const deepestInput = 4;
const largestInt = 2 ** 31 - 1;

/**
 * Random values of a field's arguments. The target may find fault with them; that it does has to be told as GraphQL tells it, and what it
 * answers is of the schema. A failure is made as small as it can be before it is told.
 */
export function planRandomArguments(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const type = typeOfArguments(run.suite, base);
  if (type.members.length === 0) return [];
  return Array.from({ length: randomInputs }, (_none, index) =>
    graphqlCase({
      operation: base.operation,
      group: "random",
      name: `arguments-${index + 1}`,
      rule: graphqlRules.answered,
      expected: "an answer of the schema, or errors, for random values of the arguments",
      requests: 1 + leastShrinks,
      play: async (play) => await playRandom(run, base, type, play),
    }),
  );
}

async function playRandom(
  run: GraphqlRun,
  base: BaseAnswer,
  type: RecordType,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const { types } = run.suite;
  const wrongOf = async (values: unknown): Promise<readonly Finding[]> => {
    const given = isRecord(values) ? givenArguments(base, values) : [];
    const selection = { ...base.selection, arguments: given, selections: smallSelection(run, base) };
    const { findings } = await run.ask(play, writeQuestion([selection]));
    return findings.filter(({ rule }) => rule.level === "MUST");
  };
  const values = randomValueOf(type, types, play.random);
  const found = await wrongOf(values);
  if (found.length === 0) return [];
  const messages = new Set(found.map(({ message }) => message));
  let latest = found;
  const stillFails = async (candidate: unknown): Promise<boolean> => {
    const again = await wrongOf(candidate);
    const isSame = again.some(({ message }) => messages.has(message));
    if (isSame) latest = again;
    return isSame;
  };
  const most = shrinkAllowance(run.session, base.operation, leastShrinks);
  const smallest = await shrinkValue(type, types, values, stillFails, most);
  return latest.map((finding) => ({ ...finding, detail: `${finding.detail ?? ""} for ${showValue(smallest)}`.trim() }));
}

/** What the field needs as it was answered, but for what is chosen here. */
function givenArguments({ field, selection }: BaseAnswer, values: Readonly<Record<string, unknown>>): GivenArgument[] {
  const kept = (selection.arguments ?? []).filter(({ name }) => !Object.hasOwn(values, name));
  const chosen = field.args.flatMap(({ name, type }) =>
    values[name] === undefined ? [] : [{ name, type, value: values[name] }],
  );
  return [...kept, ...chosen];
}

/** The arguments of a field as one object: those that name what is asked for stay as they are. */
function typeOfArguments(suite: GraphqlSuite, { field }: BaseAnswer): RecordType {
  const members = field.args.flatMap((argument) => {
    const isNaming = isRequiredArgument(argument) && !isPlain(argument.type);
    return isNaming ? [] : memberOf(suite, argument, isRequiredArgument(argument), 0);
  });
  return { kind: "record", members, additional: { kind: "never" } };
}

function memberOf(
  suite: GraphqlSuite,
  { name, type }: GraphQLArgument | GraphQLInputField,
  required: boolean,
  depth: number,
): readonly RecordMember[] {
  const found = typeOf(suite, name, isNonNullType(type) ? type.ofType : type, depth);
  return found === undefined ? [] : [{ name, type: found, required }];
}

/** An input type as a type of values; undefined where nothing is known of its scalar. */
function typeOf(suite: GraphqlSuite, name: string, type: GraphQLInputType, depth: number): SuiteType | undefined {
  if (isNonNullType(type)) return typeOf(suite, name, type.ofType, depth);
  if (isListType(type)) {
    const element = typeOf(suite, name, type.ofType, depth);
    return element === undefined ? undefined : { kind: "list", element, maxItems: 3 };
  }
  if (isEnumType(type)) return { kind: "enumeration", values: type.getValues().map((value) => value.name) };
  if (isInputObjectType(type)) {
    if (depth > deepestInput) return undefined;
    const fields = Object.values(type.getFields());
    const members = fields.flatMap((field) => memberOf(suite, field, isRequiredInputField(field), depth + 1));
    const isWhole = fields.every(
      (field) => !isRequiredInputField(field) || members.some((one) => one.name === field.name),
    );
    return isWhole ? { kind: "record", members, additional: { kind: "never" } } : undefined;
  }
  switch (type.name) {
    case "Int":
      return hasRoleName("limit", name)
        ? { kind: "number", integer: true, minimum: 0, maximum: mostElements }
        : { kind: "number", integer: true, minimum: -largestInt, maximum: largestInt };
    case "Float":
      return { kind: "number", integer: false, minimum: -1e15, maximum: 1e15 };
    case "Boolean":
      return { kind: "boolean" };
    case "String":
    case "ID":
      return { kind: "string" };
    default:
      return suite.scalars[type.name];
  }
}

/** Whether any value of a type asks for something: texts and identifiers name things. */
function isPlain(type: GraphQLInputType): boolean {
  if (isNonNullType(type) || isListType(type)) return isPlain(type.ofType);
  return isEnumType(type) || isInputObjectType(type) || ["Int", "Float", "Boolean"].includes(type.name);
}
