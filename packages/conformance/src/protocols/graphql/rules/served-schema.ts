import { isEqualJson } from "@nodewright/api-model";
import {
  type ASTNode,
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLSchema,
  introspectionFromSchema,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isObjectType,
  type NamedTypeNode,
  OperationTypeNode,
  parseType,
  parseValue,
  specifiedDirectives,
  typeFromAST,
  valueFromAST,
} from "graphql";
import type { Rule } from "../../../contract/rule.ts";
import { findingAt } from "../contract/place-of.ts";
import { type Finding, finding } from "../../../contract/finding.ts";
import { type CasePlay, type PlannedCase, protocolCase } from "../../../contract/planned-case.ts";
import { postOf } from "../contract/graphql-request.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import type { GraphqlRun } from "../run/graphql-run.ts";
import { formFindings } from "../response-rules/response-form.ts";
import { refusalOf } from "../response/refusal.ts";

/** The part of the standard introspection query that servers of every version support. */
const introspectionQuery: string = getIntrospectionQuery({ descriptions: false });

/** Plans the comparison of the target's schema with the description. */
export function planIntrospection(run: GraphqlRun): readonly PlannedCase[] {
  return [
    protocolCase({
      group: "protocol",
      name: "introspection",
      rule: graphqlRules.schemaType,
      expected: "the schema of the description",
      preview: [postOf({ query: introspectionQuery })],
      play: (play) => playIntrospection(run, play),
    }),
  ];
}

async function playIntrospection(run: GraphqlRun, play: CasePlay): Promise<readonly Finding[]> {
  const { response, data, findings } = await run.execute(play, { query: introspectionQuery });
  const served = data?.["__schema"] == null ? undefined : data;
  const problem = served === undefined ? response.errors[0]?.message : problemOf(served);
  if (served !== undefined && problem === undefined) {
    // A document that uses missing fields would be refused.
    return [...findings, ...schemaFindings(run.schema, served as unknown as IntrospectionQuery, run.avoided)];
  }
  const kind = refusalOf(response);
  const isOff =
    response.errors.length > 0 &&
    (kind !== "unknown" || response.errors.some(({ message }) => /introspect|__schema/i.test(message)));
  if (isOff) return play.skip("The target does not allow introspection");
  const message = "The response to introspection has no schema";
  return [...formFindings(response, introspectionQuery), finding(graphqlRules.introspection, message, problem)];
}

/** Returns why an introspection result is incomplete; `undefined` when it is complete. */
function problemOf(data: Readonly<Record<string, unknown>>): string | undefined {
  try {
    buildClientSchema(data as unknown as IntrospectionQuery, { assumeValid: true });
    return undefined;
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
}

/** Types and fields that servers add for gateways (Apollo Federation), and scalars, which may be absent when they are unused. */
const tolerated =
  /^type (?:Int|Float|String|Boolean|ID)$|\b(?:_Service|_Entity|_Any|_?FieldSet|_service|_entities|link__Import|link__Purpose|federation__FieldSet|federation__Scope)\b/;

/**
 * Locations of executable directives. Those of schemas are not compared: code-first servers do not serve the directives that schemas are
 * written with.
 */
const executableLocation = /^(?:QUERY|MUTATION|SUBSCRIPTION|FIELD|FRAGMENT_\w+|INLINE_FRAGMENT|VARIABLE_DEFINITION)$/;

/** Maximum number of findings for one schema. */
const mostFindings = 40;

/** Lists of introspection: name of an element in messages, rule for a missing element, and rule for an additional one. */
const lists = {
  roots: ["NAME type", graphqlRules.schemaType, graphqlRules.schemaMore],
  types: ["type NAME", graphqlRules.schemaType, graphqlRules.schemaMore],
  fields: ["field OWNER.NAME", graphqlRules.schemaField, graphqlRules.schemaMore],
  args: ["input OWNER(NAME)", graphqlRules.schemaArgument, graphqlRules.schemaMore],
  inputFields: ["input OWNER(NAME)", graphqlRules.schemaArgument, graphqlRules.schemaMore],
  enumValues: ["value OWNER.NAME", graphqlRules.schemaValue, graphqlRules.schemaMoreValues],
  interfaces: ["interface NAME of OWNER", graphqlRules.schemaValue, undefined],
  possibleTypes: ["member NAME of OWNER", graphqlRules.schemaValue, graphqlRules.schemaMoreValues],
  directives: ["directive NAME", graphqlRules.schemaDirective, undefined],
  locations: ["location NAME of OWNER", graphqlRules.schemaDirective, undefined],
} as const;
type ListName = keyof typeof lists;

/** A type reference of introspection. */
interface TypeReference {
  readonly kind: string;
  readonly name?: string;
  readonly ofType?: TypeReference;
}

/** An element of a schema as introspection returns it, or the schema itself. */
type Part = {
  readonly name: string;
  readonly kind?: string;
  readonly type?: TypeReference | undefined;
  readonly defaultValue?: string | null | undefined;
  readonly isDeprecated?: boolean | undefined;
} & { readonly [Name in ListName]?: readonly Part[] | null };

interface Comparison {
  readonly schema: GraphQLSchema;
  readonly missing: Set<string>;
  /** Adds a finding for the part at a path; `KEY` in the message is replaced with its name. */
  note(list: ListName, path: readonly string[], rule: Rule, message: string, detail?: string): void;
}

/**
 * Returns what a served schema lacks, has differently, and has in addition to the description; adds missing fields to `missing`
 * (`Type.field`).
 */
function schemaFindings(schema: GraphQLSchema, served: IntrospectionQuery, missing: Set<string>): readonly Finding[] {
  const findings: Finding[] = [];
  const note: Comparison["note"] = (list, path, rule, message, detail) => {
    const key = lists[list][0].replace("OWNER", path.slice(0, -1).join(".")).replace("NAME", path.at(-1) ?? "");
    if (!tolerated.test(key)) findings.push(findingAt(nodeAt(schema, path), rule, message.replace("KEY", key), detail));
  };
  compareLists({ schema, missing, note }, schemaPart(introspectionFromSchema(schema)), schemaPart(served), []);
  return findings.slice(0, mostFindings);
}

function schemaPart({ __schema: { types, directives, ...roots } }: IntrospectionQuery): Part {
  const executable = directives.filter(({ locations }) => locations.some((one) => executableLocation.test(one)));
  return {
    name: "",
    roots: Object.values(OperationTypeNode).flatMap((name) => {
      const root = roots[`${name}Type`];
      return root == null ? [] : [{ name, type: { kind: "OBJECT", name: root.name } }];
    }),
    types: types.filter(({ name }) => !name.startsWith("__")),
    directives: executable.map(({ name, args, locations }) => {
      // Parts of specified directives are not compared.
      const isSpecified = specifiedDirectives.some((one) => one.name === name);
      const parts = isSpecified ? {} : { args, locations: locations.map((location) => ({ name: location })) };
      return { name: `@${name}`, ...parts };
    }),
  };
}

function compareLists(comparison: Comparison, described: Part, served: Part, path: readonly string[]): void {
  for (const list of Object.keys(lists) as ListName[]) {
    const [, rule, furtherRule] = lists[list];
    const [wanted, given] = [described[list] ?? [], served[list] ?? []];
    const isInput = rule === graphqlRules.schemaArgument;
    for (const part of wanted) {
      const inner = [...path, part.name];
      const other = given.find(({ name }) => name === part.name);
      if (other !== undefined) comparePart(comparison, list, part, other, inner);
      // Introspection of many servers omits deprecated inputs.
      else if (!isInput || part.isDeprecated !== true) comparison.note(list, inner, rule, "The KEY is missing");
      if (other === undefined && list === "fields") comparison.missing.add(inner.join("."));
    }
    for (const { name, type, defaultValue } of given) {
      if (wanted.some((part) => part.name === name)) continue;
      const message = "There is the KEY, which the description does not have";
      if (isInput && type?.kind === "NON_NULL" && defaultValue == null)
        comparison.note(list, [...path, name], rule, "The KEY is required, and the description does not have it");
      // The possible types of an interface are already compared by their `interfaces`.
      else if (furtherRule !== undefined && !(list === "possibleTypes" && described.kind === "INTERFACE"))
        comparison.note(list, [...path, name], furtherRule, message);
    }
  }
}

function comparePart(comparison: Comparison, list: ListName, part: Part, other: Part, path: readonly string[]): void {
  const { schema, note } = comparison;
  const rule = lists[list][1];
  const isInput = rule === graphqlRules.schemaArgument;
  const textOf = ({ kind = "", type }: Part): string => (list === "types" ? kind : typeText(type));
  const [text, otherText] = [textOf(part), textOf(other)];
  if (otherText !== text) {
    // Results of the served type must be valid for the described one, and inputs of the described type for the served one.
    const isCompatible = (list === "fields" && isStricter(otherText, text)) || (isInput && isStricter(text, otherText));
    const clause = list === "roots" ? `is not ${text}` : `is of another ${list === "types" ? "kind" : "type"}`;
    const broken = isCompatible ? graphqlRules.schemaStricter : rule;
    note(list, path, broken, `The KEY ${clause}`, `${otherText} instead of ${text}`);
  }
  if (!isInput && other.isDeprecated !== part.isDeprecated) {
    const clause = part.isDeprecated === true ? "is not deprecated, and should be" : "is deprecated, and should not be";
    note(list, path, graphqlRules.schemaDeprecation, `The KEY ${clause}`);
  }
  if (!isEqualJson(defaultOf(schema, part), defaultOf(schema, { ...other, type: part.type })))
    note(list, path, graphqlRules.schemaArgument, "The KEY has another default");
  // Parts of a type of another kind are not reported one by one.
  if (list !== "types" || otherText === text) compareLists(comparison, part, other, path);
}

/** Returns the definition at a path in the description, or its nearest enclosing one. */
function nodeAt(
  schema: GraphQLSchema,
  [first = "", second = "", third = ""]: readonly string[],
): ASTNode | null | undefined {
  const owner =
    schema.getType(first) ?? schema.getDirective(first.slice(1)) ?? schema.getRootType(first as OperationTypeNode);
  const hasFields = isObjectType(owner) || isInterfaceType(owner) || isInputObjectType(owner);
  const inner = hasFields ? owner.getFields()[second] : isEnumType(owner) ? owner.getValue(second) : undefined;
  const input = inner != null && "args" in inner ? inner.args.find(({ name }) => name === third) : undefined;
  return (input ?? inner ?? owner)?.astNode;
}

/** Formats a type as in documents: `[Thing!]!`. */
function typeText(type: TypeReference | undefined): string {
  if (type?.ofType == null) return type?.name ?? "";
  const text = typeText(type.ofType);
  return type.kind === "LIST" ? `[${text}]` : `${text}!`;
}

/** Returns the default of an input; null without a default, which is the same for clients. */
function defaultOf(schema: GraphQLSchema, { type, defaultValue }: Part): unknown {
  if (defaultValue == null) return null;
  const inputType = typeFromAST(schema, parseType(typeText(type)) as NamedTypeNode);
  return isInputType(inputType) ? (valueFromAST(parseValue(defaultValue), inputType) ?? null) : null;
}

/** Returns whether a type equals another one except for additional non-null modifiers. */
function isStricter(stricter: string, looser: string): boolean {
  const marks = (text: string): readonly string[] => text.replaceAll(/[^!\]]/g, "").split("]");
  const left = marks(stricter);
  const isSameName = stricter.replaceAll("!", "") === looser.replaceAll("!", "");
  return isSameName && marks(looser).every((mark, index) => mark === "" || left[index] === "!");
}
