import {
  type Code,
  type DocComment,
  docComment,
  group,
  indent,
  join,
  line,
  namedType,
  type PropertyCode,
  renderCode,
  type SourceDeclaration,
  softline,
  type TypeCode,
  trailingComma,
} from "@nodewright/output";

/** Returns `Name<First, Second>`, one argument on each line where they do not fit. */
export function genericType(name: string, parameters: readonly Code[]): TypeCode {
  if (parameters.length === 0) return namedType(name);
  const list = indent(softline, join([",", line], parameters));
  return { code: group(`${name}<`, list, softline, ">"), form: "reference" };
}

/** Returns an interface; the type of an object without members if it would be empty. */
export function recordDeclaration(
  name: string,
  comment: DocComment,
  properties: readonly PropertyCode[],
): SourceDeclaration {
  if (properties.length > 0) return { kind: "interface", name, comment, properties };
  return { kind: "type", name, comment, type: namedType("Readonly<Record<never, never>>") };
}

/** A type alias with parameters. */
export interface GenericAlias {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly comment: DocComment;
  readonly type: TypeCode;
}

/** Returns `export type Name<Parameters> = Type`, laid out here because the parameters may have to be broken. */
export function genericAliases(aliases: readonly GenericAlias[]): SourceDeclaration {
  return { kind: "text", text: aliases.map(aliasText).join("\n\n") };
}

function aliasText({ name, parameters, comment, type }: GenericAlias): string {
  const list = indent(softline, join([",", line], parameters), trailingComma);
  const declaration = renderCode([`export type ${name}`, group("<", list, softline, ">"), " = ", type.code, ";"]);
  return [...docComment(comment), declaration].join("\n");
}
