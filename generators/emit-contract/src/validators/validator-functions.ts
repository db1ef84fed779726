import type { ApiModel, TypeNode } from "@nodewright/model";
import { call, type Code, type DocComment, finishLines, type FunctionDeclaration } from "@nodewright/output";
import { needsCodec } from "../names/contract-facts.ts";
import { predicateName, violationsName } from "../names/contract-names.ts";
import type { ContractType } from "../contract/contract-types.ts";
import { mayHoldLongNumber } from "../contract/type-facts.ts";
import { CheckWriter } from "./check-writer.ts";
import { compare } from "./condition.ts";
import { EvaluateWriter } from "./evaluate-writer.ts";
import { ReportWriter } from "./report-writer.ts";
import { failWhen, type Statement, statement, statementsCode } from "./statement.ts";
import { checkName, type PartFunction, reportName, type ValidatorScope } from "./validator-scope.ts";
import { mayTakeUndefined } from "../contract/value-kind.ts";

/** A type that is validated, with its facts in the context of the others. */
export interface ValidatedType extends ContractType {
  /** Whether its numbers are read without loss. */
  readonly isLossless: boolean;
  /** Whether its values may be nested without limit. */
  readonly isDeep: boolean;
}

/** Names of the imports of a file. */
export interface ImportedNames {
  /** Name of the runtime's `Violation`. */
  readonly violation: string;
  /** Returns the name of a contract type's type in memory. */
  readonly memoryType: (name: string) => string;
}

/** Returns all exports for one type, with the functions that only they call. */
export function contractFunctions(
  contract: ValidatedType,
  scope: ValidatorScope,
  imported: ImportedNames,
): readonly FunctionDeclaration[] {
  const { name, isLossless } = contract;
  return [
    ...checkFunctions(contract, scope, imported),
    violationsFunction(contract, imported.violation, scope),
    reportFunction({ ...contract, name: reportName(name), path: name, isLossless }, scope, imported.violation),
  ];
}

/** Returns whether the check of a type is a type predicate: then the type is imported. */
export function isTypePredicate({ type, isLossless }: ValidatedType, model: ApiModel): boolean {
  return !mayDiffer(type, model, isLossless) && !isUnknownOrNever(type, model);
}

/** Returns the names of the exports for a type, and of the functions that only they call. */
export function declaredFor({ name, isDeep }: Pick<ValidatedType, "name" | "isDeep">): readonly string[] {
  return [predicateName(name), violationsName(name), reportName(name), ...(isDeep ? [checkName(name)] : [])];
}

/** Returns the exported check; for a type whose values may be nested without limit it guards another function, which does the work. */
function checkFunctions(
  contract: ValidatedType,
  scope: ValidatorScope,
  imported: ImportedNames,
): readonly FunctionDeclaration[] {
  const { name, type, comment, isLossless } = contract;
  const returns = isTypePredicate(contract, scope.model) ? `value is ${imported.memoryType(name)}` : "boolean";
  const isGuarded = scope.predicate(name) !== predicateName(name);
  const equal = scope.findExported(type, isLossless);
  const body =
    equal === undefined || equal === name
      ? CheckWriter.body(type, name, scope, isLossless)
      : [statement(["return ", call(scope.predicate(equal), ["value"]), ";"])];
  const exported = functionOf({
    name: predicateName(name),
    comment: { prose: [`Returns whether a wire value matches \`${name}\`.`], tags: comment.tags.filter(isOrigin) },
    parameters: [{ name: "value", type: "unknown" }],
    returns,
    body: statementsCode([
      ...presence(type, scope.model),
      ...(isGuarded ? [statement(["return ", call(scope.helper("holds"), [checkName(name), "value"]), ";"])] : body),
    ]),
  });
  if (!isGuarded) return [exported];
  return [exported, internalFunction(checkName(name), [{ name: "value", type: "unknown" }], "boolean", body)];
}

/** Returns a check for `undefined`: types that constrain one kind only accept other kinds, but not an absent value. */
function presence(type: TypeNode, model: ApiModel): readonly Statement[] {
  const isSaid = type.kind === "any" || type.kind === "never" || type.kind === "reference";
  if (isSaid || !mayTakeUndefined(type, model)) return [];
  return [failWhen(compare("value", "===", "undefined"))];
}

/** Returns whether a wire value may differ from the value in memory. */
function mayDiffer(type: TypeNode, model: ApiModel, isLossless: boolean): boolean {
  return isLossless && (needsCodec(type, model) || mayHoldLongNumber(type, model));
}

/**
 * Returns whether a type is `unknown` or `never`: a predicate for it would make the compiler treat values that do not match as impossible.
 */
function isUnknownOrNever(type: TypeNode, model: ApiModel): boolean {
  return type.kind === "never" || mayTakeUndefined(type, model);
}

function violationsFunction(
  { name, comment }: ContractType,
  violation: string,
  scope: ValidatorScope,
): FunctionDeclaration {
  return functionOf({
    name: violationsName(name),
    comment: {
      prose: [
        `Returns all violations of \`${name}\` by a wire value. \`pointer\` is the position of the value, as a JSON Pointer.`,
      ],
      tags: comment.tags.filter(isOrigin),
    },
    parameters: [
      { name: "value", type: "unknown" },
      { name: "pointer", initializer: '""' },
    ],
    returns: `${violation}[]`,
    body: ["return ", call(scope.helper("violationsFrom"), [reportName(name), "value", "pointer"]), ";"],
  });
}

function reportFunction(
  { name, type, path, isLossless }: Omit<PartFunction, "purpose">,
  scope: ValidatorScope,
  violation: string,
): FunctionDeclaration {
  const equal = scope.findExported(type, isLossless);
  const body =
    equal === undefined || reportName(equal) === name
      ? ReportWriter.body(type, path, scope, isLossless)
      : [statement([call(reportName(equal), ["value", "pointer", "violations"]), ";"])];
  return internalFunction(name, reportParameters(violation), "void", body);
}

/** Returns the separate function of a part. */
export function partFunction(part: PartFunction, scope: ValidatorScope, violation: string): FunctionDeclaration {
  const { name, purpose, type, path, isLossless } = part;
  if (purpose === "report") return reportFunction(part, scope, violation);
  if (purpose === "evaluate") {
    const parameters = [
      { name: "value", type: "unknown" },
      { name: "seen", type: "Set<string | number>" },
    ];
    return internalFunction(name, parameters, "boolean", EvaluateWriter.body(type, path, scope, isLossless));
  }
  const body =
    purpose === "check-exactly-one" && type.kind === "union"
      ? CheckWriter.exactlyOneBody(type, path, scope, isLossless)
      : CheckWriter.body(type, path, scope, isLossless);
  return internalFunction(name, [{ name: "value", type: "unknown" }], "boolean", body);
}

type Parameters = FunctionDeclaration["parameters"];

function reportParameters(violation: string): Parameters {
  return [
    { name: "value", type: "unknown" },
    { name: "pointer", type: "string" },
    { name: "violations", type: `${violation}[]` },
  ];
}

function internalFunction(
  name: string,
  parameters: Parameters,
  returns: string,
  body: readonly Statement[],
): FunctionDeclaration {
  return { kind: "function", name, isExported: false, returns, ...withUnderscores(parameters, statementsCode(body)) };
}

function functionOf(parts: {
  readonly name: string;
  readonly comment: DocComment;
  readonly parameters: Parameters;
  readonly returns: string;
  readonly body: Code;
}): FunctionDeclaration {
  const { name, comment, returns } = parts;
  return {
    kind: "function",
    name,
    isExported: true,
    comment,
    returns,
    ...withUnderscores(parts.parameters, parts.body),
  };
}

/** Prefixes parameters that a body does not use with an underscore. Returns the body laid out. */
function withUnderscores(parameters: Parameters, body: Code): Pick<FunctionDeclaration, "parameters" | "body"> {
  const finished = finishLines(body);
  return {
    body: finished,
    parameters: parameters.map((parameter) =>
      new RegExp(`\\b${parameter.name}\\b`).test(finished.text)
        ? parameter
        : { ...parameter, name: `_${parameter.name}` },
    ),
  };
}

function isOrigin(tag: string): boolean {
  return tag.startsWith("@generated");
}
