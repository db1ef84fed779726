import { type Code, group, hardline, indent, join, line, lines, softline, trailingComma, ifBroken } from "./code.ts";
import { type DocComment, docComment } from "./doc-comment.ts";
import { propertyKey } from "./literals.ts";

/** A TypeScript type with the facts that its surroundings need to write it. */
export interface TypeCode {
  readonly code: Code;
  readonly form: "keyword" | "reference" | "null" | "object" | "list" | "union" | "nullable" | "intersection";
  /** Members of a union or intersection, so that one nested in another of its kind becomes part of it. */
  readonly members?: readonly TypeCode[];
}

/** A member of an interface or object type. All members are readonly. */
export interface PropertyCode {
  readonly name: string;
  readonly type: TypeCode;
  readonly optional?: boolean;
  readonly comment?: DocComment;
  /** Operation that a member of an interface belongs to. */
  readonly operation?: string;
}

const keywords: ReadonlySet<string> = new Set(
  "any bigint boolean false never number object string symbol true undefined unknown void".split(" "),
);

/** Returns a name, a keyword or a literal as a type: it is never broken and never needs parentheses. */
export function namedType(name: string): TypeCode {
  if (name === "null") return { code: name, form: "null" };
  const isName = /^[A-Za-z_$]/.test(name) || /^\p{ID_Start}/u.test(name);
  return { code: name, form: isName && !keywords.has(name) ? "reference" : "keyword" };
}

/** Returns `readonly Element[]`. */
export function listType(element: TypeCode): TypeCode {
  return { code: ["readonly ", parenthesised(element, compoundForms), "[]"], form: "list" };
}

/** Returns `readonly [First, Second, ...Rest[]]`; members from `required` on may be absent. */
export function tupleType(members: readonly TypeCode[], required: number, rest: TypeCode | undefined): TypeCode {
  const count = members.length + (rest === undefined ? 0 : 1);
  const items = members.map((member, index): Code => {
    const isOptional = index >= required;
    if (isOptional) return [parenthesised(member, compoundForms), "?"];
    return member.form === "union" ? unionInTuple(member, count) : member.code;
  });
  const restItem = rest === undefined ? [] : [["...", parenthesised(rest, compoundForms), "[]"]];
  const content = indent(softline, ...join([",", line], [...items, ...restItem]), trailingComma);
  return { code: group("readonly [", content, softline, "]"), form: "list" };
}

/** Returns a union in a tuple; in one of several members, parentheses enclose it when it is broken. */
function unionInTuple({ members = [] }: TypeCode, count: number): Code {
  const items = members.map((member) => indent(parenthesised(member, ["intersection"])));
  const union = join([line, "| "], items);
  if (count === 1) return group(ifBroken("| ", ""), ...union);
  return group(indent(ifBroken(["(", softline, "| "], ""), ...union), softline, ifBroken(")", ""));
}

/** Returns an object type, one member on each line. `index` is the type of the members that are not named. */
export function objectType(properties: readonly PropertyCode[], index: TypeCode | undefined): TypeCode {
  const members = properties.map((property): Code => {
    const comment = property.comment === undefined ? [] : docComment(property.comment);
    return lines([...comment, propertyCode(property)]);
  });
  const indexMember = index === undefined ? [] : [["readonly [name: string]: ", index.code, ";"]];
  return { code: ["{", indent(hardline, lines([...indexMember, ...members])), hardline, "}"], form: "object" };
}

/** Returns `readonly name?: Type;`. */
export function propertyCode({ name, type, optional = false }: PropertyCode): Code {
  return ["readonly ", propertyKey(name), optional ? "?: " : ": ", type.code, ";"];
}

/** Returns a union without duplicates; `never` when it has no members. */
export function unionType(nested: readonly TypeCode[]): TypeCode {
  const members = nested.flatMap((member) =>
    member.form === "union" || member.form === "nullable" ? (member.members ?? [member]) : [member],
  );
  const [first, ...others] = members;
  if (first === undefined) return namedType("never");
  if (others.length === 0) return first;
  if (isNullable(members)) {
    const items = members.map((member) => parenthesised(member, ["intersection"]));
    return { code: join(" | ", items), form: "nullable", members };
  }
  return { code: group(unionLines(members)), form: "union", members };
}

/** Returns `Name<First, Second>`, one parameter on each line where they do not fit; a parameter that is a string is a name or a literal. */
export function genericType(name: string, typesOrNames: readonly (TypeCode | string)[]): TypeCode {
  const parameters = typesOrNames.map((each) => (typeof each === "string" ? namedType(each) : each));
  const [only] = parameters;
  if (only === undefined) return namedType(name);
  if (parameters.length === 1 && only.form === "object")
    // The formatter keeps an object's braces next to the angle brackets.
    return { code: [`${name}<`, only.code, ">"], form: "reference" };
  if (parameters.length === 1 && only.form === "union")
    return { code: group(`${name}<`, unionLines(only.members ?? []), softline, ">"), form: "reference" };
  const list = join([",", line], parameters.map(parameterCode));
  return { code: group(`${name}<`, indent(softline, list), softline, ">"), form: "reference" };
}

/** Returns a type as a parameter. The members of a union are on separate lines when the parameters are. */
function parameterCode({ code, form, members = [] }: TypeCode): Code {
  return form === "union" ? group(ifBroken("| ", ""), join([line, "| "], unionItems(members))) : code;
}

/** Returns the members of a union, each on a line of its own where the group around them is broken. */
function unionLines(members: readonly TypeCode[]): Code {
  return indent(ifBroken([hardline, "| "], ""), join([line, "| "], unionItems(members)));
}

function unionItems(members: readonly TypeCode[]): readonly Code[] {
  return members.map((member) => indent(parenthesised(member, ["intersection"])));
}

/** Returns whether a union is one object or name with its nulls: the formatter keeps these together. */
function isNullable(members: readonly TypeCode[]): boolean {
  const present = members.filter((member) => member.form !== "null");
  return present.length === 1 && (present[0]?.form === "object" || present[0]?.form === "reference");
}

/** Returns an intersection: the named types first, then the object types. */
export function intersectionType(nested: readonly TypeCode[]): TypeCode {
  const members = nested.flatMap((member) =>
    member.form === "intersection" ? (member.members ?? [member]) : [member],
  );
  const [first, ...others] = members;
  if (first === undefined) return namedType("unknown");
  if (others.length === 0) return first;
  const names = members.filter((member) => member.form !== "object");
  const objects = members.filter((member) => member.form === "object");
  const named = names.map((member) => parenthesised(member, ["union", "nullable"]));
  const [firstName, ...otherNames] = named;
  const chain = firstName === undefined ? [] : [firstName, ...otherNames.map((name) => indent(" &", line, name))];
  const tail = objects.map(({ code }, index): Code => {
    const separator = named.length + index === 0 ? "" : " & ";
    // The formatter indents objects that follow two names.
    return [separator, named.length > 1 ? indent(code) : code];
  });
  return { code: group(...chain, ...tail), form: "intersection", members };
}

const compoundForms: readonly TypeCode["form"][] = ["list", "union", "nullable", "intersection"];

function parenthesised(type: TypeCode, forms: readonly TypeCode["form"][]): Code {
  if (!forms.includes(type.form)) return type.code;
  return type.form === "union" ? group("(", unionLines(type.members ?? []), softline, ")") : ["(", type.code, ")"];
}
