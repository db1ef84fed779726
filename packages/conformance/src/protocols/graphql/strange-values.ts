import { getNamedType, getNullableType, isListType, isNonNullType, isRequiredArgument } from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { withPlace } from "../../suite/with-place.ts";
import { keyArguments } from "./field-cases.ts";
import { isSingle } from "./field-names.ts";
import { hasRoleName } from "../../inference/list-roles.ts";
import { nestedSites } from "./field-site.ts";
import { graphqlCase } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { smallSelection } from "./small-selection.ts";
import { placeOf } from "./place-of.ts";
import { type FieldSelection, type GivenArgument, writeQuestion } from "./selection.ts";

/** Forms of one field that are asked for beside the plain one. */
const mostForms = 6;

/** Values that suit their type and hardly the field: where one fails, what stands beside it is answered all the same. */
export function planStrangeValues(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const { field, operation, selection } = base;
  const there: FieldSelection = { ...selection, alias: "there", selections: smallSelection(run, base) };
  const ofArguments = strangeArguments(base)
    .slice(0, 4)
    .map((one): FieldSelection => ({ ...there, arguments: withGiven(selection, [one]) }));
  // Where the field can't be null, one that fails takes all others with it: there is nothing to see.
  const others = isNonNullType(field.type) ? [] : [...contradictions(run, base, there), ...strangeBelow(run, base)];
  const forms = [...ofArguments, ...others].slice(0, mostForms);
  if (forms.length === 0) return [];
  return [
    graphqlCase({
      operation,
      group: "boundary",
      name: "strange-values",
      rule: graphqlRules.siblings,
      expected: "errors with the paths of the fields that fail, and the answers of those that don't",
      play: (play) => playStrange(run, base, forms, there, play),
    }),
  ];
}

async function playStrange(
  run: GraphqlRun,
  { field }: BaseAnswer,
  forms: readonly FieldSelection[],
  there: FieldSelection,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const strange = forms.map((one, index): FieldSelection => ({ ...one, alias: `strange${index}` }));
  const held = await run.ask(play, writeQuestion([...strange, there]));
  const { response, data } = held;
  if (!response.hasData) return play.skip("The target refuses what was made up");
  const place = withPlace(placeOf(field.astNode));
  const findings: Finding[] = [...held.findings];
  const isPlaced = response.errors.every(({ path }) => String(path?.[0] ?? "").startsWith("strange"));
  if (!isPlaced) {
    const message = `${field.name}: The error of a field that failed has no path, or that of another`;
    findings.push({ rule: graphqlRules.failedFieldPath, message, ...place });
  }
  const isTaken = data === undefined ? !isNonNullType(field.type) : data["there"] === null;
  if (isTaken && response.errors.length > 0) {
    const message = `${field.name} fails, and takes what stands beside it with it`;
    findings.push({ rule: graphqlRules.siblings, message, ...place });
  }
  return uniqueFindings(findings);
}

function strangeArguments({ field }: BaseAnswer): readonly GivenArgument[] {
  return field.args.flatMap((argument): readonly GivenArgument[] => {
    const { name, type } = argument;
    const value = { Int: -1, String: "nodewright", ID: "nodewright" }[getNamedType(type).name];
    return value === undefined || isListType(getNullableType(type)) ? [] : [{ name, type, value }];
  });
}

function withGiven(
  { arguments: given = [] }: FieldSelection,
  more: readonly GivenArgument[],
): readonly GivenArgument[] {
  return [...given.filter(({ name }) => !more.some((one) => one.name === name)), ...more];
}

/** Two keys of two objects at once, where each is enough: hardly anything is both. */
function contradictions(run: GraphqlRun, { field }: BaseAnswer, there: FieldSelection): readonly FieldSelection[] {
  if (!isSingle(field) || field.args.some(isRequiredArgument)) return [];
  const [first, second] = keyArguments(run, field);
  const one = first?.candidates[0];
  const other = second?.candidates.findLast(({ found }) => found !== undefined && found.object !== one?.found?.object);
  if (first === undefined || second === undefined || one === undefined || other === undefined) return [];
  const given = [
    { name: first.name, value: one.value },
    { name: second.name, value: other.value },
  ].flatMap(({ name, value }): readonly GivenArgument[] => {
    const argument = field.args.find((candidate) => candidate.name === name);
    return argument === undefined ? [] : [{ name, type: argument.type, value }];
  });
  return [{ ...there, arguments: given }];
}

/** A page below the field that can't be: what fails there makes no more null than the field. */
function strangeBelow(run: GraphqlRun, base: BaseAnswer): readonly FieldSelection[] {
  for (const site of nestedSites(run, base, new Set())) {
    const { field, selection } = site;
    const length = field.args.find(
      ({ name, type }) =>
        (hasRoleName("limit", name) || hasRoleName("offset", name)) && getNamedType(type).name === "Int",
    );
    if (length === undefined) continue;
    const strange = withGiven(selection, [{ name: length.name, type: length.type, value: -1 }]);
    const forms = site.wrap([{ ...selection, arguments: strange }]);
    return forms.flatMap((form) => (form.kind === "field" ? [form] : []));
  }
  return [];
}
