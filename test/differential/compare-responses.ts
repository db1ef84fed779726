import type { ComparedAnswer, ComparedCall } from "./compared-response.ts";
import { isJsonObject, isSameJson } from "./exact-json.ts";
import { createSchemaCheck, type ListedDifference, type ListedOutcome, type ListedSide } from "./listed-differences.ts";
import { holdsRelation } from "./relations.ts";

/** What became of two answers to a call. */
export interface Comparison {
  /** Ids of the listed differences that stand between them. None, and nothing unexplained: they are equal. */
  readonly listed: ReadonlySet<string>;
  readonly unexplained: readonly Unexplained[];
}

/** A place where two answers differ and no entry of the list says so. */
export interface Unexplained {
  /** JSON Pointer into the answer; empty: what came of the call. */
  readonly pointer: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** Compares two answers to one call; stateless but for what it keeps compiled. */
export type AnswerComparer = (call: ComparedCall, theirs: ComparedAnswer, ours: ComparedAnswer) => Comparison;

/** Stands for a member that is not there. */
export const absent: unique symbol = Symbol("absent");

/** Entries with what is needed to apply them. */
interface Applicable {
  readonly entry: ListedDifference;
  readonly pointers: readonly RegExp[];
}

type SchemaCheck = ReturnType<typeof createSchemaCheck>;

/** Creates a comparer that takes account of a list of differences. */
export function createComparer(differences: readonly ListedDifference[]): AnswerComparer {
  const isOf = createSchemaCheck();
  const byMethod = new Map<string, readonly Applicable[]>();
  const all = differences.map((entry) => ({ entry, pointers: (entry.members ?? []).map(patternOf) }));
  const listedFor = ({ method, params }: ComparedCall): readonly Applicable[] => {
    let found = byMethod.get(method);
    if (found === undefined) {
      found = all.filter(({ entry: { methods } }) => methods.includes(method) || methods.includes("*"));
      byMethod.set(method, found);
    }
    return found.filter(({ entry }) => entry.arguments === undefined || isOf(entry.arguments, params));
  };
  return (call, theirs, ours) => {
    if (isSameAnswer(theirs, ours)) return equal;
    const applicable = listedFor(call);
    return isSameOutcome(theirs, ours)
      ? compareContents(applicable, isOf, documentOf(theirs), documentOf(ours))
      : compareOutcomes(applicable, isOf, theirs, ours);
  };
}

const equal: Comparison = { listed: new Set(), unexplained: [] };

function isSameAnswer(theirs: ComparedAnswer, ours: ComparedAnswer): boolean {
  return isSameOutcome(theirs, ours) && isSameJson(documentOf(theirs), documentOf(ours));
}

function isSameOutcome(theirs: ComparedAnswer, ours: ComparedAnswer): boolean {
  if (theirs.kind === "error") return ours.kind === "error" && theirs.code === ours.code;
  return theirs.kind === ours.kind;
}

/** What members are looked for in. */
function documentOf(answer: ComparedAnswer): unknown {
  if (answer.kind === "result") return { result: answer.result };
  return answer.kind === "error" ? { error: { message: answer.message } } : {};
}

function compareOutcomes(
  applicable: readonly Applicable[],
  isOf: SchemaCheck,
  theirs: ComparedAnswer,
  ours: ComparedAnswer,
): Comparison {
  const found = applicable.find(
    ({ entry: { outcome } }) =>
      outcome !== undefined && isOutcome(outcome.theirs, theirs, isOf) && isOutcome(outcome.ours, ours, isOf),
  );
  return found === undefined
    ? { listed: new Set(), unexplained: [{ pointer: "", theirs, ours }] }
    : { listed: new Set([found.entry.id]), unexplained: [] };
}

function isOutcome(listed: ListedOutcome, answer: ComparedAnswer, isOf: SchemaCheck): boolean {
  if (listed.result !== undefined) return answer.kind === "result" && isOf(listed.result, answer.result);
  if (listed.none !== undefined) return answer.kind === (listed.none === "empty line" ? "empty" : "none");
  if (answer.kind !== "error" || ![listed.code].flat().includes(answer.code)) return false;
  return listed.message === undefined || RegExp(listed.message, "u").test(answer.message);
}

function compareContents(
  applicable: readonly Applicable[],
  isOf: SchemaCheck,
  theirs: unknown,
  ours: unknown,
): Comparison {
  const listed = new Set<string>();
  const unexplained: Unexplained[] = [];
  const ofMembers = applicable.filter(({ entry }) => entry.members !== undefined);
  const explain = (pointer: string, theirs: unknown, own: unknown): boolean => {
    const found = ofMembers.find(
      ({ entry, pointers }) =>
        entry.renamed === undefined &&
        entry.reordered === undefined &&
        pointers.some((pattern) => pattern.test(pointer)) &&
        isSide(entry.theirs, theirs, isOf) &&
        isSide(entry.ours, own, isOf) &&
        (entry.relation === undefined || holdsRelation(entry.relation, theirs, own)),
    );
    if (found !== undefined) listed.add(found.entry.id);
    return found !== undefined;
  };
  const reorder = (pointer: string, theirs: unknown, own: unknown): unknown => {
    if (!Array.isArray(theirs) || !Array.isArray(own)) return theirs;
    const found = ofMembers.find(
      ({ entry, pointers }) => entry.reordered !== undefined && pointers.some((pattern) => pattern.test(pointer)),
    );
    const ordered = found?.entry.reordered === undefined ? undefined : inOurOrder(theirs, own, found.entry.reordered);
    if (found !== undefined && ordered !== undefined) listed.add(found.entry.id);
    return ordered ?? theirs;
  };
  const walk = (pointer: string, unordered: unknown, own: unknown): void => {
    if (isSameJson(unordered, own) || explain(pointer, unordered, own)) return;
    const theirs = reorder(pointer, unordered, own);
    if (Array.isArray(theirs) && Array.isArray(own) && theirs.length === own.length) {
      for (const [at, item] of theirs.entries()) walk(`${pointer}/${at}`, item, own[at]);
    } else if (isJsonObject(theirs) && isJsonObject(own)) {
      const spelled = withNewNames(pointer, theirs, ofMembers, listed);
      for (const name of new Set([...Object.keys(spelled), ...Object.keys(own)]))
        walk(`${pointer}/${escapeToken(name)}`, memberOf(spelled, name), memberOf(own, name));
    } else {
      unexplained.push({ pointer, theirs, ours: own });
    }
  };
  walk("", theirs, ours);
  return { listed, unexplained };
}

/** Unconfirmed items of the other node's list in the order that they have here. `undefined`: they are in it, or others. */
function inOurOrder(
  theirs: readonly unknown[],
  ours: readonly unknown[],
  name: string,
): readonly unknown[] | undefined {
  const unconfirmed = new Map(
    theirs.flatMap((item) => (isJsonObject(item) && item["blockhash"] === undefined ? [[item[name], item]] : [])),
  );
  const ordered = ours.map((item, at) => (isJsonObject(item) ? unconfirmed.get(item[name]) : undefined) ?? theirs[at]);
  const isPermutation = new Set(ordered).size === theirs.length && ours.length === theirs.length;
  return isPermutation && ordered.some((item, at) => item !== theirs[at]) ? ordered : undefined;
}

/** An object of the other node's with the names that its members have here. */
function withNewNames(
  pointer: string,
  theirs: Readonly<Record<string, unknown>>,
  applicable: readonly Applicable[],
  listed: Set<string>,
): Readonly<Record<string, unknown>> {
  const members = Object.entries(theirs).map(([name, member]) => {
    const place = `${pointer}/${escapeToken(name)}`;
    const found = applicable.find(
      ({ entry, pointers }) => entry.renamed !== undefined && pointers.some((pattern) => pattern.test(place)),
    );
    if (found?.entry.renamed === undefined) return [name, member] as const;
    listed.add(found.entry.id);
    return [found.entry.renamed, member] as const;
  });
  return Object.fromEntries(members);
}

function memberOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : absent;
}

/** A listed side; without one, what is there is not looked at. */
function isSide(listed: ListedSide | undefined, value: unknown, isOf: SchemaCheck): boolean {
  if (listed === "absent") return value === absent;
  return value !== absent && (listed === undefined || isOf(listed, value));
}

/** `*` is any token, `**` any number of them. */
function patternOf(pointer: string): RegExp {
  const tokens = pointer
    .split("/")
    .slice(1)
    .map((token) => {
      if (token === "**") return "(?:/[^/]*)*";
      return token === "*" ? "/[^/]*" : `/${token.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`;
    });
  return RegExp(`^${tokens.join("")}$`, "u");
}

function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
