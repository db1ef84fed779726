import type { Expression, Node, SourceFile } from "ts-morph";
import { loadTsMorph, openProject, type TsMorph } from "./ts-morph-project.ts";

/** A range of a text: 0-based offsets, the end exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The location of a member of the value that a module exports. */
export interface MemberPlaces {
  /** Range of the member's value; of the nearest enclosing value in the source when it has no such member. */
  readonly value: TextSpan;
  /** Range of its key, if it has one. */
  readonly key: TextSpan;
}

/** A syntax error with its range in the source text. */
export interface SyntaxProblem extends TextSpan {
  readonly message: string;
}

/**
 * Finds a member of the default export of a TypeScript module, such as `["documents", 0, "source"]`. Follows values through calls of one
 * argument, `as` and `satisfies`, constants of the same file and spreads; computed values are not evaluated.
 */
export function locateMember(text: string, path: readonly (string | number)[]): MemberPlaces {
  return withSourceFile(text, (file, tsMorph) => {
    const exported = file.getExportAssignment((each) => !each.isExportEquals());
    if (exported === undefined) return placesOf(file, file);
    let value: Node = resolveValue(exported.getExpression(), tsMorph);
    let key: Node = value;
    for (const token of path) {
      const member = childOf(value, token, tsMorph);
      if (member === undefined) break;
      key = member.key;
      value = resolveValue(member.value, tsMorph);
    }
    return placesOf(key, value);
  });
}

/** Returns the first syntax error of a module; undefined when it has none. */
export function findSyntaxProblem(text: string): SyntaxProblem | undefined {
  return withSourceFile(text, (file) => {
    const { parseDiagnostics } = file.compilerNode as unknown as {
      readonly parseDiagnostics?: readonly ParseDiagnostic[];
    };
    const [first] = parseDiagnostics ?? [];
    if (first === undefined) return undefined;
    const message = typeof first.messageText === "string" ? first.messageText : first.messageText.messageText;
    return { message, start: first.start, end: first.start + first.length };
  });
}

/** A diagnostic as the compiler stores it on a file that it has parsed. */
interface ParseDiagnostic {
  readonly messageText: string | { readonly messageText: string };
  readonly start: number;
  readonly length: number;
}

interface Member {
  readonly key: Node;
  readonly value: Expression;
}

function withSourceFile<Result>(text: string, use: (file: SourceFile, tsMorph: TsMorph) => Result): Result {
  const file = openProject().createSourceFile("located.ts", text, { overwrite: true });
  const result = use(file, loadTsMorph());
  file.forget();
  return result;
}

function placesOf(key: Node, value: Node): MemberPlaces {
  const span = (node: Node) => ({ start: node.getStart(), end: node.getEnd() });
  return { key: span(key), value: span(value) };
}

function resolveValue(expression: Expression, tsMorph: TsMorph, seen: ReadonlySet<Node> = new Set()): Expression {
  const { Node } = tsMorph;
  if (seen.has(expression)) return expression;
  const further = (next: Expression) => resolveValue(next, tsMorph, new Set([...seen, expression]));
  if (
    Node.isParenthesizedExpression(expression) ||
    Node.isAsExpression(expression) ||
    Node.isSatisfiesExpression(expression)
  )
    return further(expression.getExpression());
  if (Node.isCallExpression(expression)) {
    const [argument, ...others] = expression.getArguments();
    return others.length === 0 &&
      argument !== undefined &&
      Node.isExpression(argument) &&
      isLiteralValue(argument, tsMorph)
      ? further(argument)
      : expression;
  }
  if (Node.isIdentifier(expression)) {
    const initializer = expression.getSourceFile().getVariableDeclaration(expression.getText())?.getInitializer();
    return initializer === undefined ? expression : further(initializer);
  }
  return expression;
}

function isLiteralValue(node: Node, { Node: kinds }: TsMorph): boolean {
  const bare = kinds.isAsExpression(node) || kinds.isSatisfiesExpression(node) ? node.getExpression() : node;
  return kinds.isObjectLiteralExpression(bare) || kinds.isArrayLiteralExpression(bare) || kinds.isIdentifier(bare);
}

function childOf(node: Node, token: string | number, tsMorph: TsMorph): Member | undefined {
  const { Node: kinds } = tsMorph;
  if (kinds.isArrayLiteralExpression(node)) {
    const elements = node.getElements();
    const element = elements[Number(token)];
    const isCounted = elements.slice(0, Number(token) + 1).every((each) => !kinds.isSpreadElement(each));
    return element !== undefined && isCounted ? { key: element, value: element } : undefined;
  }
  if (!kinds.isObjectLiteralExpression(node)) return undefined;
  for (const property of node.getProperties().toReversed()) {
    if (kinds.isSpreadAssignment(property)) {
      const member = childOf(resolveValue(property.getExpression(), tsMorph), token, tsMorph);
      if (member !== undefined) return member;
    } else if (kinds.isPropertyAssignment(property)) {
      const value = property.getInitializer();
      if (value !== undefined && nameOf(property.getNameNode(), tsMorph) === token)
        return { key: property.getNameNode(), value };
    } else if (kinds.isShorthandPropertyAssignment(property) && property.getName() === token) {
      return { key: property.getNameNode(), value: property.getNameNode() };
    }
  }
  return undefined;
}

function nameOf(node: Node, { Node: kinds }: TsMorph): string {
  if (kinds.isStringLiteral(node) || kinds.isNoSubstitutionTemplateLiteral(node)) return node.getLiteralText();
  return node.getText();
}
