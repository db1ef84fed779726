import type { TypeElementTypes, TypeNode } from "ts-morph";
import { renderCode } from "../code/code.ts";
import { stringLiteral } from "../code/literals.ts";
import { listType, namedType, objectType, type PropertyCode, type TypeCode, unionType } from "../code/type-code.ts";
import { loadTsMorph, openProject, type TsMorph } from "./ts-morph-project.ts";

/**
 * Parses type aliases that another generator wrote, so that they are printed like our own. `rename` maps the names in them. A generic type
 * with one argument that is not a list is replaced by its argument.
 *
 * Throws for a type of another form than names, literals, objects, lists and unions.
 */
export function readTypeAliases(text: string, rename: (name: string) => string): ReadonlyMap<string, TypeCode> {
  const reader = new TypeAliasReader(loadTsMorph(), rename);
  const file = openProject().createSourceFile("read.ts", text, { overwrite: true });
  const aliases = new Map(
    file.getTypeAliases().map((alias) => [alias.getName(), reader.type(alias.getTypeNodeOrThrow())]),
  );
  file.forget();
  return aliases;
}

class TypeAliasReader {
  readonly #tsMorph: TsMorph;
  readonly #rename: (name: string) => string;

  constructor(tsMorph: TsMorph, rename: (name: string) => string) {
    this.#tsMorph = tsMorph;
    this.#rename = rename;
  }

  type(node: TypeNode): TypeCode {
    const { Node } = this.#tsMorph;
    if (Node.isParenthesizedTypeNode(node)) return this.type(node.getTypeNode());
    if (Node.isUnionTypeNode(node)) return unionType(distinct(node.getTypeNodes().map((member) => this.type(member))));
    if (Node.isArrayTypeNode(node)) return listType(this.type(node.getElementTypeNode()));
    if (Node.isTypeLiteral(node)) return this.#object(node.getMembers());
    if (Node.isLiteralTypeNode(node)) return literalType(node.getLiteral().getText());
    if (Node.isTypeReference(node)) {
      const name = node.getTypeName().getText();
      const [argument] = node.getTypeArguments();
      if (argument === undefined) return namedType(this.#rename(name));
      return name === "ReadonlyArray" || name === "Array" ? listType(this.type(argument)) : this.type(argument);
    }
    const text = node.getText();
    if (/^[a-z]+$/.test(text)) return namedType(text);
    throw new Error(`A type of an unknown form: ${text}`);
  }

  #object(members: readonly TypeElementTypes[]): TypeCode {
    const { Node } = this.#tsMorph;
    const properties = members.flatMap((member): PropertyCode[] => {
      if (!Node.isPropertySignature(member)) return [];
      const type = this.type(member.getTypeNodeOrThrow());
      return [{ name: member.getName(), type, optional: member.hasQuestionToken() }];
    });
    const index = members.find((member) => Node.isIndexSignatureDeclaration(member));
    return objectType(properties, index && this.type(index.getReturnTypeNodeOrThrow()));
  }
}

function distinct(types: readonly TypeCode[]): readonly TypeCode[] {
  const byText = new Map(types.map((type) => [renderCode(type.code), type]));
  return [...byText.values()];
}

function literalType(text: string): TypeCode {
  return namedType(/^['"]/.test(text) ? stringLiteral(text.slice(1, -1)) : text);
}
