import { basename, dirname, join, sep } from "node:path";
import type { Identifier, Node, Project, SourceFile, StringLiteral } from "ts-morph";
import { loadTsMorph } from "../typescript/ts-morph-project.ts";

/** A handler that follows its operation to another name. */
export interface HandlerRename {
  /** `Operation.name` before and after. */
  readonly operation: Change;
  /** Export of the handler's file. */
  readonly symbol: Change;
  /** Name of the handler's file in the handlers' directory, without extension. */
  readonly file: Change;
  /** Names in the generated package that are derived from the operation: `GetPetInput` → `FetchPetInput`. */
  readonly contractNames: ReadonlyMap<string, string>;
}

/** A name before and after. */
export interface Change {
  readonly from: string;
  readonly to: string;
}

/** Renamed operations with the handlers and the generated package to which they belong. */
export interface RenameRequest {
  /** Directory of the handlers, absolute. */
  readonly directory: string;
  /** Directory of the generated package and of what the generator owns in it, absolute, and its npm name. */
  readonly package: { readonly directory: string; readonly generated: string; readonly name: string };
  /** Absolute paths of files that the generator itself writes: they are read, and not edited. */
  readonly owned: ReadonlySet<string>;
  readonly renames: readonly HandlerRename[];
}

/** A replacement of a part of a text. Offsets are 0-based UTF-16 units, of the text without a byte order mark. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface RenameScope {
  /** Contains every file in which something may change. */
  readonly project: Project;
  readonly request: RenameRequest;
  readonly rename: HandlerRename;
  /** New path by old, for every file that moves. */
  readonly moves: ReadonlyMap<string, string>;
}

export interface FoundEdits {
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
  readonly conflicts: readonly string[];
}

/** Applies edits to a text; an edit that was found twice is applied once. */
export function editedText(text: string, edits: readonly Edit[]): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const ordered = [...new Map(edits.map((edit) => [edit.start, edit])).values()].toSorted(
    (left, right) => left.start - right.start,
  );
  let result = mark;
  let end = 0;
  for (const edit of ordered) {
    result += body.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return result + body.slice(end);
}

/** Finds all occurrences of the old name of a handler, its file or its operation's types in the hand-written files. */
export function editsOfRename(scope: RenameScope): FoundEdits {
  const { project, request, rename } = scope;
  const handler = project.getSourceFile(join(request.directory, `${rename.file.from}.ts`));
  const exported = handler && exportedIdentifier(handler, rename.symbol.from);
  if (handler === undefined || exported === undefined) {
    const path = join(request.directory, `${rename.file.from}.ts`);
    return { edits: new Map(), conflicts: [`${path} exports no "${rename.symbol.from}"; nothing was renamed.`] };
  }
  const edits = new EditCollection(request);
  for (const identifier of symbolReferences(project, exported)) edits.replace(identifier, rename.symbol.to);
  const touched = new Set(edits.byFile.keys());
  for (const file of project.getSourceFiles()) {
    addPathEdits(file, scope, edits);
    addContractEdits(file, scope, edits);
    addOperationEdits(file, scope, edits);
  }
  const { symbol } = rename;
  const conflicts =
    symbol.from === symbol.to
      ? []
      : [...touched]
          .filter((path) => hasBinding(project.getSourceFile(path), symbol.to))
          .map((path) => `${path} has something else that is called "${symbol.to}"; nothing was renamed.`);
  return { edits: edits.byFile, conflicts };
}

/** Edits by file; files that the generator itself writes are left out. */
class EditCollection {
  readonly byFile: Map<string, Edit[]> = new Map();
  readonly #request: RenameRequest;

  constructor(request: RenameRequest) {
    this.#request = request;
  }

  replace(node: Node, text: string): void {
    this.replaceRange(node.getSourceFile(), node.getStart(), node.getEnd(), text);
  }

  replaceRange(file: SourceFile, start: number, end: number, text: string): void {
    const path = file.getFilePath();
    if (isGenerated(path, this.#request)) return;
    const edits = this.byFile.get(path);
    if (edits === undefined) this.byFile.set(path, [{ start, end, text }]);
    else edits.push({ start, end, text });
  }
}

function isGenerated(path: string, { owned, package: { generated } }: RenameRequest): boolean {
  return owned.has(path) || path.startsWith(generated + sep);
}

/** Returns the node that names the export `name` of a file. */
function exportedIdentifier(file: SourceFile, name: string): Node | undefined {
  const { Node: NodeKind } = loadTsMorph();
  for (const declaration of file.getExportDeclarations()) {
    for (const specifier of declaration.getNamedExports()) {
      if ((specifier.getAliasNode() ?? specifier.getNameNode()).getText() !== name) continue;
      return specifier.getAliasNode() ?? specifier.getNameNode();
    }
  }
  const declaration = file.getExportedDeclarations().get(name)?.[0];
  if (declaration === undefined || declaration.getSourceFile() !== file) return undefined;
  return NodeKind.hasName(declaration) ? declaration.getNameNode() : undefined;
}

/** Returns the identifiers that refer to the exported symbol; comments are not changed. */
function symbolReferences(project: Project, exported: Node): readonly Identifier[] {
  const { Node: NodeKind } = loadTsMorph();
  const locations = project
    .getLanguageService()
    .findRenameLocations(exported, { usePrefixAndSuffixText: false, renameInComments: false, renameInStrings: false });
  return locations.flatMap((location) => {
    const identifier = location.getSourceFile().getDescendantAtPos(location.getTextSpan().getStart());
    if (identifier === undefined || !NodeKind.isIdentifier(identifier)) return [];
    const isInComment = identifier.getFirstAncestor((ancestor) => NodeKind.isJSDoc(ancestor)) !== undefined;
    return isInComment ? [] : [identifier];
  });
}

/**
 * Adds edits of string literals that are paths to a file that moves, wherever they are: imports, `vi.mock("./get-pet.ts")`, `new URL(…)`.
 */
function addPathEdits(file: SourceFile, { request, rename, moves }: RenameScope, edits: EditCollection): void {
  if (rename.file.from === rename.file.to) return;
  const stem = rename.file.from;
  for (const literal of stringLiterals(file)) {
    const text = literal.getLiteralValue();
    if (!text.includes(stem) || !leadsToMoved(file, literal, { request, rename, moves })) continue;
    // The file's name is the last segment of a path that contains it.
    const offset = literal.getText().lastIndexOf(stem);
    const start = literal.getStart() + offset;
    edits.replaceRange(file, start, start + stem.length, rename.file.to);
  }
}

function leadsToMoved(
  file: SourceFile,
  literal: StringLiteral,
  { request, rename, moves }: Omit<RenameScope, "project">,
): boolean {
  const text = literal.getLiteralValue();
  const handler = join(request.directory, `${rename.file.from}.ts`);
  if (/^\.\.?\//.test(text)) {
    const path = join(dirname(file.getFilePath()), text);
    const isStem = basename(path) === rename.file.from || basename(path).startsWith(`${rename.file.from}.`);
    const spellings = [path, path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2"), `${path}.ts`];
    return isStem && spellings.some((spelling) => moves.has(spelling));
  }
  // An alias of the project's own, such as `#handlers/get-pet.ts`: the compiler resolves it only where it is imported.
  const { Node: NodeKind } = loadTsMorph();
  const parent = literal.getParent();
  if (!NodeKind.isImportDeclaration(parent) && !NodeKind.isExportDeclaration(parent)) return false;
  return parent.getModuleSpecifierSourceFile()?.getFilePath() === handler;
}

function stringLiterals(file: SourceFile): readonly StringLiteral[] {
  return file.getDescendantsOfKind(loadTsMorph().SyntaxKind.StringLiteral);
}

/** Adds edits of imports from the generated package whose names contain the operation's name. */
function addContractEdits(file: SourceFile, { request, rename }: RenameScope, edits: EditCollection): void {
  for (const declaration of apiImports(file, request)) {
    for (const specifier of declaration.getNamedImports()) {
      const to = rename.contractNames.get(specifier.getName());
      if (to === undefined) continue;
      edits.replace(specifier.getNameNode(), to);
      if (specifier.getAliasNode() !== undefined) continue;
      for (const identifier of usesOf(file, specifier.getNameNode())) edits.replace(identifier, to);
    }
  }
}

function apiImports(file: SourceFile, { package: { name } }: RenameRequest) {
  return file.getImportDeclarations().filter((declaration) => {
    const module = declaration.getModuleSpecifierValue();
    return module === name || module.startsWith(`${name}/`);
  });
}

/** Returns the uses of an import in its own file. */
function usesOf(file: SourceFile, imported: Node): readonly Identifier[] {
  const name = imported.getText();
  const symbol = imported.getSymbol();
  return file
    .getDescendantsOfKind(loadTsMorph().SyntaxKind.Identifier)
    .filter((identifier) => identifier.getText() === name && identifier.getSymbol() === symbol);
}

/**
 * Adds edits of the operation's name where generated code declares it: `PetsHandler<"getPet", Context>`, `handlers.getPet`,
 * `client.getPet(…)`, and the member of a table of handlers.
 */
function addOperationEdits(file: SourceFile, { request, rename }: RenameScope, edits: EditCollection): void {
  const { from, to } = rename.operation;
  if (from === to || isGenerated(file.getFilePath(), request)) return;
  const { Node: NodeKind, SyntaxKind } = loadTsMorph();
  const imported = new Set(
    apiImports(file, request).flatMap((declaration) =>
      declaration.getNamedImports().map((specifier) => (specifier.getAliasNode() ?? specifier.getNameNode()).getText()),
    ),
  );
  for (const literal of stringLiterals(file)) {
    if (literal.getLiteralValue() !== from || !NodeKind.isLiteralTypeNode(literal.getParent())) continue;
    const isOfApi = literal
      .getAncestors()
      .some(
        (ancestor) =>
          (NodeKind.isTypeReference(ancestor) && imported.has(ancestor.getTypeName().getText())) ||
          (NodeKind.isIndexedAccessTypeNode(ancestor) && mentions(ancestor.getObjectTypeNode(), imported)),
      );
    if (isOfApi) edits.replaceRange(file, literal.getStart() + 1, literal.getEnd() - 1, to);
  }
  for (const identifier of file.getDescendantsOfKind(SyntaxKind.Identifier)) {
    if (identifier.getText() !== from) continue;
    const parent = identifier.getParent();
    if (NodeKind.isPropertyAccessExpression(parent) && parent.getNameNode() === identifier) {
      if (isDeclaredByApi(identifier, request)) edits.replace(identifier, to);
    } else if (
      (NodeKind.isPropertyAssignment(parent) || NodeKind.isMethodDeclaration(parent)) &&
      parent.getNameNode() === identifier
    ) {
      const table = parent.getParentIfKind(SyntaxKind.ObjectLiteralExpression);
      const member = table?.getContextualType()?.getProperty(from);
      if (member?.getDeclarations().some((one) => isOfApi(one, request)) === true) edits.replace(identifier, to);
    }
  }
}

function mentions(type: Node, names: ReadonlySet<string>): boolean {
  return type
    .getDescendantsOfKind(loadTsMorph().SyntaxKind.Identifier)
    .some((identifier) => names.has(identifier.getText()));
}

function isDeclaredByApi(identifier: Identifier, request: RenameRequest): boolean {
  return (
    identifier
      .getSymbol()
      ?.getDeclarations()
      .some((declaration) => isOfApi(declaration, request)) === true
  );
}

/** Returns whether the generated package contains a declaration: in its sources, or in their build output. */
function isOfApi(declaration: Node, request: RenameRequest): boolean {
  const path = declaration.getSourceFile().getFilePath();
  return isGenerated(path, request) || path.startsWith(join(request.package.directory, "dist") + sep);
}

/** Returns whether a file binds or uses a name, other than as a member of an object. */
function hasBinding(file: SourceFile | undefined, name: string): boolean {
  const { Node: NodeKind, SyntaxKind } = loadTsMorph();
  if (file === undefined) return false;
  return file.getDescendantsOfKind(SyntaxKind.Identifier).some((identifier) => {
    if (identifier.getText() !== name) return false;
    const parent = identifier.getParent();
    return !(NodeKind.isPropertyAccessExpression(parent) && parent.getNameNode() === identifier);
  });
}
