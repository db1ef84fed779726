import {
  additionalOf,
  assertNever,
  call,
  type Code,
  type EnumerationNode,
  group,
  hardline,
  indent,
  jsonLiteral,
  lines,
  listLiteral,
  type ListNode,
  numberLiteral,
  type NumberNode,
  objectKey,
  type RecordMember,
  type RecordNode,
  referencesOfType,
  stringLiteral,
  type StringNode,
  type TypeNode,
  type UnevaluatedNode,
  type UnionNode,
} from "nodewright/emitter";
import type { ZodHelper } from "./zod-helpers.ts";

/** What an expression may refer to where it stands. */
export interface SchemaScope {
  /** Name of the schema of a declaration. */
  nameOf(declaration: string): string;
  /** Type of a declaration whose schema stands above and is known to be what it is; undefined for any other. */
  knownType(declaration: string): TypeNode | undefined;
  /** Whether the schema of a declaration stands above: any other is reached when it is asked for, not before. */
  isAbove(declaration: string): boolean;
  /** Name of a helper, which the file then holds. */
  helper(name: ZodHelper): string;
  /** Tells what zod has no words for. */
  unsupported(type: TypeNode, keyword: string): void;
}

/** The zod schema of a type, as an expression. It accepts the wire values that the type allows. */
export function zodSchema(type: TypeNode, scope: SchemaScope): Code {
  switch (type.kind) {
    case "any":
      return scope.helper("anyValue");
    case "never":
      return "z.never()";
    case "null":
      return "z.null()";
    case "boolean":
      return "z.boolean()";
    case "string":
      return withOtherKinds(type, "string", stringSchema(type, scope), scope);
    case "bytes":
      return "z.instanceof(Uint8Array)";
    case "number":
      return withOtherKinds(type, "number", numberSchema(type), scope);
    case "enumeration":
      return enumerationSchema(type, scope);
    case "list":
      return withOtherKinds(type, "list", listSchema(type, scope), scope);
    case "record":
      return withOtherKinds(type, "record", recordSchema(type, scope), scope);
    case "union":
      return unionSchema(type, scope);
    case "intersection":
      return intersectionSchema(type.members, scope);
    case "not":
      return custom(["value !== undefined && !", match(type.type, "value", scope)]);
    case "conditional": {
      const outcomes = [match(type.consequence, "value", scope), " : ", match(type.alternative, "value", scope)];
      return custom([match(type.condition, "value", scope), " ? ", ...outcomes]);
    }
    case "unevaluated":
      return unevaluatedSchema(type, scope);
    case "reference":
      return scope.isAbove(type.target) ? scope.nameOf(type.target) : `z.lazy(() => ${scope.nameOf(type.target)})`;
    default:
      return assertNever(type);
  }
}

/** Whether the members of a type, or what they lead to, stand below: such a field is written as a getter. */
export function leadsBelow(type: TypeNode, scope: SchemaScope): boolean {
  return [...referencesOfType(type)].some((target) => !scope.isAbove(target));
}

/** zod asks for the kind first; a document that names no kind lets the others pass. */
function withOtherKinds(
  { isKindImplied }: { readonly isKindImplied?: boolean },
  kind: "string" | "number" | "list" | "record",
  schema: Code,
  scope: SchemaScope,
): Code {
  if (isKindImplied !== true) return schema;
  return call("z.union", [listLiteral([schema, `${scope.helper("otherThan")}(${stringLiteral(kind)})`])]);
}

/** Formats that zod checks, for documents whose configuration asks that they be checked. */
const formatSchemas: ReadonlyMap<string, string> = new Map([
  ["date-time", "z.iso.datetime({ offset: true })"],
  ["date", "z.iso.date()"],
  ["duration", "z.iso.duration()"],
  ["email", "z.email()"],
  ["uuid", "z.uuid()"],
  ["ipv4", "z.ipv4()"],
  ["ipv6", "z.ipv6()"],
  ["uri", "z.url()"],
  ["hostname", "z.hostname()"],
  ["byte", "z.base64()"],
  ["base64url", "z.base64url()"],
]);

function stringSchema(type: StringNode, scope: SchemaScope): Code {
  const { format, assertsFormat, pattern, minLength, maxLength } = type;
  const known = assertsFormat === true && format !== undefined ? formatSchemas.get(format) : undefined;
  if (assertsFormat === true && known === undefined) scope.unsupported(type, `format: ${format}`);
  const checks: string[] = [];
  if (pattern !== undefined) checks.push(`.regex(${patternLiteral(pattern)})`);
  if (minLength !== undefined || maxLength !== undefined) {
    const bounds = [numberLiteral(minLength ?? 0), ...(maxLength === undefined ? [] : [numberLiteral(maxLength)])];
    checks.push(`.refine((text) => ${scope.helper("hasLength")}(text, ${bounds.join(", ")}))`);
  }
  return [known ?? "z.string()", ...checks];
}

function patternLiteral(pattern: string): string {
  return `new RegExp(${stringLiteral(pattern)}, "u")`;
}

function numberSchema({ integer, representation, multipleOf, ...bounds }: NumberNode): Code {
  const names = [
    ["minimum", "gte"],
    ["maximum", "lte"],
    ["exclusiveMinimum", "gt"],
    ["exclusiveMaximum", "lt"],
  ] as const;
  const checks = (isBig: boolean): string =>
    names
      .flatMap(([bound, method]) => {
        const value = bounds[bound];
        if (value === undefined || (isBig && !Number.isInteger(Number(value)))) return [];
        return [`.${method}(${numberLiteral(isBig ? BigInt(value) : Number(value))})`];
      })
      .join("");
  const divisor = multipleOf === undefined ? "" : `.multipleOf(${numberLiteral(multipleOf)})`;
  const whole = integer ? ".refine(Number.isInteger)" : "";
  const plain = `z.number()${checks(false)}${divisor}${whole}`;
  return representation === "bigint" ? call("z.union", [listLiteral([plain, `z.bigint()${checks(true)}`])]) : plain;
}

function enumerationSchema({ values }: EnumerationNode, scope: SchemaScope): Code {
  if (values.every((value) => typeof value !== "object" || value === null))
    return call("z.literal", [
      values.length === 1 ? jsonLiteral(values[0] ?? null) : listLiteral(values.map(jsonLiteral)),
    ]);
  return custom([scope.helper("isOneOf"), "(value, ", listLiteral(values.map(jsonLiteral)), ")"]);
}

function listSchema(type: ListNode, scope: SchemaScope): Code {
  const { prefix = [], element, minItems, maxItems, uniqueItems, contains } = type;
  const checks: Code[] = [];
  if (minItems !== undefined) checks.push(refine("list", `list.length >= ${minItems}`));
  if (maxItems !== undefined) checks.push(refine("list", `list.length <= ${maxItems}`));
  if (uniqueItems === true) checks.push(`.refine(${scope.helper("areUnique")})`);
  if (contains !== undefined) {
    const count: Code = ["list.filter((one) => ", match(contains.type, "one", scope), ").length"];
    checks.push(refine("list", [count, ` >= ${contains.minimum}`]));
    if (contains.maximum !== undefined) checks.push(refine("list", [count, ` <= ${contains.maximum}`]));
  }
  if (prefix.length === 0) return [call("z.array", [zodSchema(element, scope)]), ...checks];
  // JSON Schema lets a list end before its prefix does.
  const first = listLiteral(prefix.map((one) => call("z.optional", [zodSchema(one, scope)])));
  return [call("z.tuple", element.kind === "never" ? [first] : [first, zodSchema(element, scope)]), ...checks];
}

function recordSchema(type: RecordNode, scope: SchemaScope): Code {
  const { members: fields, patterns = [], minProperties, maxProperties, names, dependencies = [] } = type;
  const checks: Code[] = [];
  if (patterns.length > 0) {
    const table = patterns.map((pattern) => [
      `[${patternLiteral(pattern.pattern)}, `,
      zodSchema(pattern.type, scope),
      "]",
    ]);
    const known = listLiteral(fields.map(({ name }) => stringLiteral(name)));
    const facts = ["value", known, listLiteral(table), zodSchema(additionalOf(type), scope)];
    checks.push(refine("value", call(scope.helper("membersMatch"), facts)));
  }
  if (minProperties !== undefined) checks.push(refine("value", `Object.keys(value).length >= ${minProperties}`));
  if (maxProperties !== undefined) checks.push(refine("value", `Object.keys(value).length <= ${maxProperties}`));
  if (names !== undefined)
    checks.push(refine("value", ["Object.keys(value).every((name) => ", match(names, "name", scope), ")"]));
  for (const { property, type: dependent } of dependencies) {
    const isAbsent = `!Object.hasOwn(value, ${stringLiteral(property)})`;
    checks.push(refine("value", [isAbsent, " || ", match(dependent, "value", scope)]));
  }
  return [objectSchema(type, scope), ...checks];
}

function objectSchema(type: RecordNode, scope: SchemaScope): Code {
  const { members: fields, patterns = [] } = type;
  const additional = additionalOf(type);
  const members = fields.map((field) => fieldMember(field, scope));
  const shape: Code = members.length === 0 ? "{}" : group("{", indent(hardline, lines(members)), hardline, "}");
  if (patterns.length > 0 || additional.kind === "any") return ["z.looseObject(", shape, ")"];
  if (additional.kind === "never") return ["z.strictObject(", shape, ")"];
  if (members.length === 0) return call("z.record", ["z.string()", zodSchema(additional, scope)]);
  return ["z.object(", shape, ").catchall(", zodSchema(additional, scope), ")"];
}

function fieldMember({ name, type, required }: RecordMember, scope: SchemaScope): Code {
  if (!leadsBelow(type, scope)) {
    const schema = zodSchema(type, scope);
    return [objectKey(name), ": ", required ? schema : call("z.exactOptional", [schema]), ","];
  }
  // zod asks for the schemas of getters when it parses, so everything may be named in them.
  const schema = zodSchema(type, { ...scope, isAbove: () => true });
  const returned = required ? schema : call("z.exactOptional", [schema]);
  return [`get ${objectKey(name)}() {`, indent(hardline, "return ", returned, ";"), hardline, "},"];
}

function unionSchema(type: UnionNode, scope: SchemaScope): Code {
  const members = listLiteral(type.members.map((member) => zodSchema(member, scope)));
  const property = type.discriminator?.property;
  if (property !== undefined && isReported(type, property, scope))
    return call("z.discriminatedUnion", [stringLiteral(property), members]);
  return call(type.mode === "one-of" && type.members.length > 1 ? "z.xor" : "z.union", [members]);
}

/** Whether one property tells the members apart: each is a plain record that requires it, with texts that no other has. */
function isReported({ members }: UnionNode, property: string, scope: SchemaScope): boolean {
  const taken = new Set<unknown>();
  for (const member of members) {
    const record = member.kind === "reference" ? scope.knownType(member.target) : member;
    if (record?.kind !== "record" || record.isKindImplied === true) return false;
    const field = record.members.find(({ name }) => name === property);
    if (field?.required !== true || field.type.kind !== "enumeration") return false;
    for (const value of field.type.values) {
      if (typeof value !== "string" || taken.has(value)) return false;
      taken.add(value);
    }
  }
  return members.length > 0;
}

function intersectionSchema(members: readonly TypeNode[], scope: SchemaScope): Code {
  const [first, ...others] = members.map((member) => zodSchema(member, scope));
  return others.reduce<Code>((left, right) => call("z.intersection", [left, right]), first ?? scope.helper("anyValue"));
}

function unevaluatedSchema(type: UnevaluatedNode, scope: SchemaScope): Code {
  scope.unsupported(type, type.members === undefined ? "unevaluatedItems" : "unevaluatedProperties");
  return zodSchema(type.base, scope);
}

function custom(condition: Code): Code {
  return ["z.custom<unknown>((value) => ", condition, ")"];
}

function refine(parameter: string, condition: Code): Code {
  return [`.refine((${parameter}) => `, condition, ")"];
}

/** Whether `value` matches a type, as an expression: it is asked when a value is parsed, so everything may be named in it. */
function match(type: TypeNode, value: string, scope: SchemaScope): Code {
  return call(scope.helper("matches"), [zodSchema(type, { ...scope, isAbove: () => true }), value]);
}
