import { propertyRules } from "../../properties/property-rules.ts";
import { differences } from "../../compare/differences.ts";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { withPlace } from "../../suite/with-place.ts";
import { isLastingKeyName } from "./field-names.ts";
import type { GraphqlQuestion } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { isByChance } from "./property-cases.ts";
import { type RefusalKind, refusalOf } from "./refusal.ts";
import { type DeclaredVariable, type FieldSelection, writeQuestion } from "./selection.ts";

/** Another way of requesting a field: within the request that has the plain way too (`others`), or by a request of its own (`question`). */
export interface Way {
  /** kebab-case, part of the case's id. */
  readonly name: string;
  readonly rule: Rule;
  readonly expected: string;
  readonly others?: readonly FieldSelection[];
  readonly declares?: readonly DeclaredVariable[];
  readonly question?: GraphqlQuestion;
  readonly by?: "GET";
}

interface PlayedWay {
  readonly run: GraphqlRun;
  readonly base: BaseAnswer;
  readonly plain: FieldSelection;
  readonly way: Way;
  readonly play: CasePlay;
}

/** A response to another way, and what the plain way returned before and after it. */
interface Look {
  readonly held: HeldAnswer;
  readonly before: unknown;
  readonly after: unknown;
}

/** How often a difference in one request is looked at again before it counts. */
const secondLooks = 3;

/**
 * Requests a field in another way and compares it with the plain way. A value that moves by itself, as the order of what waits may, differs
 * between two plain requests as well: a difference counts where the plain way stays what it was.
 */
export async function playWay(played: PlayedWay): Promise<readonly Finding[]> {
  const { run, base, plain, way, play } = played;
  if (way.by === "GET" && run.servesGet === false) return play.skip("The target does not serve GET");
  const held = await ask(played);
  if (way.by === "GET") {
    run.servesGet ??= held.data !== undefined;
    // GET is left to servers (GraphQL over HTTP, section Request).
    if (held.data === undefined && !run.servesGet) return play.skip("The target does not serve GET");
  }
  const refused = refusedFindings(base, way.rule, held, play);
  if (refused !== undefined) return refused;
  const isAlone = way.question !== undefined;
  const known = isAlone ? base.value : held.data?.[plain.name];
  let found = differencesIn(played, held, known);
  for (let look = 0; found.length > 0 && look < (isAlone ? 1 : secondLooks); look += 1) {
    const again = isAlone ? await lookAround(played) : await lookWithin(played);
    const steady = isAlone ? again.before : known;
    const moved = differences(undefined, steady, again.after, {});
    for (const { name } of moved) run.movingOf(base.operation).add(name);
    found = moved.length > 0 && !isAlone ? [] : differencesIn(played, again.held, again.before);
  }
  return uniqueFindings([...held.findings, ...found]);
}

function ask({ run, way, plain, play }: PlayedWay): Promise<HeldAnswer> {
  const { others = [], declares = [], question = writeQuestion([plain, ...others], { declares }) } = way;
  return run.ask(play, question, way.by);
}

async function lookWithin(played: PlayedWay): Promise<Look> {
  const held = await ask(played);
  const plain = held.data?.[played.plain.name];
  return { held, before: plain, after: plain };
}

async function lookAround(played: PlayedWay): Promise<Look> {
  const { run, plain, play } = played;
  const askPlain = async (): Promise<unknown> => (await run.ask(play, writeQuestion([plain]))).data?.[plain.name];
  const before = await askPlain();
  const held = await ask(played);
  return { held, before, after: await askPlain() };
}

/** Where the field is not what it is in the plain way. */
function differencesIn(
  { run, base, plain, way }: PlayedWay,
  { data }: HeldAnswer,
  expected: unknown,
): readonly Finding[] {
  const keys = way.others?.map(({ alias, name }) => alias ?? name) ?? [plain.name];
  return keys.flatMap((key) =>
    data === undefined || !Object.hasOwn(data, key) ? [] : sameFindings(run, base, way.rule, expected, data[key]),
  );
}

/** What is wrong where another way is refused; undefined where the response has the data. */
function refusedFindings(
  { field }: BaseAnswer,
  rule: Rule,
  { response, data, findings }: HeldAnswer,
  play: CasePlay,
): readonly Finding[] | undefined {
  if (data !== undefined && response.errors.length === 0) return undefined;
  if (data !== undefined && isByChance(field)) return play.skip("What is chosen by chance may have errors of its own");
  const kind = refusalOf(response);
  if (kind === "denied" || kind === "size")
    return play.skip("The target says that this is too much, or not for everybody");
  if (data !== undefined && findings.some((finding) => finding.rule.level === "MUST")) return findings;
  // Fields below that fail now and then say nothing of the way.
  const isBelow = response.errors.every(({ path }) => (path?.length ?? 0) > 1);
  if (data !== undefined && isBelow) return play.skip("A part of the response failed");
  const message = `${field.name} is refused when it is requested in another way`;
  const detail = response.errors[0]?.message ?? `status ${response.answer.status}`;
  return [
    ...findings,
    { rule: refusalRule(rule, kind, response), message, detail, ...withPlace(placeOf(field.astNode)) },
  ];
}

/** Null is a value of a nullable argument: what validation refuses, or fails without a reason, does not take it. */
function refusalRule(rule: Rule, kind: RefusalKind, { hasData }: HeldAnswer["response"]): Rule {
  if (rule !== graphqlRules.nullArgument) return rule;
  if (kind === "unknown") return propertyRules.validInput;
  return hasData || kind === "missing" ? rule : propertyRules.validInput;
}

/** Differences of members that two responses share, but for those that change by themselves. */
function sameFindings(
  run: GraphqlRun,
  base: BaseAnswer,
  rule: Rule,
  expected: unknown,
  actual: unknown,
): readonly Finding[] {
  const moving = run.moving.get(base.operation);
  if (moving?.has("") === true && expected === base.value) return [];
  if (expected === undefined) return [];
  // Whether members are there is for the walk over the response: here only what both have is compared.
  const found = differences(undefined, expected, actual, {});
  // Where a list stands in another order each time, what is at one place of it is another object.
  const strangers = found
    .filter(({ name }) => isLastingKeyName(name) && moving?.has(name) === true)
    .map(({ pointer }) => pointer.slice(0, pointer.lastIndexOf("/") + 1));
  return found
    .filter(({ name, kind }) => kind !== "missing" && moving?.has(name) !== true)
    .filter(({ pointer }) => !strangers.some((stranger) => pointer.startsWith(stranger)))
    .slice(0, 3)
    .map(({ steady, pointer, message, detail }) => ({
      rule,
      message: `${base.field.name}${steady} ${message}`,
      detail: `${pointer} ${detail}`,
      pointer: `/${base.field.name}${steady}`,
      ...withPlace(placeOf(base.field.astNode)),
    }));
}
