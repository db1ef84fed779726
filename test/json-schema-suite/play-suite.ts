import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { emitContract } from "@nodewright/emit-contract";
import { createSchemaReader, type SchemaDialect } from "@nodewright/json-schema";
import type { ApiModel, CommonReadOptions, TypeDeclaration } from "@nodewright/model";
import { createDiagnosticSink, createDocumentSet, type Diagnostic } from "@nodewright/source";
import { root } from "../support/workspace.ts";
import { readGroups, readRemotes, type SuiteGroup } from "./suite.ts";

/** What became of the tests of one file. */
export interface FilePlay {
  readonly total: number;
  /** `file: group: test: what happened`. */
  readonly failures: readonly string[];
}

interface ReadGroup extends SuiteGroup {
  /** Of the declaration of its schema; undefined when the schema could not be read. */
  readonly name: string | undefined;
  readonly problems: readonly Diagnostic[];
}

interface Validators {
  readonly [name: string]: (value: unknown) => unknown;
}

const load = createRequire(import.meta.url);

/**
 * Plays suite files: each file's schemas go through the reader and the emitter into one module, which Node loads as it is, and every
 * test asks both of the validators that its schema was given.
 */
export class SuitePlayer {
  readonly #directory: string;
  readonly #remotes: ReadonlyMap<string, string>;
  readonly #formats: NonNullable<CommonReadOptions["formats"]>;
  readonly #dialect: SchemaDialect;
  readonly #output: string;

  constructor(
    directory: string,
    formats: NonNullable<CommonReadOptions["formats"]>,
    dialect: SchemaDialect = "2020-12",
  ) {
    this.#dialect = dialect;
    this.#directory = directory;
    this.#remotes = readRemotes(directory);
    this.#formats = formats;
    const cache = join(root, ".cache");
    mkdirSync(cache, { recursive: true });
    this.#output = mkdtempSync(join(cache, "suite-"));
  }

  /** Where the emitted modules are: a folder for each file. */
  get output(): string {
    return this.#output;
  }

  remove(): void {
    rmSync(this.#output, { recursive: true, force: true });
  }

  play(file: string): FilePlay {
    const declarations: TypeDeclaration[] = [];
    const groups = readGroups(this.#directory, file).map((group) => this.#read(group, declarations));
    const validators = this.#emit(file, declarations);
    const failures = groups.flatMap((group) =>
      group.tests.flatMap((test) => {
        const problem = problemOf(group, test, validators);
        return problem === undefined ? [] : [`${file}: ${group.description}: ${test.description}: ${problem}`];
      }),
    );
    return { total: groups.reduce((sum, { tests }) => sum + tests.length, 0), failures };
  }

  /** Each group is a world of its own: several declare the same identifiers. Names alone are shared. */
  #read(group: SuiteGroup, declarations: TypeDeclaration[]): ReadGroup {
    const sink = createDiagnosticSink();
    const documents = createDocumentSet(this.#output, sink);
    for (const [uri, text] of this.#remotes) documents.register(uri, text);
    const uri = "https://suite.example/schema.json";
    documents.register(uri, JSON.stringify(group.schema));
    const document = documents.read(uri);
    if (document === undefined) return { ...group, name: undefined, problems: sink.diagnostics };
    const schemas = createSchemaReader({
      documents,
      sink,
      dialect: this.#dialect,
      reservedNames: declarations.map(({ name }) => name),
      readOptions: { formats: this.#formats },
    });
    const name = schemas.names.allocate("Case");
    const type = schemas.read(document.root);
    const { source } = type;
    declarations.push(...schemas.declarations(), {
      name,
      originalName: name,
      role: "value",
      type,
      implements: [],
      source,
    });
    return { ...group, name, problems: sink.diagnostics.filter(({ severity }) => severity === "error") };
  }

  #emit(file: string, declarations: readonly TypeDeclaration[]): Validators {
    const directory = join(this.#output, file.replaceAll("/", "-").replace(/\.json$/, ""));
    mkdirSync(directory);
    const { files } = emitContract.emit({ model: modelOf(file, declarations), packageName: "@suite/api" });
    for (const { path, text } of files) writeFileSync(join(directory, path), text);
    return load(join(directory, "validators.ts")) as Validators;
  }
}

function problemOf(group: ReadGroup, test: SuiteGroup["tests"][number], validators: Validators): string | undefined {
  const [problem] = group.problems;
  if (group.name === undefined || problem !== undefined) return `not read: ${problem?.code} ${problem?.message}`;
  try {
    const isValid = validators[`is${group.name}`]?.(test.data);
    const violations = validators[`violationsOf${group.name}`]?.(test.data);
    if (isValid !== test.valid) return `is says ${String(isValid)}`;
    const hasNone = Array.isArray(violations) && violations.length === 0;
    return hasNone === test.valid ? undefined : `violationsOf says ${JSON.stringify(violations)}`;
  } catch (reason) {
    return `thrown: ${String(reason)}`;
  }
}

function modelOf(document: string, declarations: readonly TypeDeclaration[]): ApiModel {
  return {
    name: "suite",
    protocol: "http",
    title: "Suite",
    version: "1",
    document,
    declarations,
    operations: [],
    documents: [],
    security: [],
  };
}
