import { isRecord } from "@nodewright/api-model";
import {
  type GraphQLArgument,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { differences } from "../../compare/differences.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { withPlace } from "../../suite/with-place.ts";
import { isSingle } from "./field-names.ts";
import { hasRoleName } from "../../inference/list-roles.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { stillFound } from "./still-found.ts";
import { type FieldSelection, trimmed, writeQuestion } from "./selection.ts";

/** Values of an argument that are sent. */
const mostValues = 4;

/** Ends of ranges: what is in two of them may well be the same. */
const rangeName =
  /^(?:from|to|since|until|start|end|min|max|before|after)|(?:from|to|since|until|min|max|before|after)$/;

/** What an object is of by an argument, where it says so itself: `revenue(year:)` with `year`. */
export function planArgumentEffects(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const { field, operation, selection } = base;
  const type = getNullableType(field.type);
  if (!isSingle(field) || !isObjectType(type)) return [];
  const given = new Set((selection.arguments ?? []).map(({ name }) => name));
  const argument = field.args.find((one) => {
    const member = type.getFields()[one.name];
    const isTold = member !== undefined && getNullableType(member.type) === getNullableType(one.type);
    return isTold && !isNonNullType(member.type) && !given.has(one.name) && isChoosing(one);
  });
  if (argument === undefined) return [];
  return [
    graphqlCase({
      operation,
      group: "relation",
      name: `${kebab(argument.name)}-has-effect`,
      rule: graphqlRules.argumentEffect,
      expected: `what is of the ${argument.name} that is asked for`,
      requests: 2,
      play: (play) => playEffect(run, base, argument, play),
    }),
  ];
}

function isChoosing(argument: GraphQLArgument): boolean {
  const { name, type } = argument;
  if (isRequiredArgument(argument) || isListType(getNullableType(type)) || !isLeafType(getNamedType(type)))
    return false;
  return (
    !hasRoleName("limit", name) &&
    !hasRoleName("offset", name) &&
    !rangeName.test(plainName(name)) &&
    !/lang|locale/i.test(name)
  );
}

async function playEffect(
  run: GraphqlRun,
  base: BaseAnswer,
  argument: GraphQLArgument,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const { field, selection } = base;
  const { name, type } = argument;
  const selections = trimmed(selection.selections);
  const told: FieldSelection = { kind: "field", name, selections: [] };
  const hasIt = selections.some((one) => one.kind === "field" && one.name === name);
  const plain: FieldSelection = { ...selection, alias: "none", selections: hasIt ? selections : [...selections, told] };
  const values = valuesOf(run, base, argument);
  const ask = (some: readonly unknown[]): Promise<HeldAnswer> =>
    run.ask(
      play,
      writeQuestion([
        plain,
        ...some.map((value, index): FieldSelection => {
          const all = [...(selection.arguments ?? []), { name, type, value }];
          return { ...plain, alias: `value${index}`, arguments: all };
        }),
        { ...plain, alias: "atEnd" },
      ]),
    );
  const first = await ask(values);
  // Where the field can't be null, a value that is refused takes the others with it.
  const failed = new Set(first.response.errors.map(({ path }) => path?.[0]));
  const taken = values.filter((_, index) => !failed.has(`value${index}`));
  const held = first.data === undefined && failed.size > 0 && taken.length > 1 ? await ask(taken) : first;
  if (held.data === undefined || taken.length < 2) return play.skip("The target does not take two values of it");
  const asked = held === first ? values : taken;
  const look = ({ data }: HeldAnswer): readonly Finding[] => effectFindings(field.name, argument, asked, data);
  const still = await stillFound(look(held), async () => look(await ask(asked)));
  return uniqueFindings([...held.findings, ...still]);
}

/** Values that were seen, and others that lie apart. */
function valuesOf(run: GraphqlRun, { field }: BaseAnswer, argument: GraphQLArgument): readonly unknown[] {
  const leaf = getNamedType(argument.type);
  const choices = isEnumType(leaf) ? leaf.getValues().map(({ name }) => name) : [];
  const seen = run.pool.candidatesOf(run.schema.getQueryType()?.name ?? "Query", field, argument);
  const apart = leaf.name === "Int" ? [2024, 2023, 1] : leaf.name === "Boolean" ? [true, false] : [];
  return [...new Set([...choices, ...seen.slice(0, 2).map(({ value }) => value), ...apart])].slice(0, mostValues);
}

/** The answer names each value, and is otherwise what it is without one. */
function effectFindings(
  field: string,
  { name, astNode }: GraphQLArgument,
  values: readonly unknown[],
  data: HeldAnswer["data"],
): readonly Finding[] {
  const [none, atEnd] = [data?.["none"], data?.["atEnd"]];
  if (!isRecord(none) || none[name] !== null || differences(undefined, none, atEnd, {}).length > 0) return [];
  const answers = values.flatMap((value, index) => {
    const answer = data?.[`value${index}`];
    return isRecord(answer) ? [{ value, answer }] : [];
  });
  if (answers.length < 2) return [];
  const note = (rule: Rule, message: string): readonly Finding[] => [
    { rule, message: `${field} ${message}`, ...withPlace(placeOf(astNode)) },
  ];
  const isTaken = answers.every(
    ({ answer }) => differences(undefined, { ...none, [name]: answer[name] }, answer, {}).length > 0,
  );
  if (isTaken && answers.every(({ answer }) => answer[name] === null))
    return note(graphqlRules.echo, `answers null as ${name}, whichever is asked for`);
  const isSame = answers.every(
    ({ value, answer }) =>
      answer[name] === value && differences(undefined, { ...none, [name]: value }, answer, {}).length === 0,
  );
  if (!isSame) return [];
  return note(
    isTelling(none) ? graphqlRules.argumentEffect : graphqlRules.arguments,
    `is the same whatever ${name} is, and where there is none`,
  );
}

/** Whether an object has numbers and a list: what has little to say may be the same by chance. */
function isTelling(object: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(object);
  const hasNumber = values.some((value) => /^-?0*[1-9]/.test(String(value)) && !Array.isArray(value));
  return hasNumber && values.some((value) => Array.isArray(value) && value.length > 1);
}
