import { join, posix, relative, resolve, sep } from "node:path";
import { type Emitter, emitterApiVersion } from "@nodewright/model";
import { withArticle } from "@nodewright/source";
import { type Artefact, artefacts, type DocumentConfig, type HandlersConfig } from "./config.ts";
import type { configurationDiagnostics } from "./configuration-diagnostics.ts";
import { suggestion } from "@nodewright/terminal-text";

/** A mistake in a configuration's value, before its location in the file is known. */
export interface ConfigProblem {
  readonly code: keyof typeof configurationDiagnostics;
  /** Path in the value, such as `["documents", 0, "source"]`. */
  readonly path: ConfigPath;
  /** Whether the problem is about the member's key, not its value. */
  readonly isAboutKey?: boolean;
  readonly facts: Readonly<Record<string, string>>;
}

export type ConfigPath = readonly (string | number)[];

/** Default of the directory in a package that the generator owns. */
export const defaultOutput = "src/gen";

/** Returns all mistakes in the default export of a configuration file. `root` is the file's directory. */
export function findConfigProblems(value: unknown, root: string): readonly ConfigProblem[] {
  if (!isObject(value) || !Array.isArray(value["documents"]))
    return isObject(value) && "documents" in value
      ? [wrong(["documents"], "a list of documents", value["documents"])]
      : [{ code: "no-configuration", path: [], facts: {} }];
  const documents: readonly unknown[] = value["documents"];
  if (documents.length === 0) return [wrong(["documents"], "a list of at least one document", documents)];
  return [
    ...unknownMembers([], value, ["documents"]),
    ...documents.flatMap((document, index) => documentProblems(["documents", index], document)),
    ...directoryProblems(documents, root),
  ];
}

type Check = (path: ConfigPath, value: unknown) => readonly ConfigProblem[];

/** Checks for each member of a document's configuration. */
const documentChecks: Readonly<Record<keyof DocumentConfig, Check>> = {
  source: check("a path", isText),
  referenceFolders: listOf(check("a path", isText)),
  package: check("a path", isText),
  output: check("a path inside of the package", isInnerPath),
  name: check(
    "a name of words and hyphens, such as petstore",
    (value) => isText(value) && /^[a-z][\w-]*$/i.test(value),
  ),
  artefacts: artefactsProblems,
  operationDocuments: check("a path", isText),
  operations: recordOf("an object, operation by operation", operationProblems),
  declarations: recordOf("an object, schema by schema", check("the name of a declaration", isIdentifier)),
  formats: formatsProblems,
  skipUnsupported: check("true or false", (value) => typeof value === "boolean"),
  scalars: recordOf("an object, scalar by scalar", scalarProblems),
  handlers: objectOf("an object with directory and context", ["directory", "context"], {
    directory: check("a path", isText),
    context: check('"module#TypeName"', isTypeReference),
    parents: recordOf("an object, type by type", check('"module#TypeName"', isTypeReference)),
  } satisfies Record<keyof HandlersConfig, Check>),
  emitters: listOf(emitterProblems),
};

const expectations: Readonly<Record<string, string>> = {
  source: "the path of an OpenAPI, OpenRPC or GraphQL document",
  package: "the directory of the generated package",
  directory: "the directory of the handlers",
  context: '"module#TypeName" of what handlers are called with',
  pattern: "a regular expression, as text",
};

function documentProblems(path: ConfigPath, document: unknown): readonly ConfigProblem[] {
  return objectOf("an object with source and package", ["source", "package"], documentChecks)(path, document);
}

function artefactsProblems(path: ConfigPath, value: unknown): readonly ConfigProblem[] {
  if (Array.isArray(value) && value.length === 0) return [wrong(path, "a list of at least one artefact", value)];
  return listOf(artefactProblems)(path, value);
}

function artefactProblems(path: ConfigPath, value: unknown): readonly ConfigProblem[] {
  if (artefacts.includes(value as Artefact)) return [];
  const artefact = shown(value);
  return [
    {
      code: "unknown-artefact",
      path,
      facts: { artefact, suggestion: suggestion(artefact, artefacts), known: artefacts.join(", ") },
    },
  ];
}

function operationProblems(path: ConfigPath, value: unknown): readonly ConfigProblem[] {
  return objectOf("an object with name or skip", [], {
    name: check("a name that code can have", isIdentifier),
    skip: check("true or false", (skip) => typeof skip === "boolean"),
  })(path, value);
}

const scalarTypes: readonly unknown[] = ["string", "number", "integer", "boolean", "unknown"];

function scalarProblems(path: ConfigPath, value: unknown): readonly ConfigProblem[] {
  return objectOf("an object with a pattern or a type", [], {
    pattern: check("a regular expression, as text", isPattern),
    type: check('"string", "number", "integer", "boolean" or "unknown"', (type) => scalarTypes.includes(type)),
  })(path, value);
}

function formatsProblems(path: ConfigPath, value: unknown): readonly ConfigProblem[] {
  if (value === "annotate" || value === "assert") return [];
  if (!Array.isArray(value)) return [wrong(path, '"annotate", "assert" or a list of formats', value)];
  return listOf(check("the name of a format", isText))(path, value);
}

function emitterProblems(path: ConfigPath, value: unknown): readonly ConfigProblem[] {
  if (!isObject(value)) return [wrong(path, "an emitter, or an object with emitter and options", value)];
  if (!("emitter" in value)) return emitterValueProblems(path, value, undefined);
  return [
    ...unknownMembers(path, value, ["emitter", "options"]),
    ...emitterValueProblems([...path, "emitter"], value["emitter"], value["options"]),
  ];
}

function emitterValueProblems(path: ConfigPath, value: unknown, options: unknown): readonly ConfigProblem[] {
  const problem = (text: string): ConfigProblem => ({ code: "wrong-emitter", path, facts: { problem: text } });
  if (!isObject(value) || typeof value["emit"] !== "function") return [problem("An emitter has a function emit.")];
  const { name, version, apiVersion, parseOptions } = value;
  if (typeof name !== "string" || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    return [problem("An emitter has a name in kebab-case.")];
  if (typeof version !== "string") return [problem(`The emitter ${name} has no version.`)];
  if (apiVersion !== emitterApiVersion) {
    return [
      problem(
        `The emitter ${name} is made for version ${shown(apiVersion)} of the interface; this nodewright calls version ${emitterApiVersion}.`,
      ),
    ];
  }
  if (typeof parseOptions !== "function")
    return options === undefined ? [] : [problem(`The emitter ${name} takes no options.`)];
  try {
    (value as unknown as Emitter).parseOptions?.(options);
    return [];
  } catch (reason) {
    return [
      problem(`The emitter ${name} refuses its options: ${reason instanceof Error ? reason.message : shown(reason)}`),
    ];
  }
}

/** Returns problems for directories that two documents would both write to, and for hand-written files in directories of the generator. */
function directoryProblems(documents: readonly unknown[], root: string): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const owners: { readonly directory: string; readonly owner: string; readonly isGenerated: boolean }[] = [];
  for (const [index, document] of documents.entries()) {
    if (!isObject(document) || !isText(document["package"])) continue;
    const output = isInnerPath(document["output"]) ? document["output"] : defaultOutput;
    const generated = resolve(root, document["package"], output);
    const handlers = isObject(document["handlers"]) ? document["handlers"]["directory"] : undefined;
    const owner = `documents[${index}]`;
    const claim = (path: ConfigPath, named: string, directory: string, isGenerated: boolean): void => {
      const other = owners.find(
        (each) =>
          each.directory === directory ||
          (each.isGenerated && isInside(directory, each.directory)) ||
          (isGenerated && isInside(each.directory, directory)),
      );
      if (other === undefined) owners.push({ directory, owner, isGenerated });
      else if (other.owner === owner)
        problems.push({ code: "input-in-output", path, facts: { path: named, directory: shownPath(root, generated) } });
      else problems.push({ code: "shared-directory", path, facts: { directory: named, owner: other.owner } });
    };
    claim(["documents", index, "package"], document["package"], generated, true);
    if (isText(handlers))
      claim(["documents", index, "handlers", "directory"], handlers, resolve(root, handlers), false);
  }
  return [
    ...problems,
    ...inputProblems(
      documents,
      root,
      owners.flatMap((each) => (each.isGenerated ? [each.directory] : [])),
    ),
  ];
}

function inputProblems(
  documents: readonly unknown[],
  root: string,
  generated: readonly string[],
): readonly ConfigProblem[] {
  return documents.flatMap((document, index) =>
    (["source", "operationDocuments"] as const).flatMap((name): readonly ConfigProblem[] => {
      const input = isObject(document) ? document[name] : undefined;
      if (!isText(input)) return [];
      const directory = generated.find((each) => isInside(resolve(root, input), each));
      if (directory === undefined) return [];
      const facts = { path: input, directory: shownPath(root, directory) };
      return [{ code: "input-in-output", path: ["documents", index, name], facts }];
    }),
  );
}

function isInside(path: string, directory: string): boolean {
  return path.startsWith(join(directory, sep));
}

function shownPath(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/");
}

function check(expected: string, isRight: (value: unknown) => boolean): Check {
  return (path, value) => (isRight(value) ? [] : [wrong(path, expected, value)]);
}

function listOf(checkItem: Check): Check {
  return (path, value) =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, index) => checkItem([...path, index], item))
      : [wrong(path, "a list", value)];
}

function recordOf(expected: string, checkMember: Check): Check {
  return (path, value) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => checkMember([...path, name], member))
      : [wrong(path, expected, value)];
}

/** Returns a check for an object with known members; a member that is `undefined` counts as absent. */
function objectOf(expected: string, required: readonly string[], checks: Readonly<Record<string, Check>>): Check {
  return (path, value) => {
    if (!isObject(value)) return [wrong(path, expected, value)];
    const missing = required.filter((name) => value[name] === undefined);
    return [
      ...missing.map(
        (name): ConfigProblem => ({
          code: "missing-member",
          path,
          facts: { owner: pathText(path), name, expected: expectations[name] ?? "there" },
        }),
      ),
      ...Object.entries(checks).flatMap(([name, checkMember]) =>
        value[name] === undefined ? [] : checkMember([...path, name], value[name]),
      ),
      ...unknownMembers(path, value, Object.keys(checks)),
    ];
  };
}

function unknownMembers(
  path: ConfigPath,
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
): readonly ConfigProblem[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      code: "unknown-member",
      path: [...path, name],
      isAboutKey: true,
      facts: { name, suggestion: suggestion(name, known), known: known.join(", ") },
    }));
}

function wrong(path: ConfigPath, expected: string, value: unknown): ConfigProblem {
  return { code: "wrong-member", path, facts: { name: pathText(path), expected, found: described(value) } };
}

/** Returns a path in the form `documents[0].handlers.directory`. */
function pathText(path: ConfigPath): string {
  return path
    .map((token) => (typeof token === "number" ? `[${token}]` : /^[\w$]+$/.test(token) ? `.${token}` : `["${token}"]`))
    .join("")
    .replace(/^\./, "");
}

function described(value: unknown): string {
  if (value === null) return "null";
  if (value === "") return "an empty text";
  if (Array.isArray(value) && value.length === 0) return "an empty list";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "object" || typeof value === "function" ? withArticle(typeof value) : String(value);
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : described(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isInnerPath(value: unknown): value is string {
  if (!isText(value)) return false;
  const path = posix.normalize(value.replaceAll("\\", "/"));
  return !path.startsWith("/") && path !== ".." && !path.startsWith("../") && path !== "." && path !== "./";
}

function isIdentifier(value: unknown): boolean {
  return typeof value === "string" && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(value);
}

function isTypeReference(value: unknown): boolean {
  return typeof value === "string" && /^[^#]+#[A-Za-z_$][\w$]*$/.test(value);
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
