import type { ApiModel, TypeNode } from "@nodewright/model";
import {
  call,
  type Code,
  type DocComment,
  finishLines,
  type FunctionDeclaration,
  needsCodec,
  predicateName,
  violationsName,
} from "@nodewright/output";
import type { ContractType } from "../contract-types.ts";
import { mayHoldLongNumber } from "../type-facts.ts";
import { CheckWriter } from "./check-writer.ts";
import { compare } from "./condition.ts";
import { EvaluateWriter } from "./evaluate-writer.ts";
import { ReportWriter } from "./report-writer.ts";
import { failWhen, type Statement, statement, statementsCode } from "./statement.ts";
import { checkName, type PartFunction, reportName, type ValidatorScope } from "./validator-scope.ts";
import { mayTakeUndefined } from "./value-kind.ts";

/** A type that is validated, with what is known of it beside others. */
export interface ValidatedType extends ContractType {
  /** Whether its numbers are read without loss. */
  readonly isLossless: boolean;
  /** Whether its values may be nested without end. */
  readonly isDeep: boolean;
}

/** What a file calls what it imports. */
export interface ImportedNames {
  /** The runtime's `Violation`. */
  readonly violation: string;
  /** The type in memory of a contract type. */
  readonly memoryType: (name: string) => string;
}

/** Everything that is exported for one type, with what only that calls. */
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

/** Whether the check of a type narrows what it is given: then the type is imported. */
export function isTypePredicate({ type, isLossless }: ValidatedType, model: ApiModel): boolean {
  return !mayDiffer(type, model, isLossless) && !isUnknownOrNever(type, model);
}

/** Names that the file gives to what is exported for a type, and to what only that calls. */
export function declaredFor({ name, isDeep }: Pick<ValidatedType, "name" | "isDeep">): readonly string[] {
  return [predicateName(name), violationsName(name), reportName(name), ...(isDeep ? [checkName(name)] : [])];
}

/** The exported check; of a type whose values may be nested without end it guards another one, which does the work. */
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

/** Types that say something of one kind alone let other kinds pass, but not what is no value at all. */
function presence(type: TypeNode, model: ApiModel): readonly Statement[] {
  const isSaid = type.kind === "any" || type.kind === "never" || type.kind === "reference";
  if (isSaid || !mayTakeUndefined(type, model)) return [];
  return [failWhen(compare("value", "===", "undefined"))];
}

/** Whether a wire value may not be what memory holds. */
function mayDiffer(type: TypeNode, model: ApiModel, isLossless: boolean): boolean {
  return isLossless && (needsCodec(type, model) || mayHoldLongNumber(type, model));
}

/** A predicate of such a type would make the compiler take what is not of it for impossible. */
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

/** The function of a part that is looked at away from the rest. */
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

/** Parameters that a body leaves unused are named so. The body comes back laid out. */
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
