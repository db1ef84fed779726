import { withPlace } from "../suite/with-place.ts";
import {
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
} from "graphql";
import type { Finding } from "../case/finding.ts";
import type { CasePlay, PlannedCase } from "../case/planned-case.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { smallSelection } from "./negative-cases.ts";
import { placeOf } from "./place-of.ts";
import { uniqueFindings } from "./read-response.ts";
import { refusalOf } from "./refusal.ts";
import { type FieldSelection, type GivenArgument, writeQuestion } from "./selection.ts";

/** Values of one argument that are sent. */
const mostValues = 6;

/** Each optional argument of a field with values that its type takes: none is refused. */
export function planOptionalArguments(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const given = base.selection.arguments ?? [];
  return base.field.args
    .filter((argument) => !isRequiredArgument(argument) && !given.some(({ name }) => name === argument.name))
    .flatMap((argument) => {
      const values = plausibleValues(run, argument).slice(0, mostValues);
      if (values.length === 0) return [];
      return [
        graphqlCase({
          operation: base.operation,
          group: "boundary",
          name: `${kebab(argument.name)}-is-taken`,
          rule: graphqlRules.answered,
          expected: `an answer for each value that ${argument.name} can have`,
          play: (play) => playValues(run, base, argument, values, play),
        }),
      ];
    });
}

async function playValues(
  run: GraphqlRun,
  base: BaseAnswer,
  argument: GraphQLArgument,
  values: readonly unknown[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const { field, selection } = base;
  const asked = values.map((value, index): FieldSelection => {
    const one: GivenArgument = { name: argument.name, type: argument.type, value };
    const rest = selection.arguments ?? [];
    return { ...selection, alias: `value${index}`, arguments: [...rest, one], selections: smallSelection(run, base) };
  });
  const held = await run.ask(play, writeQuestion(asked));
  const { response } = held;
  const place = withPlace(placeOf(argument.astNode));
  if (response.errors.length === 0 && response.isResponse) return held.findings;
  const kind = refusalOf(response);
  if (kind === "denied" || kind === "size" || kind === "missing") return play.skip("The target does not answer this");
  const detail = response.errors[0]?.message ?? `status ${response.answer.status}`;
  const message = `${field.name} is refused with a value that ${argument.name} can have`;
  const isChoice = isOfChoices(argument.type);
  if (!response.hasData && (isChoice || isBuiltIn(argument.type))) {
    return uniqueFindings([...held.findings, { rule: graphqlRules.answered, message, detail, ...place }]);
  }
  // What suits the type need not suit the field, unless it can only be chosen.
  if (!isChoice || kind !== "unknown") return held.findings;
  const failed = await stillFailed(run, asked, held, play);
  if (failed.length === 0) return held.findings;
  // Without the argument the field was answered.
  return [...held.findings, { rule: graphqlRules.resolved, message, detail, ...place }];
}

/** The values that fail for themselves, each time that they are asked for. */
async function stillFailed(
  run: GraphqlRun,
  asked: readonly FieldSelection[],
  before: HeldAnswer,
  play: CasePlay,
): Promise<readonly FieldSelection[]> {
  const first = asked.filter((one) => hasFailed(one, before));
  const failed: FieldSelection[] = [];
  // Each alone: of a field that is never null, one failure takes all of them away.
  for (const one of first.length === 0 ? [] : asked) {
    const alone = await run.ask(play, writeQuestion([one]));
    if (hasFailed(one, alone) && refusalOf(alone.response) === "unknown") failed.push(one);
  }
  return failed;
}

function hasFailed({ alias, name }: FieldSelection, { response }: HeldAnswer): boolean {
  return response.errors.some(({ path }) => path?.length === 1 && path[0] === (alias ?? name));
}

function isOfChoices(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return isEnumType(named) || named.name === "Boolean";
}

function isBuiltIn(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (isInputObjectType(named))
    return Object.values(named.getFields()).every((one) => isOfChoices(one.type) || isPlain(one.type));
  return isPlain(type);
}

function isPlain(type: GraphQLInputType): boolean {
  return (
    ["Int", "Float", "String", "Boolean", "ID"].includes(getNamedType(type).name) || isEnumType(getNamedType(type))
  );
}

function plausibleValues(run: GraphqlRun, argument: GraphQLArgument): readonly unknown[] {
  const type = getNullableType(argument.type);
  const wrap = (value: unknown): unknown => (isListType(type) ? [value] : value);
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues().map(({ name }) => wrap(name));
  if (named.name === "Boolean") return [wrap(true), wrap(false)];
  if (isInputObjectType(named)) {
    const base = run.sampleOf(argument.name, named);
    if (typeof base !== "object" || base === null) return [];
    const each = Object.values(named.getFields()).flatMap((field) => {
      const value = run.sampleOf(field.name, field.type);
      return value === undefined || isInputObjectType(getNamedType(field.type))
        ? []
        : [wrap({ ...base, [field.name]: value })];
    });
    return [wrap(base), ...each];
  }
  // A text is often more than a text: a cursor, a date, an address.
  return named.name === "Int" || named.name === "Float" ? [wrap(run.sampleOf(argument.name, named))] : [];
}
