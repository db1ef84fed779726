import { partsOfType, resolveType, type TypeViolation } from "@nodewright/api-model";
import { createReport, type DiagnosticCatalogue, type DiagnosticSink, type SourceRange } from "@nodewright/source";
import type { ApiModel, Content, Example, ExampleInput, Operation } from "./read-model.ts";
import type { JsonValue, Parameter, TypeNode } from "./read-model.ts";
import { findViolation, spellsType } from "./value-matcher.ts";

/** Diagnostics of default values, by the code without its prefix. */
export const valueDiagnostics = {
  "wrong-default": {
    severity: "error",
    message: "The default {value} does not match its schema: {problem}.",
    hint: "Who leaves the value out would send a wrong one.",
  },
  "unfit-default": {
    severity: "warning",
    message: "The default {value} does not match its schema: {problem}.",
    hint: "It is not applied here, but it misleads readers of the document.",
  },
} as const;

valueDiagnostics satisfies DiagnosticCatalogue;

/** Diagnostics of example values, by the code without its prefix. */
export const exampleDiagnostics = {
  "does-not-match-schema": {
    severity: "warning",
    message: "{example} does not match its schema: {problem}.",
    hint: "It shows readers of the document a value that the API rejects or never returns.",
  },
} as const;

exampleDiagnostics satisfies DiagnosticCatalogue;

/** Maximum length of a value in a diagnostic, in characters. */
const shownLength = 60;

/** Reports defaults and examples that do not match their type. The model must have been read without errors. */
export function checkValues(model: ApiModel, sink: DiagnosticSink): void {
  new ValueCheck(model, sink).check();
}

class ValueCheck {
  readonly #model: ApiModel;
  readonly #reportValue: ReturnType<typeof createReport<typeof valueDiagnostics>>;
  readonly #reportExample: ReturnType<typeof createReport<typeof exampleDiagnostics>>;
  /** Examples that have been reported: one of a case is also one of its schema. */
  readonly #reported = new Set<string>();

  constructor(model: ApiModel, sink: DiagnosticSink) {
    this.#model = model;
    this.#reportValue = createReport("value", valueDiagnostics, sink);
    this.#reportExample = createReport("example", exampleDiagnostics, sink);
  }

  check(): void {
    for (const { type } of this.#model.declarations) this.#checkParts(type);
    for (const operation of [...this.#model.operations, ...(this.#model.incoming ?? [])])
      this.#checkOperation(operation);
  }

  #checkOperation(operation: Operation): void {
    const refused = operation.examples.filter(({ outcome }) => outcome.kind === "failure").map(({ input }) => input);
    for (const parameter of operation.parameters) this.#checkParameter(parameter, refused);
    for (const content of contentsOf(operation)) this.#checkContent(content, refused);
    for (const { headers } of [...operation.successes, ...operation.failures])
      for (const { type } of headers) this.#checkParts(type);
    for (const example of operation.examples) this.#checkCase(example, operation);
  }

  /** `refused`: inputs whose documented response is a failure; they may be invalid on purpose. */
  #checkParameter(parameter: Parameter, refused: readonly ExampleInput[]): void {
    const { type, default: initial, source, examples = [] } = parameter;
    if (initial !== undefined) this.#checkDefault("wrong-default", initial, type, type.defaultSource ?? source);
    this.#checkParts(type);
    for (const { value, source: place } of examples) {
      if (!refused.some((input) => input[parameter.property] === value))
        this.#reportProblem("The example", this.#violationOfInput(value, parameter), place);
    }
  }

  #checkContent({ type, form, examples = [] }: Content, refused: readonly ExampleInput[]): void {
    this.#checkParts(type);
    // Text and binary examples are the content that is sent, while their types describe the value in it.
    if (form !== "json" && form !== "form" && form !== "multipart") return;
    for (const { value, source } of examples) {
      if (!refused.some(({ body }) => body !== undefined && body === value))
        this.#reportProblem("The example", findViolation(value, type, this.#model), source);
    }
  }

  /** Checks the defaults and examples of a type and of its parts. References are skipped: their declarations are checked separately. */
  #checkParts(type: TypeNode): void {
    if (type.default !== undefined)
      this.#checkDefault("unfit-default", type.default, type, type.defaultSource ?? type.source);
    const { examples = [], exampleSources = [] } = type.documentation ?? {};
    for (const [index, value] of examples.entries())
      this.#reportProblem("The example", findViolation(value, type, this.#model), exampleSources[index] ?? type.source);
    for (const part of partsOfType(type)) this.#checkParts(part);
  }

  /** Checks a default. That of a parameter is applied when clients omit it; that of a schema is documentation only. */
  #checkDefault(code: keyof typeof valueDiagnostics, value: JsonValue, type: TypeNode, source: SourceRange): void {
    const violation = findViolation(value, type, this.#model);
    const key = `${source.file}:${source.start}:default ${JSON.stringify(value)}`;
    if (violation === undefined || this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#reportValue(code, source, { value: shown(value), problem: problemOf(violation) });
  }

  /** Checks the request and the response of a successful example. A request that fails may contain anything. */
  #checkCase({ name, input, outcome, source }: Example, operation: Operation): void {
    if (outcome.kind === "failure" || operation.binding.kind === "graphql") return;
    const subject = (value: JsonValue, place: string): string =>
      `The example "${name}" of ${operation.origin} gives ${shown(value)} as ${place}, which`;
    for (const parameter of operation.parameters) {
      const value = input[parameter.property];
      if (value === undefined || this.#isShown(value, parameter)) continue;
      this.#reportProblem(subject(value, `"${parameter.name}"`), this.#violationOfInput(value, parameter), source);
    }
    const content = operation.successes.find(({ status }) => status === outcome.status)?.content;
    if (content === undefined || content.form === "binary") return;
    this.#reportProblem(
      subject(outcome.value, "its response"),
      findViolation(outcome.value, content.type, this.#model),
      source,
    );
  }

  /** Returns whether a value is reported at its own place: the example of a parameter or its type that the case uses. */
  #isShown(value: JsonValue, { type, examples = [] }: Parameter): boolean {
    const shownByTypes = [type, resolveType(type, this.#model)].flatMap(({ default: initial, documentation }) => [
      initial,
      ...(documentation?.examples ?? []),
    ]);
    return examples.some((example) => example.value === value) || shownByTypes.includes(value);
  }

  #violationOfInput(value: JsonValue, { type, location }: Parameter): TypeViolation | undefined {
    const violation = findViolation(value, type, this.#model);
    const isSpelling = location !== "argument" && typeof value === "string" && spellsType(value, type, this.#model);
    return isSpelling ? undefined : violation;
  }

  #reportProblem(example: string, violation: TypeViolation | undefined, source: SourceRange): void {
    if (violation === undefined) return;
    const key = `${source.file}:${source.start}:${source.end}:${violation.pointer}:${violation.message}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#reportExample("does-not-match-schema", source, { example, problem: problemOf(violation) });
  }
}

function contentsOf({ body, successes, failures }: Operation): readonly Content[] {
  return [
    ...(body?.contents ?? []),
    ...successes.flatMap(({ content }) => (content === undefined ? [] : [content])),
    ...failures.flatMap(({ contents }) => contents),
  ];
}

function problemOf({ pointer, message }: TypeViolation): string {
  const text = message.length > 2 * shownLength ? `${message.slice(0, 2 * shownLength)}…` : message;
  return pointer === "" ? `it ${text}` : `${pointer} ${text}`;
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
