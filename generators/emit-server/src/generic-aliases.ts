import {
  type DocComment,
  docComment,
  group,
  indent,
  join,
  line,
  renderCode,
  type SourceDeclaration,
  softline,
  type TypeCode,
  trailingComma,
} from "@nodewright/output";

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
