import { isRecord } from "@nodewright/api-model";
import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from "graphql";
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

export interface QuestionOptions {
  /** True: variables are not sent, their values being defaults. */
  readonly byDefaults?: boolean;
  readonly name?: string;
  readonly declares?: readonly DeclaredVariable[];
}

interface Writer {
  readonly byDefaults: boolean;
  readonly declarations: string[];
  readonly variables: Record<string, unknown>;
  readonly fragments: Map<string, string>;
  /** Variables by type and value, so that one value is sent once. */
  readonly known: Map<string, string>;
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
export function writeQuestion(selections: readonly Selection[], options: QuestionOptions = {}): GraphqlQuestion {
  const writer: Writer = {
    byDefaults: options.byDefaults === true,
    declarations: [],
    variables: {},
    fragments: new Map(),
    known: new Map(),
  };
  for (const { name, type, value } of options.declares ?? []) {
    writer.declarations.push(`$${name}: ${type}`);
    writer.variables[name] = value;
  }
  const body = writeSelections(writer, selections, 1);
  const name = options.name === undefined ? "" : ` ${options.name}`;
  const declarations = writer.declarations.length === 0 ? "" : `(${writer.declarations.join(", ")})`;
  const isShort = name === "" && declarations === "";
  const query = [`${isShort ? "" : `query${name}${declarations} `}${body}`, ...writer.fragments.values()].join("\n");
  return { query, variables: writer.variables };
}

function writeSelections(writer: Writer, selections: readonly Selection[], depth: number): string {
  const indent = "  ".repeat(depth);
  const lines = selections.map((selection) => `${indent}${writeSelection(writer, selection, depth)}`);
  return `{\n${lines.join("\n")}\n${"  ".repeat(depth - 1)}}`;
}

function writeSelection(writer: Writer, selection: Selection, depth: number): string {
  const directives = selection.directives === undefined ? "" : ` ${selection.directives}`;
  if (selection.kind === "field") {
    const alias = selection.alias === undefined ? "" : `${selection.alias}: `;
    const head = `${alias}${selection.name}${writeArguments(writer, selection.arguments ?? [])}${directives}`;
    return selection.selections.length === 0
      ? head
      : `${head} ${writeSelections(writer, selection.selections, depth + 1)}`;
  }
  const { name, type } = selection;
  if (name === undefined || type === undefined) {
    const condition = type === undefined ? "" : ` on ${type}`;
    return `...${condition}${directives} ${writeSelections(writer, selection.selections, depth + 1)}`;
  }
  writer.fragments.set(name, `fragment ${name} on ${type} ${writeSelections(writer, selection.selections, 1)}`);
  return `...${name}${directives}`;
}

function writeArguments(writer: Writer, given: readonly GivenArgument[]): string {
  if (given.length === 0) return "";
  return `(${given.map((one) => `${one.name}: ${writeArgument(writer, one)}`).join(", ")})`;
}

function writeArgument(writer: Writer, { name, type, value, isLiteral }: GivenArgument): string {
  if (isLiteral === true) return writeLiteral(type, value);
  const key = `${String(type)} ${writeLiteral(type, value)}`;
  const known = writer.known.get(key);
  if (known !== undefined) return `$${known}`;
  let variable = name;
  for (let suffix = 2; writer.declarations.some((one) => one.startsWith(`$${variable}:`)); suffix += 1) {
    variable = `${name}${suffix}`;
  }
  writer.known.set(key, variable);
  if (writer.byDefaults) {
    // A variable with a default may stand where null may not (specification, section 5.8.5).
    const nullable = isNonNullType(type) ? type.ofType : type;
    writer.declarations.push(`$${variable}: ${String(nullable)} = ${writeLiteral(type, value)}`);
  } else {
    writer.declarations.push(`$${variable}: ${String(type)}`);
    writer.variables[variable] = value;
  }
  return `$${variable}`;
}

/** A JSON value as it is written in a document, where it is of the type: names of enum values stand without quotes. */
export function writeLiteral(type: GraphQLInputType | undefined, value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (type !== undefined && isNonNullType(type)) return writeLiteral(type.ofType, value);
  if (Array.isArray(value)) {
    const element = type !== undefined && isListType(type) ? type.ofType : undefined;
    return `[${value.map((one) => writeLiteral(element, one)).join(", ")}]`;
  }
  if (type !== undefined && isListType(type)) return writeLiteral(type.ofType, value);
  if (isRecord(value)) {
    const fields = type !== undefined && isInputObjectType(type) ? type.getFields() : {};
    const members = Object.entries(value).map(([name, one]) => `${name}: ${writeLiteral(fields[name]?.type, one)}`);
    return `{${members.join(", ")}}`;
  }
  if (type !== undefined && isEnumType(type) && typeof value === "string") return value;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
