import { isRecord } from "@nodewright/api-model";
import { type GraphQLInputType, getNamedType, isEnumType, isInputObjectType, parse, print } from "graphql";
import type { GraphqlQuestion } from "./graphql-request.ts";

/** An argument with the value that is given to it. */
export interface GivenArgument {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** As JSON. */
  readonly value: unknown;
  /** True: it stands in the text even where others are variables. */
  readonly isLiteral?: boolean;
}

/** A field that is asked for. */
export interface FieldSelection {
  readonly kind: "field";
  readonly name: string;
  readonly alias?: string;
  readonly arguments?: readonly GivenArgument[];
  /** With its sign: `@skip(if: true)`. */
  readonly directives?: string;
  /** Empty for leaves. */
  readonly selections: readonly Selection[];
}

/** An inline fragment, or the spread of a named one. */
interface FragmentSelection {
  readonly kind: "fragment";
  /** Of the type condition. */
  readonly type?: string;
  /** Given: the fragment is written apart under this name, and needs a type. */
  readonly name?: string;
  readonly directives?: string;
  readonly selections: readonly Selection[];
}

export type Selection = FieldSelection | FragmentSelection;

/** A variable that is declared beside those that arguments make. */
export interface DeclaredVariable {
  readonly name: string;
  /** As it is written: `Boolean!`. */
  readonly type: string;
  readonly value: unknown;
}

interface QuestionOptions {
  /** True: variables are not sent, their values being defaults. */
  readonly byDefaults?: boolean;
  readonly name?: string;
  readonly declares?: readonly DeclaredVariable[];
}

/** Variables and fragments of a query that is being written. */
interface Writer {
  /** Each with its value as a literal, so that one value is sent once. */
  readonly variables: (DeclaredVariable & { readonly literal: string })[];
  /** Fragments by name. */
  readonly fragments: Map<string, string>;
}

/** Selects a field without arguments. */
export function member(name: string, selections: readonly Selection[] = []): FieldSelection {
  return { kind: "field", name, selections };
}

export const typename: FieldSelection = member("__typename");

/** Fields of a selection that is asked for in several ways at once. */
const comparedFields = 24;
/** Objects within each other in such a selection. */
const comparedDepth = 3;

/** A smaller selection of the same: enough to compare. */
export function trimmed(selections: readonly Selection[]): readonly Selection[] {
  let left = comparedFields;
  const trim = (some: readonly Selection[], depth: number): readonly Selection[] =>
    some.flatMap((one): readonly Selection[] => {
      if (left <= 0) return [];
      if (one.selections.length === 0) {
        left -= 1;
        return [one];
      }
      if (depth >= comparedDepth) return [];
      const inner = trim(one.selections, one.kind === "field" ? depth + 1 : depth);
      return inner.length === 0 ? [] : [{ ...one, selections: inner }];
    });
  const kept = trim(selections, 1);
  return kept.length === 0 && selections.length > 0 ? [typename] : kept;
}

/** Writes a query for selections of the query type. */
export function writeQuestion(
  selections: readonly Selection[],
  { byDefaults = false, name = "", declares = [] }: QuestionOptions = {},
): GraphqlQuestion {
  const variables = declares.map((one) => ({ ...one, literal: String(one.value) }));
  const writer: Writer = { variables, fragments: new Map() };
  const body = writeSelections(writer, selections);
  // A variable with a default may stand where null may not (specification, section 5.8.5).
  const declared = variables.map(({ name: variable, type, literal }) =>
    byDefaults ? `$${variable}: ${type.replace(/!$/, "")} = ${literal}` : `$${variable}: ${type}`,
  );
  const head = declared.length === 0 ? name : `${name}(${declared.join(", ")})`;
  const text = [`query ${head} ${body}`, ...writer.fragments.values()].join(" ");
  const sent = byDefaults ? [] : variables.map((one) => [one.name, one.value]);
  return { query: print(parse(text)), variables: Object.fromEntries(sent) };
}

function writeSelections(writer: Writer, selections: readonly Selection[]): string {
  if (selections.length === 0) return "";
  return `{ ${selections.map((one) => writeSelection(writer, one)).join(" ")} }`;
}

function writeSelection(writer: Writer, selection: Selection): string {
  const { name, directives = "", selections } = selection;
  if (selection.kind === "field") {
    const alias = selection.alias === undefined ? "" : `${selection.alias}: `;
    const given = (selection.arguments ?? []).map((one) => `${one.name}: ${writeArgument(writer, one)}`);
    const head = `${alias}${name}${given.length === 0 ? "" : `(${given.join(", ")})`}`;
    return `${head} ${directives} ${writeSelections(writer, selections)}`;
  }
  const inner = writeSelections(writer, selections);
  const condition = selection.type === undefined ? "" : `on ${selection.type}`;
  if (name === undefined) return `... ${condition} ${directives} ${inner}`;
  writer.fragments.set(name, `fragment ${name} ${condition} ${inner}`);
  return `...${name} ${directives}`;
}

function writeArgument({ variables }: Writer, { name, type: given, value, isLiteral }: GivenArgument): string {
  const [type, literal] = [String(given), writeLiteral(given, value)];
  if (isLiteral === true) return literal;
  const known = variables.find((one) => one.type === type && one.literal === literal);
  if (known !== undefined) return `$${known.name}`;
  const isTaken = (text: string): boolean => variables.some((one) => one.name === text);
  let variable = name;
  for (let suffix = 2; isTaken(variable); suffix += 1) variable = `${name}${suffix}`;
  variables.push({ name: variable, type, value, literal });
  return `$${variable}`;
}

/** A JSON value as it is written in a document, where it is of the type: names of enum values stand without quotes. */
export function writeLiteral(type: GraphQLInputType | undefined, value: unknown): string {
  const named = type === undefined ? undefined : getNamedType(type);
  if (Array.isArray(value)) return `[${value.map((one) => writeLiteral(named, one)).join(", ")}]`;
  if (isRecord(value)) {
    const fields = isInputObjectType(named) ? named.getFields() : {};
    const members = Object.entries(value).map(([name, one]) => `${name}: ${writeLiteral(fields[name]?.type, one)}`);
    return `{${members.join(", ")}}`;
  }
  if (typeof value !== "string") return String(value ?? null);
  return isEnumType(named) ? value : JSON.stringify(value);
}
