import {
  type ASTNode,
  type GraphQLSchema,
  introspectionFromSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parseValue,
  print,
  specifiedDirectives,
  specifiedScalarTypes,
} from "graphql";
import type { Finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { withPlace } from "../../suite/with-place.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { placeOf } from "./place-of.ts";
import { type FactKind, readSchemaFacts, type SchemaFact, type SchemaFacts } from "./schema-facts.ts";
import { writeLiteral } from "./selection.ts";

/** Types and fields that servers add for gateways (Apollo Federation). */
const tolerated: ReadonlySet<string> = new Set([
  ...["_Service", "_Entity", "_Any", "_FieldSet", "FieldSet", "_service", "_entities"],
  ...["link__Import", "link__Purpose", "federation__FieldSet", "federation__Scope"],
]);
/** Scalars that nothing uses need not be there. */
const builtIn: ReadonlySet<string> = new Set(specifiedScalarTypes.map(({ name }) => name));
const specified: ReadonlySet<string> = new Set(specifiedDirectives.map(({ name }) => name));

/** Where documents, and not schemas, have directives. */
const executableLocations: readonly string[] = [
  ...["QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"],
  "VARIABLE_DEFINITION",
];

/** Findings that are reported of one schema. */
const mostFindings = 40;

const missingRules: Readonly<Record<FactKind, Rule>> = {
  root: graphqlRules.schemaType,
  type: graphqlRules.schemaType,
  field: graphqlRules.schemaField,
  input: graphqlRules.schemaArgument,
  value: graphqlRules.schemaValue,
  member: graphqlRules.schemaValue,
  interface: graphqlRules.schemaValue,
  directive: graphqlRules.schemaDirective,
  location: graphqlRules.schemaDirective,
};

/** What a served schema lacks, has otherwise, and has beyond the description. */
export function schemaFindings(schema: GraphQLSchema, served: SchemaFacts): readonly Finding[] {
  const described = readSchemaFacts({ ...introspectionFromSchema(schema) }) ?? new Map();
  const findings: Finding[] = [];
  const note = (rule: Rule, message: string, fact: SchemaFact, detail?: string): void => {
    const place = placeOf(nodeOf(schema, fact));
    findings.push({ rule, message, ...(detail === undefined ? {} : { detail }), ...withPlace(place) });
  };
  for (const [key, fact] of described) {
    if (isLeftOut(fact, described) || !isOwnerSame(fact, described, served)) continue;
    const other = served.get(key);
    if (other === undefined) noteMissing(key, fact, described, note);
    else compareFact(key, fact, other, note);
  }
  for (const [key, fact] of served) {
    if (described.has(key) || isLeftOut(fact, described) || !isOwnerSame(fact, described, served)) continue;
    noteFurther(key, fact, described, note);
  }
  return findings.slice(0, mostFindings);
}

type Note = (rule: Rule, message: string, fact: SchemaFact, detail?: string) => void;

/** Parts that a schema may have or lack. Parts of the directives that the specification has, and those for schemas alone, are not compared. */
function isLeftOut({ kind, path, owner }: SchemaFact, described: SchemaFacts): boolean {
  if (path.some((name) => tolerated.has(name))) return true;
  const [name] = path;
  const isOfDirective = owner?.startsWith("directive ") === true;
  const directive = name.replace("@", "");
  return isOfDirective && kind !== "directive" && (specified.has(directive) || !isForOperations(directive, described));
}

function isForOperations(directive: string, facts: SchemaFacts): boolean {
  return executableLocations.some((location) => facts.has(`location ${location} of @${directive}`));
}

/** Parts of what is missing, or is something else, are not reported one by one. */
function isOwnerSame({ owner }: SchemaFact, described: SchemaFacts, served: SchemaFacts): boolean {
  if (owner === undefined) return true;
  const [one, other] = [described.get(owner), served.get(owner)];
  return one !== undefined && other !== undefined && (one.kind !== "type" || one.text === other.text);
}

function noteMissing(key: string, fact: SchemaFact, described: SchemaFacts, note: Note): void {
  const { kind, path } = fact;
  if (kind === "type" && builtIn.has(path[0])) return;
  if (kind === "directive" && !isForOperations(path[0], described)) {
    // Servers made from code do not know what schemas are written with.
    if (!specified.has(path[0])) note(graphqlRules.schemaMore, `The ${key} is not shown`, fact);
    return;
  }
  note(missingRules[kind], `The ${key} is missing`, fact);
}

function compareFact(key: string, fact: SchemaFact, other: SchemaFact, note: Note): void {
  const { kind, text } = fact;
  if (other.text !== text && kind !== "member") {
    // Results of the served type are results of the described one, and inputs of the described type are inputs of the served one.
    const isCompatible =
      (kind === "field" && isStricter(other.text, text)) || (kind === "input" && isStricter(text, other.text));
    const rule = isCompatible ? graphqlRules.schemaStricter : missingRules[kind];
    const message =
      kind === "root" ? `The ${key} is not ${text}` : `The ${key} is of another ${kind === "type" ? "kind" : "type"}`;
    note(rule, message, fact, `${other.text} instead of ${text}`);
  }
  if (other.isDeprecated !== fact.isDeprecated) {
    const clause =
      other.isDeprecated === true ? "is deprecated, and should not be" : "is not deprecated, and should be";
    note(graphqlRules.schemaDeprecation, `The ${key} ${clause}`, fact);
  }
  // A default of null is none for clients.
  const [wanted, actual] = [plainLiteral(fact.default ?? "null"), plainLiteral(other.default ?? "null")];
  if (wanted !== actual)
    note(graphqlRules.schemaArgument, `The ${key} has another default`, fact, `${actual} instead of ${wanted}`);
}

function noteFurther(key: string, fact: SchemaFact, described: SchemaFacts, note: Note): void {
  const { kind, path, text } = fact;
  const isUnionMember = kind === "member" && text === "UNION";
  const isRequired = kind === "input" && text.endsWith("!") && fact.default === undefined;
  const message = `There is the ${key}, which the description does not have`;
  if (isRequired)
    note(graphqlRules.schemaArgument, `The ${key} is required, and the description does not have it`, fact);
  else if (kind === "value" || isUnionMember) note(graphqlRules.schemaMoreValues, message, fact);
  else if (kind === "root" || kind === "field" || kind === "input") note(graphqlRules.schemaMore, message, fact);
  else if (kind === "type" && !builtIn.has(path[0]) && !described.has(key))
    note(graphqlRules.schemaMore, message, fact);
}

/** The definition of a part, or of what it belongs to. */
function nodeOf(schema: GraphQLSchema, { path }: SchemaFact): ASTNode | null | undefined {
  const [name, member = "", inner = ""] = path;
  const directive = name.startsWith("@") ? schema.getDirective(name.slice(1)) : undefined;
  const type = schema.getType(name);
  const owner = directive ?? type ?? schema.getDirective(name);
  const hasFields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type);
  const part = hasFields ? type.getFields()[member] : isEnumType(type) ? type.getValue(member) : undefined;
  const args = directive?.args ?? (part !== null && part !== undefined && "args" in part ? part.args : []);
  const input = args.find((one) => one.name === (directive === undefined ? inner : member));
  return (input ?? part ?? owner)?.astNode;
}

/** Whether a type is another one that says more often that something is not null. */
function isStricter(stricter: string, looser: string): boolean {
  const marks = (text: string): readonly string[] => text.replaceAll(/[^!\]]/g, "").split("]");
  const left = marks(stricter);
  const isSameName = stricter.replaceAll("!", "") === looser.replaceAll("!", "");
  return isSameName && marks(looser).every((mark, index) => mark === "" || left[index] === "!");
}

/** A literal in one spelling: numbers of one value, members in one order. */
function plainLiteral(text: string): string {
  try {
    return plainNode(parseValue(text));
  } catch {
    return text;
  }
}

function plainNode(node: ReturnType<typeof parseValue>): string {
  switch (node.kind) {
    case "ListValue":
      return `[${node.values.map(plainNode).join(", ")}]`;
    case "ObjectValue":
      return `{${node.fields
        .map(({ name, value }) => `${name.value}: ${plainNode(value)}`)
        .toSorted()
        .join(", ")}}`;
    case "IntValue":
    case "FloatValue":
      return String(Number(node.value));
    case "StringValue":
      return writeLiteral(undefined, node.value);
    default:
      return print(node);
  }
}
