import { isEqualJson, isRecord } from "@nodewright/api-model";
import {
  type ASTNode,
  type GraphQLArgument,
  type GraphQLDirective,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isRequiredArgument,
  isSpecifiedDirective,
  isUnionType,
  OperationTypeNode,
  specifiedScalarTypes,
} from "graphql";
import type { Finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { findingAt } from "./place-of.ts";

/** Types and fields that servers add for gateways (Apollo Federation). */
const tolerated =
  /\b(?:_Service|_Entity|_Any|_?FieldSet|_service|_entities|link__Import|link__Purpose|federation__FieldSet|federation__Scope)\b/;
/** Scalars that nothing uses need not be there. */
const builtIn: ReadonlySet<string> = new Set(specifiedScalarTypes.map(({ name }) => `type ${name}`));

/** Directives of documents; those of schemas are not looked at: servers made from code do not know what schemas are written with. */
const executableLocation = /^(?:QUERY|MUTATION|SUBSCRIPTION|FIELD|FRAGMENT_\w+|INLINE_FRAGMENT|VARIABLE_DEFINITION)$/;

/** Findings that are reported of one schema. */
const mostFindings = 40;

/** What parts of each kind break that are missing, or are something else. */
const missingRules = {
  root: graphqlRules.schemaType,
  type: graphqlRules.schemaType,
  field: graphqlRules.schemaField,
  input: graphqlRules.schemaArgument,
  value: graphqlRules.schemaValue,
  member: graphqlRules.schemaValue,
  interface: graphqlRules.schemaValue,
  directive: graphqlRules.schemaDirective,
  location: graphqlRules.schemaDirective,
} as const;

/** A part of a schema. */
interface Part {
  readonly kind: keyof typeof missingRules;
  /** As messages call it: `field Thing.size`. */
  readonly key: string;
  /** A type as it is written, `[Thing!]!`; of a type its kind. */
  readonly text?: string;
  readonly default?: unknown;
  readonly isRequired?: boolean;
  readonly isDeprecated?: boolean;
  readonly node?: ASTNode | null | undefined;
  readonly parts?: readonly Part[];
}

/** What a served schema lacks, has otherwise, and has beyond the description. `introspected`: the response that it was read from. */
export function schemaFindings(
  schema: GraphQLSchema,
  served: GraphQLSchema,
  introspected: unknown,
): readonly Finding[] {
  const findings: Finding[] = [];
  const note: Note = (rule, message, part, detail) => {
    if (tolerated.test(part.key)) return;
    findings.push(findingAt(part.node, rule, message, detail));
  };
  compareParts(partsOf(schema), partsOf(served), note);
  noteSilentInterfaces(schema, introspected, note);
  return findings.slice(0, mostFindings);
}

type Note = (rule: Rule, message: string, part: Part, detail?: string) => void;

function compareParts(described: readonly Part[], served: readonly Part[], note: Note): void {
  const [wanted, given] = [described, served].map((parts) => new Map(parts.map((part) => [part.key, part])));
  for (const part of described) {
    const other = given?.get(part.key);
    if (other !== undefined) comparePart(part, other, note);
    else if (!builtIn.has(part.key)) note(missingRules[part.kind], `The ${part.key} is missing`, part);
  }
  for (const part of served) if (wanted?.has(part.key) !== true) noteFurther(part, note);
}

function comparePart(part: Part, other: Part, note: Note): void {
  const { kind, key, text = "", isDeprecated } = part;
  const { text: otherText = "" } = other;
  if (otherText !== text) {
    // Results of the served type are results of the described one, and inputs of the described type are inputs of the served one.
    const isCompatible =
      (kind === "field" && isStricter(otherText, text)) || (kind === "input" && isStricter(text, otherText));
    const rule = isCompatible ? graphqlRules.schemaStricter : missingRules[kind];
    const message =
      kind === "root" ? `The ${key} is not ${text}` : `The ${key} is of another ${kind === "type" ? "kind" : "type"}`;
    note(rule, message, part, `${otherText} instead of ${text}`);
  }
  if (other.isDeprecated !== isDeprecated) {
    const clause = isDeprecated === true ? "is not deprecated, and should be" : "is deprecated, and should not be";
    note(graphqlRules.schemaDeprecation, `The ${key} ${clause}`, part);
  }
  // A default of null is none for clients.
  if (!isEqualJson(part.default ?? null, other.default ?? null))
    note(graphqlRules.schemaArgument, `The ${key} has another default`, part);
  // Parts of what is something else are not reported one by one.
  if (kind !== "type" || otherText === text) compareParts(part.parts ?? [], other.parts ?? [], note);
}

function noteFurther(part: Part, note: Note): void {
  const { kind, key, isRequired } = part;
  const message = `There is the ${key}, which the description does not have`;
  if (isRequired === true)
    note(graphqlRules.schemaArgument, `The ${key} is required, and the description does not have it`, part);
  else if (kind === "value" || kind === "member") note(graphqlRules.schemaMoreValues, message, part);
  else if (["root", "field", "input", "type"].includes(kind) && !builtIn.has(key))
    note(graphqlRules.schemaMore, message, part);
}

function partsOf(schema: GraphQLSchema): readonly Part[] {
  const roots = Object.values(OperationTypeNode).flatMap((root): readonly Part[] => {
    const type = schema.getRootType(root);
    return type == null ? [] : [{ kind: "root", key: `${root} type`, text: type.name, node: type.astNode }];
  });
  const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
  const directives = schema
    .getDirectives()
    .filter(({ locations }) => locations.some((one) => executableLocation.test(one)));
  return [...roots, ...types.map(typePart), ...directives.map(directivePart)];
}

function typePart(type: GraphQLNamedType): Part {
  const { name, astNode: node } = type;
  const parts: Part[] = [];
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields()))
      parts.push({
        kind: "field",
        key: `field ${name}.${field.name}`,
        text: String(field.type),
        isDeprecated: field.deprecationReason != null,
        node: field.astNode,
        parts: field.args.map((one) => inputPart(`${name}.${field.name}`, one)),
      });
    for (const one of type.getInterfaces())
      parts.push({ kind: "interface", key: `interface ${one.name} of ${name}`, node });
  }
  if (isUnionType(type))
    for (const one of type.getTypes()) parts.push({ kind: "member", key: `member ${one.name} of ${name}`, node });
  if (isInputObjectType(type)) parts.push(...Object.values(type.getFields()).map((one) => inputPart(name, one)));
  if (isEnumType(type))
    for (const value of type.getValues()) {
      const isDeprecated = value.deprecationReason != null;
      parts.push({ kind: "value", key: `value ${name}.${value.name}`, isDeprecated, node: value.astNode });
    }
  return {
    kind: "type",
    key: `type ${name}`,
    text: type[Symbol.toStringTag].replace(/^GraphQL|Type$/g, ""),
    node,
    parts,
  };
}

function inputPart(owner: string, input: GraphQLArgument | GraphQLInputField): Part {
  const { name, type, defaultValue, astNode: node } = input;
  const isRequired = isRequiredArgument(input as GraphQLArgument);
  return { kind: "input", key: `input ${owner}(${name})`, text: String(type), default: defaultValue, isRequired, node };
}

/** Parts of those that the specification has are not compared. */
function directivePart(directive: GraphQLDirective): Part {
  const { name, locations, args, astNode: node } = directive;
  const places = locations.map(
    (location): Part => ({ kind: "location", key: `location ${location} of @${name}`, node }),
  );
  const parts = [...places, ...args.map((one) => inputPart(`@${name}`, one))];
  return { kind: "directive", key: `directive @${name}`, node, parts: isSpecifiedDirective(directive) ? [] : parts };
}

/** Interfaces of which introspection does not say which types they may be: clients have it from there alone. */
function noteSilentInterfaces(schema: GraphQLSchema, introspected: unknown, note: Note): void {
  const root = isRecord(introspected) ? introspected["__schema"] : undefined;
  const types = isRecord(root) && Array.isArray(root["types"]) ? root["types"].filter(isRecord) : [];
  for (const { name, possibleTypes } of types) {
    const type = schema.getType(String(name));
    if (!isInterfaceType(type)) continue;
    const named = new Set(
      (Array.isArray(possibleTypes) ? possibleTypes : []).filter(isRecord).map((one) => one["name"]),
    );
    for (const { name: possible } of schema.getPossibleTypes(type)) {
      const part = { kind: "member", key: `member ${possible} of ${type.name}`, node: type.astNode } as const;
      if (!named.has(possible)) note(graphqlRules.schemaValue, `The ${part.key} is missing`, part);
    }
  }
}

/** Whether a type is another one that says more often that something is not null. */
function isStricter(stricter: string, looser: string): boolean {
  const marks = (text: string): readonly string[] => text.replaceAll(/[^!\]]/g, "").split("]");
  const left = marks(stricter);
  const isSameName = stricter.replaceAll("!", "") === looser.replaceAll("!", "");
  return isSameName && marks(looser).every((mark, index) => mark === "" || left[index] === "!");
}
