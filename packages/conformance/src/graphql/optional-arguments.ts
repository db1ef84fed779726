import { inTurns } from "../basics/in-turns.ts";
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
} from "graphql";
import { type Finding, uniqueFindings } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import { withPlace } from "../suite/with-place.ts";
import { isRecord } from "../types/is-record.ts";
import { hasRoleName } from "../inference/list-roles.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { smallSelection } from "./small-selection.ts";
import { placeOf } from "./place-of.ts";
import { refusalOf } from "./refusal.ts";
import { type FieldSelection, writeQuestion } from "./selection.ts";

/** Values that are sent at once: servers limit aliases. */
const valuesAtOnce = 12;
/** Values of the arguments of one field that are sent. */
const mostValues = 36;
/** Values that are looked at alone. */
const mostAlone = 3;
/** Input objects within each other that are followed. */
const deepestInput = 2;

/** A value of an argument. */
export interface ArgumentValue {
  readonly argument: GraphQLArgument;
  readonly value: unknown;
  /** Whether it suits every field that has such an argument: a choice, null, or a length that is none too large. */
  readonly isSure: boolean;
}

interface Try extends ArgumentValue {
  readonly selection: FieldSelection;
}

/** Optional arguments of a field with values that their types take: none is refused. */
export function planOptionalArguments(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const given = base.selection.arguments ?? [];
  const values = base.field.args
    .filter((argument) => !isRequiredArgument(argument) && !given.some(({ name }) => name === argument.name))
    .flatMap((argument) => valuesOfArgument(run, argument))
    .slice(0, mostValues);
  const tries = values.map((one, index): Try => {
    const { name, type } = one.argument;
    const all = [...given, { name, type, value: one.value }];
    const selections = smallSelection(run, base);
    return { ...one, selection: { ...base.selection, alias: `value${index}`, arguments: all, selections } };
  });
  const cases: PlannedCase[] = [];
  for (let start = 0; start < tries.length; start += valuesAtOnce) {
    const some = tries.slice(start, start + valuesAtOnce);
    const names = [...new Set(some.map(({ argument }) => argument.name))];
    cases.push(
      graphqlCase({
        operation: base.operation,
        group: "boundary",
        name: `${kebab(names[0] ?? "")}-is-taken${start === 0 ? "" : `-${start / valuesAtOnce + 1}`}`,
        rule: graphqlRules.answered,
        expected: `an answer for each value that ${names.join(", ")} can have`,
        requests: 2,
        play: (play) => playTries(run, base, some, play),
      }),
    );
  }
  return cases;
}

async function playTries(
  run: GraphqlRun,
  base: BaseAnswer,
  tries: readonly Try[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const ask = (some: readonly Try[]): Promise<HeldAnswer> =>
    run.ask(play, writeQuestion(some.map(({ selection }) => selection)));
  let left = tries;
  const findings: Finding[] = [];
  const failed: Try[] = [];
  // Where the field can't be null, one that fails takes the answers of all others with it.
  for (let look = 0; look < 3 && left.length > 0; look += 1) {
    const held = await ask(left);
    findings.push(...held.findings);
    if (held.response.errors.length === 0 && held.response.isResponse) break;
    // An error with the path of a value is that of its field, which takes the data with it where it cannot be null.
    const areFailures = left.some((one) => hasFailed(one, held));
    if (!held.response.hasData && !areFailures)
      return [...findings, ...(await refusedFindings(run, base, left, held, play))];
    const more = left.filter((one) => hasFailed(one, held));
    failed.push(...more.filter((one) => one.isSure && reasonOf(one, held) === "unknown"));
    if (more.length === 0 || held.data !== undefined) break;
    left = left.filter((one) => !more.includes(one));
  }
  for (const one of failed.slice(0, mostAlone)) {
    const alone = await ask([one]);
    if (!hasFailed(one, alone) || reasonOf(one, alone) !== "unknown") continue;
    // Without the argument the field was answered.
    findings.push(takenFinding(base, one, graphqlRules.resolved, alone));
  }
  return uniqueFindings(findings);
}

/** A request that is refused as a whole: looked at by its arguments. */
async function refusedFindings(
  run: GraphqlRun,
  base: BaseAnswer,
  tries: readonly Try[],
  whole: HeldAnswer,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const byArgument = Map.groupBy(tries, ({ argument }) => argument);
  const findings: Finding[] = [];
  for (const some of byArgument.values()) {
    const [first] = some;
    if (first === undefined) continue;
    const selections = some.map(({ selection }) => selection);
    const held = byArgument.size === 1 ? whole : await run.ask(play, writeQuestion(selections));
    const isRefused = !held.response.hasData && (held.response.errors.length > 0 || !held.response.isResponse);
    if (!isRefused) continue;
    const kind = refusalOf(held.response);
    if (kind === "denied" || kind === "size" || kind === "missing") return play.skip("The target does not answer this");
    if (isOfChoices(first.argument.type) || isBuiltIn(first.argument.type)) {
      findings.push(takenFinding(base, first, graphqlRules.answered, held));
    }
  }
  return findings;
}

function takenFinding(
  { field }: BaseAnswer,
  { argument }: Try,
  rule: Finding["rule"],
  { response }: HeldAnswer,
): Finding {
  const detail = response.errors[0]?.message ?? `status ${response.answer.status}`;
  const message = `${field.name} is refused with a value that ${argument.name} can have`;
  return { rule, message, detail, ...withPlace(placeOf(argument.astNode)) };
}

function errorsOf({ selection }: Try, { response }: HeldAnswer): HeldAnswer["response"]["errors"] {
  const key = selection.alias ?? selection.name;
  return response.errors.filter(({ path }) => path?.length === 1 && path[0] === key);
}

function hasFailed(one: Try, held: HeldAnswer): boolean {
  return errorsOf(one, held).length > 0;
}

function reasonOf(one: Try, held: HeldAnswer): ReturnType<typeof refusalOf> {
  return refusalOf({ ...held.response, errors: errorsOf(one, held) });
}

function isOfChoices(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return isEnumType(named) || named.name === "Boolean";
}

function isBuiltIn(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (isInputObjectType(named)) return Object.values(named.getFields()).every((one) => isPlain(one.type));
  return isPlain(type);
}

function isPlain(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return ["Int", "Float", "String", "Boolean", "ID"].includes(named.name) || isEnumType(named);
}

/** Values of an argument, those that say most first. */
export function valuesOfArgument(run: GraphqlRun, argument: GraphQLArgument): readonly ArgumentValue[] {
  const values = valuesOfInput(run, argument, 0).map((one) => ({ argument, ...one }));
  // Null is no default: it is sent as itself, and is a value of the type.
  const isNullable = !isNonNullType(argument.type) && argument.defaultValue !== undefined;
  return isNullable ? [...values.slice(0, 4), { argument, value: null, isSure: true }, ...values.slice(4)] : values;
}

type InputValue = Omit<ArgumentValue, "argument">;

function valuesOfInput(
  run: GraphqlRun,
  { name, type: given }: GraphQLArgument | GraphQLInputField,
  depth: number,
): readonly InputValue[] {
  const type = getNullableType(given);
  const named = getNamedType(type);
  const isList = isListType(type);
  const wrap = (value: unknown, isSure: boolean): InputValue => ({ value: isList ? [value] : value, isSure });
  if (isEnumType(named)) {
    const names = named.getValues().map((one) => one.name);
    const each = names.slice(0, 8).map((value) => wrap(value, true));
    return isList && names.length > 1 ? [...each, { value: names, isSure: true }] : each;
  }
  if (named.name === "Boolean") return [wrap(true, true), wrap(false, true)];
  if (isInputObjectType(named))
    return objectValues(run, name, named, depth).map(({ value, isSure }) => wrap(value, isSure));
  if (named.name === "Int" && !isList) {
    // A page of some elements, not of the first ones only: no server has to be asked for less.
    if (hasRoleName("limit", name)) return [3, 1, 2, 5, 10].map((value) => wrap(value, true));
    if (hasRoleName("offset", name)) return [1, 3, 0].map((value) => wrap(value, true));
  }
  // A text is often more than a text: a cursor, a date, an address.
  return named.name === "Int" || named.name === "Float" ? [wrap(run.sampleOf(name, named), false)] : [];
}

/** An input object with what it requires, and with each value of each of its members. */
function objectValues(run: GraphqlRun, name: string, type: GraphQLInputType, depth: number): readonly InputValue[] {
  const base = run.sampleOf(name, type);
  if (!isInputObjectType(type) || !isRecord(base) || depth > deepestInput) return [];
  const fields = Object.values(type.getFields());
  const each = fields.map((field): readonly InputValue[] => {
    const values = valuesOfInput(run, field, depth + 1);
    const more = values.length > 0 ? values : plainMember(run, field);
    // A type cannot say that a member may be left out and not be null: many servers refuse such a null.
    const nulls = isNonNullType(field.type) ? [] : [{ value: null, isSure: false }];
    return [...more, ...nulls].map(({ value, isSure }) => ({ value: { ...base, [field.name]: value }, isSure }));
  });
  // The first values of all members, then the second ones.
  return [{ value: base, isSure: false }, ...inTurns(each)];
}

function plainMember(run: GraphqlRun, { name, type }: GraphQLInputField): readonly InputValue[] {
  const value = run.sampleOf(name, type);
  return value === undefined || value === null ? [] : [{ value, isSure: false }];
}
