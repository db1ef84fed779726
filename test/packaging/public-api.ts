import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type ExportedDeclarations, Node, Project, type SourceFile, ts } from "ts-morph";
import { root, type WorkspacePackage, workspacePackages } from "../support/workspace.ts";

/** An exported name of a public entry point. */
interface PublicSymbol {
  readonly name: string;
  /** `class`, `function`, `interface`, `type` or `const`. */
  readonly kind: string;
  /** The declaration without comments, bodies and private members. */
  readonly signature: string;
  readonly hasDocstring: boolean;
}

/** An entry point of a package with what it exports, sorted by name. */
interface PublicEntry {
  /** Key in `exports` of package.json: `.` or `./client`. */
  readonly path: string;
  readonly symbols: readonly PublicSymbol[];
}

/** Packages that may be published. */
export const publicPackages: readonly WorkspacePackage[] = workspacePackages().filter(
  ({ manifest }) => manifest["private"] !== true,
);

/** Declarations of sources, each next to where its source is, so that imports of sources lead to declarations. */
const project = new Project({
  useInMemoryFileSystem: true,
  skipLoadingLibFiles: true,
  compilerOptions: {
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    paths: Object.fromEntries(
      workspacePackages().flatMap((each) =>
        entriesOf(each).map(([path, source]) => [posix.join(each.name, path), [`/${source}`]]),
      ),
    ),
  },
});

const printer = ts.createPrinter({ removeComments: true });

/** Returns the entry points of a package, read from its sources: types of exports are written out, so no file needs another. */
export function publicApi(each: WorkspacePackage): readonly PublicEntry[] {
  return entriesOf(each).map(([path, source]) => {
    const exported = declarationsOf(source).getExportedDeclarations();
    const symbols = [...exported].map(([name, declarations]) => publicSymbol(name, declarations));
    return { path, symbols: symbols.toSorted((left, right) => (left.name < right.name ? -1 : 1)) };
  });
}

/** Key and source, from the root, of each entry of `exports`. */
function entriesOf({ directory, manifest }: WorkspacePackage): readonly (readonly [path: string, source: string])[] {
  const entries = manifest["exports"] as Readonly<Record<string, { readonly source: string }>>;
  return Object.entries(entries).map(([path, { source }]) => [path, posix.join(directory, source)]);
}

/** Adds the declarations of a source, and of what it imports, to the project. */
function declarationsOf(source: string): SourceFile {
  const known = project.getSourceFile(`/${source}`);
  if (known !== undefined) return known;
  const { outputText } = ts.transpileDeclaration(readFileSync(join(root, source), "utf8"), {
    fileName: source,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024 },
  });
  const file = project.createSourceFile(`/${source}`, outputText);
  for (const specifier of file.getImportStringLiterals()) {
    const imported = specifier.getLiteralValue();
    const [fromPackage] = project.compilerOptions.get().paths?.[imported] ?? [];
    if (imported.startsWith(".")) declarationsOf(posix.join(posix.dirname(source), imported));
    else if (fromPackage !== undefined) declarationsOf(fromPackage.slice(1));
  }
  return file;
}

function publicSymbol(name: string, declarations: readonly ExportedDeclarations[]): PublicSymbol {
  const signatures = declarations.map((declaration) => signatureOf(name, declaration));
  return {
    name,
    kind: /^\w+/.exec(signatures[0] ?? "")?.[0] ?? "",
    signature: signatures.join("\n"),
    hasDocstring: declarations.some(hasDocstring),
  };
}

function signatureOf(name: string, declaration: ExportedDeclarations): string {
  const { compilerNode } = declaration;
  const text = printer
    .printNode(ts.EmitHint.Unspecified, compilerNode, declaration.getSourceFile().compilerNode)
    .replace(/^export (?:default )?|^declare /g, "")
    .replace(/^declare /, "")
    .replaceAll(/^ +(?:#private|private .*);\n/gm, "");
  const own = (Node.hasName(declaration) ? declaration.getName() : undefined) ?? name;
  const renamed = own === name ? text : text.replace(own, name);
  return Node.isVariableDeclaration(declaration) ? `const ${renamed};` : renamed;
}

/** Whether a declaration has a docstring; that of a constant is before its statement. */
function hasDocstring(declaration: Node): boolean {
  const node = Node.isVariableDeclaration(declaration) ? declaration.getVariableStatementOrThrow() : declaration;
  if (Node.isJSDocable(node) && node.getJsDocs().length > 0) return true;
  // `type Operation = Api.Operation<Sourced>` is described where the type of the same name is.
  const alias = Node.isTypeAliasDeclaration(node) ? node.getTypeNode() : undefined;
  if (!Node.isTypeReference(alias)) return false;
  const target = alias.getTypeName().getSymbolOrThrow();
  const named = target.getAliasedSymbol() ?? target;
  return (
    named.getName() === declaration.getSymbolOrThrow().getName() &&
    named.getDeclarations().some((each) => hasDocstring(each))
  );
}
