import { isRecord } from "@nodewright/api-model";
import { withPlace } from "../../suite/with-place.ts";
import { type GraphQLField, getNamedType, isEnumType, isLeafType, isRequiredArgument } from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { showValue } from "../../compare/show-value.ts";
import { isSingle } from "./field-names.ts";
import { hasRoleName } from "../../inference/list-roles.ts";
import { graphqlCase, kebab, operationOf } from "./graphql-case.ts";
import type { GraphqlQuestion } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import type { GraphqlResponse } from "./read-response.ts";
import { isUnfitValue, refusalOf } from "./refusal.ts";
import { inspectFields } from "./inspect-fields.ts";
import { selectFields, type SelectionSize } from "./select-fields.ts";
import { type FieldSelection, type GivenArgument, writeQuestion } from "./selection.ts";
import type { CandidateValue } from "./value-pool.ts";
import { failedFields } from "./walk-errors.ts";

type Field = GraphQLField<unknown, unknown>;

/** Times that a selection is made smaller before a target is said to want smaller ones than make sense. */
const mostSmaller = 2;

/** The fields of the query type that are asked for by themselves. */
export function queryFields(run: GraphqlRun): readonly Field[] {
  const fields = Object.values(run.schema.getQueryType()?.getFields() ?? {});
  // Of Apollo Federation: for gateways, not for callers.
  return fields.filter(({ name }) => name !== "_service" && name !== "_entities");
}

/** The operation that a field of the query type is in reports. */
export function queryOperation(run: GraphqlRun, field: Field): string {
  return operationOf(run.schema.getQueryType()?.name ?? "Query", field.name);
}

/** A field of the query type with everything that it leads to. */
export function planWholeField(run: GraphqlRun, field: Field, allowsSamples: boolean): readonly PlannedCase[] {
  const operation = queryOperation(run, field);
  if (run.bases.has(field.name)) return [];
  const queryType = run.schema.getQueryType()?.name ?? "Query";
  const required = run.requiredArguments(queryType, field, allowsSamples);
  if (required === undefined) return [];
  const given = allowsSamples ? [...required, ...optionalArguments(run, queryType, field)] : required;
  return [
    graphqlCase({
      operation,
      group: "live",
      name: allowsSamples ? "everything-by-samples" : "everything",
      rule: graphqlRules.keys,
      expected: "exactly what is selected, each value of its type",
      requests: 1 + mostSmaller,
      question: wholeQuestion(run, field, given, run.size),
      play: (play) => playWhole(run, field, operation, given, play, isCertain(field, given, allowsSamples)),
    }),
  ];
}

/** Some fields want one of their optional arguments: those of plain kinds, with values that examples or answers have. */
function optionalArguments(run: GraphqlRun, queryType: string, field: Field): readonly GivenArgument[] {
  return field.args.flatMap((argument) => {
    const [best] = run.pool.candidatesOf(queryType, field, argument);
    if (isRequiredArgument(argument) || best === undefined) return [];
    return [{ name: argument.name, type: argument.type, value: best.value }];
  });
}

/** True where a refusal can't be because of the values: none is a guess about a custom scalar. */
function isCertain(field: Field, given: readonly GivenArgument[], allowsSamples: boolean): boolean {
  if (!allowsSamples) return true;
  return given.every(({ name }) => {
    const argument = field.args.find((one) => one.name === name);
    const leaf = argument === undefined ? undefined : getNamedType(argument.type);
    return leaf !== undefined && isLeafType(leaf) && ["Int", "Float", "String", "Boolean", "ID"].includes(leaf.name);
  });
}

/** A field with its whole selection. */
function wholeSelection(
  run: GraphqlRun,
  field: Field,
  given: readonly GivenArgument[],
  size: SelectionSize,
): FieldSelection {
  const required = (parentType: string, inner: Field) => run.requiredArguments(parentType, inner, false);
  const selections = selectFields(run.schema, getNamedType(field.type), size, required);
  return { kind: "field", name: field.name, arguments: [...given, ...pageOf(field, given)], selections };
}

/** A page of a connection is asked for with its size. */
function pageOf(field: Field, given: readonly GivenArgument[]): readonly GivenArgument[] {
  if (isSingle(field) || given.some(({ name }) => name === "first" || name === "last")) return [];
  const first = field.args.find(({ name }) => name === "first");
  const isPlain = getNamedType(field.type).name.endsWith("Connection");
  return first === undefined || !isPlain ? [] : [{ name: "first", type: first.type, value: 5 }];
}

function wholeQuestion(
  run: GraphqlRun,
  field: Field,
  given: readonly GivenArgument[],
  size: SelectionSize,
): GraphqlQuestion {
  return writeQuestion([wholeSelection(run, field, given, size)]);
}

async function playWhole(
  run: GraphqlRun,
  field: Field,
  operation: string,
  given: readonly GivenArgument[],
  play: CasePlay,
  certain: boolean,
): Promise<readonly Finding[]> {
  const whole = await askWhole(run, field, given, play);
  const { held, selection, question } = whole;
  run.cover(operation, held.met);
  keepBase(run, operation, field, selection, question, held);
  return uniqueFindings([
    ...held.findings,
    ...whole.findings,
    ...inspectFields(run, held.met),
    ...refusalFindings(field, given, held, play, certain),
  ]);
}

interface WholeAnswer {
  readonly selection: FieldSelection;
  readonly question: GraphqlQuestion;
  readonly held: HeldAnswer;
  /** Of answers that were not the last. */
  readonly findings: readonly Finding[];
}

/** Asks for a field with its whole selection; less of it where the target finds that too much, or where parts of it fail. */
async function askWhole(
  run: GraphqlRun,
  field: Field,
  given: readonly GivenArgument[],
  play: CasePlay,
): Promise<WholeAnswer> {
  const key = `${field.name} ${given.map(({ name }) => name).join(" ")}`;
  const findings = run.earlier.get(key) ?? [];
  run.earlier.set(key, findings);
  for (let again = 0; ; again += 1) {
    const selection = wholeSelection(run, field, given, run.size);
    const question = writeQuestion([selection]);
    // What cases beside this one find out meanwhile was not known when this was asked.
    const [avoided, wasFrugal] = [new Set(run.avoided), run.isFrugal];
    const held = await run.ask(play, question);
    const whole: WholeAnswer = { selection, question, held, findings };
    if (isTooLarge(held)) {
      if (again >= mostSmaller) return play.skip("The target finds even small selections too large");
      run.size = halved(run.size);
      continue;
    }
    const { asked, response } = held;
    const unknown = response.hasData ? [] : unknownFields(run, response);
    if (unknown.length > 0 && again < mostSmaller) {
      for (const name of unknown) {
        run.avoided.add(name);
        findings.push({ rule: graphqlRules.schemaField, message: `The field ${name} is refused as unknown` });
      }
      if (!unknown.includes(`${asked?.schema.getQueryType()?.name}.${field.name}`)) continue;
    }
    const failed = asked === undefined ? [] : failedFields(asked, response).filter(({ depth }) => depth > 1);
    const fresh = failed.filter(({ name }) => !avoided.has(name));
    const unfit = response.errors.filter(isUnfitValue);
    const unfitNames = new Set(
      asked === undefined ? [] : failedFields(asked, { ...response, errors: unfit }).map(({ name }) => name),
    );
    for (const { name, takesArguments } of fresh) {
      run.avoided.add(name);
      if (unfitNames.has(name)) {
        const message = `${name} fails, since the server's own value is not of its type`;
        findings.push({ rule: propertyRules.validInput, message, detail: unfit[0]?.message ?? "" });
        continue;
      }
      if (takesArguments || refusalOf(response) !== "unknown") continue;
      const detail = response.errors[0]?.message ?? "";
      findings.push({ rule: graphqlRules.resolvedLikely, message: `${name} is answered with an error`, detail });
    }
    const isSilent = response.hasData && response.errors.some(({ path }) => path === undefined) && !wasFrugal;
    if (isSilent) run.isFrugal = true;
    if ((fresh.length === 0 && !isSilent) || again >= mostSmaller) return whole;
    findings.push(...held.findings);
  }
}

/** Fields of the description that the target says it does not have. */
function unknownFields(run: GraphqlRun, { errors }: GraphqlResponse): readonly string[] {
  return errors.flatMap(({ message }) => {
    const match = /field ["'`]?(\w+)["'`]? (?:on|in|of) type ["'`]?(\w+)/i.exec(message);
    const type = match?.[2] === undefined ? undefined : run.schema.getType(match[2]);
    const name = match?.[1] ?? "";
    if (type === undefined || !("getFields" in type) || !Object.hasOwn(type.getFields(), name)) return [];
    return run.avoided.has(`${type.name}.${name}`) ? [] : [`${type.name}.${name}`];
  });
}

/** Keeps an answer that is well, as what others are compared with. */
function keepBase(
  run: GraphqlRun,
  operation: string,
  field: Field,
  selection: FieldSelection,
  question: GraphqlQuestion,
  { data, met, response }: HeldAnswer,
): void {
  const value = data?.[selection.alias ?? selection.name];
  const before = run.bases.get(field.name);
  if (value === undefined || value === null || response.errors.length > 0) return;
  // What holds something says more than an empty list.
  if (before !== undefined && !(isEmpty(before.value) && !isEmpty(value))) return;
  run.bases.set(field.name, { operation, field, selection, question, value, met });
  const { query: text, variables: input = {} } = question;
  run.session.live.see({ operation, input, text, type: { kind: "any" }, value: data });
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Whether a question was refused for its size. */
function isTooLarge({ response, data }: HeldAnswer): boolean {
  return data === undefined && response.errors.length > 0 && refusalOf(response) === "size";
}

function halved({ depth, fields }: SelectionSize): SelectionSize {
  return { depth: Math.max(2, depth - 2), fields: Math.max(6, Math.floor(fields / 3)) };
}

/** What is to be said where a question that is right by the schema has errors. */
function refusalFindings(
  field: Field,
  given: readonly GivenArgument[],
  { response, data }: HeldAnswer,
  play: CasePlay,
  certain: boolean,
): readonly Finding[] {
  const place = withPlace(placeOf(field.astNode));
  if (response.isResponse && response.errors.length === 0) return [];
  const kind = refusalOf(response);
  const detail = response.errors[0]?.message ?? `status ${response.answer.status}`;
  if (kind === "denied") return play.skip("The target says that this may not be asked");
  if (!response.hasData) {
    if (kind === "missing") return play.skip("The target says that it does not offer this");
    if (kind === "size") return play.skip("The target says that this is too much");
    if (!response.isResponse && response.answer.status === 404) {
      return [{ rule: propertyRules.validInput, message: "The target has no GraphQL at this address", detail }];
    }
    if (!certain) return play.skip("The target refuses values that were made up");
    return [{ rule: propertyRules.validInput, message: `A valid query of ${field.name} is refused`, detail, ...place }];
  }
  const unfit = response.errors.find((error) => isUnfitValue(error) && error.path?.length === 1);
  if (unfit !== undefined) {
    const message = `${field.name} fails, since the server's own value is not of its type`;
    return [{ rule: propertyRules.validInput, message, detail: unfit.message, ...place }];
  }
  const failed = data === undefined || Object.values(data).every((value) => value === null);
  if (!failed || response.errors.some(({ path }) => path !== undefined && path.length > 1)) return [];
  // A field with arguments may want one of them, unless each of them only says how it is answered.
  const left = field.args.filter(({ name }) => !given.some((one) => one.name === name));
  const isWanting = field.args.length > 0 && (kind !== "unknown" || !left.every(isManner));
  if (kind === "missing" || kind === "size" || isWanting) return [];
  const isPlain = kind === "unknown" && given.length === 0;
  const rule = isPlain ? propertyRules.validInput : graphqlRules.resolvedLikely;
  return [{ rule, message: `${field.name} is answered with an error`, detail, ...place }];
}

/** Whether an argument says how many, in which order or which part, and so can't be what a field is asked for by. */
function isManner({ name, type, defaultValue }: Field["args"][number]): boolean {
  const leaf = getNamedType(type);
  const isChoice = isEnumType(leaf) || leaf.name === "Boolean";
  return (
    defaultValue !== undefined ||
    isChoice ||
    hasRoleName("limit", name) ||
    hasRoleName("offset", name) ||
    /^(?:after|before)$/.test(name)
  );
}

/** Arguments that name one object by what objects of the type have. */
function keyArguments(
  run: GraphqlRun,
  field: Field,
): readonly { readonly name: string; readonly candidates: readonly CandidateValue[] }[] {
  const queryType = run.schema.getQueryType()?.name ?? "Query";
  return field.args.flatMap((argument) => {
    const candidates = run.pool
      .candidatesOf(queryType, field, argument)
      .filter(({ isKey, found }) => isKey && found !== undefined);
    return candidates.length === 0 ? [] : [{ name: argument.name, candidates }];
  });
}

/** Objects found by what others named: each key of each field that answers one object. */
export function planFound(run: GraphqlRun, field: Field): readonly PlannedCase[] {
  if (!isSingle(field)) return [];
  const operation = queryOperation(run, field);
  const others = (name: string): boolean => field.args.some((one) => one.name !== name && isRequiredArgument(one));
  return keyArguments(run, field)
    .filter(({ name }) => !others(name))
    .map(({ name }) =>
      graphqlCase({
        operation,
        group: "live",
        name: `found-by-${kebab(name)}`,
        rule: propertyRules.found,
        expected: `the object that has what ${name} says, as it was answered elsewhere`,
        requests: 6,
        play: (play) => playFound(run, field, operation, name, play),
      }),
    );
}

async function playFound(
  run: GraphqlRun,
  field: Field,
  operation: string,
  name: string,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const argument = field.args.find((one) => one.name === name);
  const [key] = keyArguments(run, field).filter((one) => one.name === name);
  if (argument === undefined || key === undefined) return play.skip("No value of it was answered");
  const findings: Finding[] = [];
  for (const candidate of differentTypes(key.candidates).slice(0, 2)) {
    const given = [{ name, type: argument.type, value: candidate.value }];
    const whole = await askWhole(run, field, given, play);
    const { held, selection, question } = whole;
    run.cover(operation, held.met);
    keepBase(run, operation, field, selection, question, held);
    findings.push(
      ...held.findings,
      ...whole.findings,
      ...inspectFields(run, held.met),
      ...foundFindings(field, name, candidate, held, play),
    );
    if (findings.length > 0) break;
  }
  return uniqueFindings(findings);
}

/** One of each type first, where objects of several have the key. */
function differentTypes(candidates: readonly CandidateValue[]): readonly CandidateValue[] {
  const seen = new Set<string | undefined>();
  const first = candidates.filter(({ found }) => {
    const isNew = !seen.has(found?.typeName);
    seen.add(found?.typeName);
    return isNew;
  });
  return [...first, ...candidates.filter((one) => !first.includes(one))];
}

function foundFindings(
  field: Field,
  name: string,
  { value, found }: CandidateValue,
  held: HeldAnswer,
  play: CasePlay,
): readonly Finding[] {
  const place = withPlace(placeOf(field.astNode));
  const object = held.data?.[field.name];
  if (found === undefined) return [];
  if (!isRecord(object)) {
    if (!held.response.hasData) return refusalFindings(field, [], held, play, true);
    const kind = refusalOf(held.response);
    if (["denied", "missing", "size"].includes(kind)) return play.skip("The target says that this may not be asked");
    // A part of it failed, and took the rest with it.
    if (held.response.errors.some(({ path }) => path !== undefined && path.length > 1)) return [];
    const isRoot = found.depth <= 2;
    const rule = isRoot ? propertyRules.found : graphqlRules.resolvedLikely;
    return [
      {
        rule,
        message: `${field.name} does not find by ${name} what was answered with it`,
        detail: showValue(value),
        ...place,
      },
    ];
  }
  const member = found.fieldName;
  const echoed = object[member];
  if (Object.hasOwn(object, member) && showValue(echoed) !== showValue(value)) {
    const detail = `${showValue(echoed)} for ${showValue(value)}`;
    return [
      {
        rule: graphqlRules.echo,
        message: `${field.name} by ${name} answers an object with another ${member}`,
        detail,
        ...place,
      },
    ];
  }
  const isOther = typeof object["__typename"] === "string" && object["__typename"] !== found.typeName;
  if (isOther && isTelling(value)) {
    const message = `${field.name} by ${name} answers an object of another type than where it was found`;
    const detail = `${showValue(object["__typename"])} instead of ${found.typeName}`;
    return [{ rule: propertyRules.embedded, message, detail, ...place }];
  }
  return [];
}

/** Whether a key is of one object alone: objects of several types may well count from one. */
function isTelling(key: unknown): boolean {
  return typeof key === "string" && key.length >= 6 && /[A-Za-z]/.test(key) && /\d/.test(key);
}
