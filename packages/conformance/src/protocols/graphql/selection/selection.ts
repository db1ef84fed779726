import { isRecord } from "@nodewright/api-model";
import {
  type DocumentNode,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  parse,
  print,
  visit,
} from "graphql";
import type { GraphqlRequest } from "../contract/graphql-request.ts";

/** An argument with its value. */
export interface GivenArgument {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** Value as JSON. */
  readonly value: unknown;
}

/** A requested field. */
export interface FieldSelection {
  readonly kind: "field";
  readonly name: string;
  readonly alias?: string;
  readonly arguments?: readonly GivenArgument[];
  /** Selections below it; empty for leaves. */
  readonly selections: readonly Selection[];
}

/** An inline fragment. */
interface FragmentSelection {
  readonly kind: "fragment";
  /** Type condition. */
  readonly type: string;
  readonly selections: readonly Selection[];
}

export type Selection = FieldSelection | FragmentSelection;

/** Returns the selection of a field without arguments. */
export function member(name: string, selections: readonly Selection[] = []): FieldSelection {
  return { kind: "field", name, selections };
}

/** Selects fields without arguments and without fields below them. */
export function members(fields: readonly { readonly name: string }[]): readonly FieldSelection[] {
  return fields.map(({ name }) => member(name));
}

/** Returns the key of a field in responses. */
export function keyOf({ name, alias = name }: FieldSelection): string {
  return alias;
}

export const typename: FieldSelection = member("__typename");

/** Maximum number of fields in a selection that is requested in several ways at once. */
const comparedFields = 24;
/** Maximum nesting depth of such a selection. */
const comparedDepth = 3;

/** Returns a reduced selection that suffices for comparison. */
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

/** Returns a query with selections of the query type. */
export function writeRequest(selections: readonly Selection[]): GraphqlRequest {
  const writer = new RequestWriter();
  const body = writer.block(selections);
  return writer.request(writer.operation(body));
}

/** Serializes selections, with the values of their arguments as variables, each value once. */
export class RequestWriter {
  readonly #variables: (Omit<GivenArgument, "type"> & { readonly type: string; readonly literal: string })[] = [];

  /** Returns the variable of a value, with the argument's name if it is free: `$id`. */
  variable({ name, type: given, value }: GivenArgument): string {
    const [type, literal] = [String(given), writeLiteral(given, value)];
    const known = this.#variables.find((one) => one.type === type && one.literal === literal);
    if (known !== undefined) return `$${known.name}`;
    const isTaken = (text: string): boolean => this.#variables.some((one) => one.name === text);
    let variable = name;
    for (let suffix = 2; isTaken(variable); suffix += 1) variable = `${name}${suffix}`;
    this.#variables.push({ name: variable, type, value, literal });
    return `$${variable}`;
  }

  arguments(given: readonly GivenArgument[]): readonly string[] {
    return given.map((one) => `${one.name}: ${this.variable(one)}`);
  }

  selection(selection: Selection, directives = ""): string {
    const inner = this.block(selection.selections);
    if (selection.kind === "fragment") return `... on ${selection.type} ${directives} ${inner}`;
    const { name, alias, arguments: given = [] } = selection;
    const head = alias === undefined ? name : `${alias}: ${name}`;
    return `${head}${writeList(this.arguments(given))} ${directives} ${inner}`;
  }

  /** Returns selections in braces; an empty string for an empty list. */
  block(selections: readonly Selection[]): string {
    return writeBlock(selections.map((one) => this.selection(one)));
  }

  /** Returns an operation with all variables so far; `byDefaults`: with their values as defaults. */
  operation(
    body: string,
    { name = "", byDefaults = false }: { readonly name?: string; readonly byDefaults?: boolean } = {},
  ): string {
    // A variable with a default is allowed in a non-null position (specification, section 5.8.5).
    const declared = this.#variables.map(({ name: variable, type, literal }) =>
      byDefaults ? `$${variable}: ${type.replace(/!$/, "")} = ${literal}` : `$${variable}: ${type}`,
    );
    return `query ${name}${writeList(declared)} ${body}`;
  }

  /** Returns the request of a document, which must not declare unused variables. */
  request(text: string): GraphqlRequest {
    const variables = this.#variables.map(({ name, value }) => [name, value]);
    return withUsedVariables(parse(text), Object.fromEntries(variables));
  }
}

/** Returns strings in parentheses; an empty string for an empty list. */
export function writeList(texts: readonly string[]): string {
  return texts.length === 0 ? "" : `(${texts.join(", ")})`;
}

/** Returns strings in braces; an empty string for an empty list. */
export function writeBlock(texts: readonly string[]): string {
  return texts.length === 0 ? "" : `{ ${texts.join(" ")} }`;
}

/** Returns the request of a document, without unused variables. */
export function withUsedVariables(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): GraphqlRequest {
  const used = new Set<string>();
  visit(document, { VariableDefinition: () => false, Variable: ({ name }) => void used.add(name.value) });
  const shorter = visit(document, {
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
  });
  const sent = Object.entries(variables).filter(([name]) => used.has(name));
  return { query: print(shorter), variables: Object.fromEntries(sent) };
}

/** Serializes a JSON value as a literal of a type: names of enum values have no quotes. */
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
