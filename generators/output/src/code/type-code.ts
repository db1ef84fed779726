import { type Code, group, hardline, indent, join, line, lines, softline, trailingComma, whenBroken } from "./code.ts";
import { type DocComment, docComment } from "./doc-comment.ts";
import { propertyKey } from "./literals.ts";

/** A TypeScript type and what its surroundings have to know to write it. */
export interface TypeCode {
  readonly code: Code;
  readonly form: "keyword" | "reference" | "null" | "object" | "list" | "union" | "nullable" | "intersection";
}

/** A member of an interface or object type. All members are readonly. */
export interface PropertyCode {
  readonly name: string;
  readonly type: TypeCode;
  readonly optional?: boolean;
  readonly comment?: DocComment;
}

const keywords: ReadonlySet<string> = new Set(
  "any bigint boolean false never number object string symbol true undefined unknown void".split(" "),
);

/** A name, a keyword or a literal: what is never broken and never needs parentheses. */
export function namedType(name: string): TypeCode {
  if (name === "null") return { code: name, form: "null" };
  return { code: name, form: /^[\p{ID_Start}_$]/u.test(name) && !keywords.has(name) ? "reference" : "keyword" };
}

/** `readonly Element[]`. */
export function listType(element: TypeCode): TypeCode {
  return { code: ["readonly ", parenthesised(element, compoundForms), "[]"], form: "list" };
}

/** `readonly [First, Second, ...Rest[]]`; members from `required` on may be absent. */
export function tupleType(members: readonly TypeCode[], required: number, rest: TypeCode | undefined): TypeCode {
  const items = members.map((member, index): Code => {
    const isOptional = index >= required;
    return isOptional ? [parenthesised(member, compoundForms), "?"] : member.code;
  });
  const restItem = rest === undefined ? [] : [["...", parenthesised(rest, compoundForms), "[]"]];
  const content = indent(softline, ...join([",", line], [...items, ...restItem]), trailingComma);
  return { code: group("readonly [", content, softline, "]"), form: "list" };
}

/** An object type, one member on each line. `index` is the type of the members that are not named. */
export function objectType(properties: readonly PropertyCode[], index: TypeCode | undefined): TypeCode {
  const members = properties.map((property): Code => {
    const comment = property.comment === undefined ? [] : docComment(property.comment);
    return lines([...comment, propertyCode(property)]);
  });
  const indexMember = index === undefined ? [] : [["readonly [name: string]: ", index.code, ";"]];
  return { code: ["{", indent(hardline, lines([...indexMember, ...members])), hardline, "}"], form: "object" };
}

/** `readonly name?: Type;` */
export function propertyCode({ name, type, optional = false }: PropertyCode): Code {
  return ["readonly ", propertyKey(name), optional ? "?: " : ": ", type.code, ";"];
}

/** A union without repetitions; `never` when it has no members. */
export function unionType(members: readonly TypeCode[]): TypeCode {
  const [first, ...others] = members;
  if (first === undefined) return namedType("never");
  if (others.length === 0) return first;
  const items = members.map((member) => parenthesised(member, ["intersection"]));
  if (isNullable(members)) return { code: join(" | ", items), form: "nullable" };
  const broken = items.map((item) => indent(item));
  return { code: group(indent(whenBroken([hardline, "| "], ""), ...join([line, "| "], broken))), form: "union" };
}

/** The formatter keeps one object or name and its nulls together. */
function isNullable(members: readonly TypeCode[]): boolean {
  const present = members.filter((member) => member.form !== "null");
  return present.length === 1 && (present[0]?.form === "object" || present[0]?.form === "reference");
}

/** An intersection: the named types first, then the object types. */
export function intersectionType(members: readonly TypeCode[]): TypeCode {
  const [first, ...others] = members;
  if (first === undefined) return namedType("unknown");
  if (others.length === 0) return first;
  const names = members.filter((member) => member.form !== "object");
  const objects = members.filter((member) => member.form === "object");
  const named = names.map((member) => parenthesised(member, ["union", "nullable"]));
  const [firstName, ...otherNames] = named;
  const chain = firstName === undefined ? [] : [firstName, ...otherNames.map((name) => indent(" &", line, name))];
  const tail = objects.map(({ code }, index) => [
    named.length + index === 0 ? "" : " & ",
    indentLate(code, named.length + index),
  ]);
  return { code: group(...chain, ...tail), form: "intersection" };
}

/** The formatter indents an object that stands third or later. */
function indentLate(code: Code, position: number): Code {
  return position > 1 ? indent(code) : code;
}

const compoundForms: readonly TypeCode["form"][] = ["list", "union", "nullable", "intersection"];

function parenthesised(type: TypeCode, forms: readonly TypeCode["form"][]): Code {
  if (!forms.includes(type.form)) return type.code;
  return type.form === "union" ? group("(", type.code, softline, ")") : ["(", type.code, ")"];
}
