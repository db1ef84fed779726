import type { ApiModel, EmittedFile, TypeNode } from "@nodewright/model";
import {
  call,
  type Code,
  createSourceFile,
  type DocComment,
  type FunctionDeclaration,
  importType,
  lines,
  lineWidth,
  needsCodec,
  predicateName,
  renderCode,
  type SourceDeclaration,
  type SourceFile,
  violationsName,
} from "@nodewright/output";
import { type ContractType, validatedTypes } from "../contract-types.ts";
import { mayHoldLongNumber, referredTypes } from "../type-facts.ts";
import { CheckWriter } from "./check-writer.ts";
import { helperText } from "./helpers.ts";
import { normalType } from "./normal-type.ts";
import { reportName, ReportWriter } from "./report-writer.ts";
import { type Statement, statementsCode } from "./statement.ts";
import { type PartFunction, ValidatorScope } from "./validator-scope.ts";
import { mayTakeUndefined } from "./value-kind.ts";

/** `validators.ts`: for each type a boolean check of wire values, and one that names every violation. */
export function emitValidators(model: ApiModel): EmittedFile {
  const types = validatedTypes(model).map((contract) => ({ ...contract, type: normalType(contract.type, model) }));
  const lossless = losslessTypes(types, model);
  const declared = types.flatMap(({ name }) => [predicateName(name), violationsName(name), reportName(name)]);
  const scope = new ValidatorScope(model, declared);
  const file = createSourceFile({
    path: "validators.ts",
    document: model.document,
    declares: [...declared, ...scope.helperNames.values()],
  });
  const violation = file.use(importType("@nodewright/runtime", "Violation"));
  const functions = types.flatMap((contract) => [
    checkFunction(contract, scope, file, lossless.has(contract.name)),
    violationsFunction(contract, violation),
    reportFunction(
      { ...contract, name: reportName(contract.name), path: contract.name, isLossless: lossless.has(contract.name) },
      scope,
      violation,
    ),
  ]);
  const parts: SourceDeclaration[] = [];
  for (let pending = scope.takeParts(); pending.length > 0; pending = scope.takeParts()) {
    for (const part of pending) parts.push(partFunction(part, scope, violation));
  }
  const helpers = helperText(scope.helpers, scope.helperNames, violation);
  for (const declaration of [...scope.constants, ...functions, ...parts, helpers]) file.add(declaration);
  return file.print();
}

/**
 * The types whose numbers are read without loss: those that need a codec, and all that they refer to. Their wire numbers may be
 * bigints, so that their wire and memory differ.
 */
function losslessTypes(types: readonly ContractType[], model: ApiModel): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { name, type } of types) {
    if (!needsCodec(type, model)) continue;
    found.add(name);
    for (const target of referredTypes(type, model)) found.add(target);
  }
  return found;
}

function checkFunction(
  { name, type, comment }: ContractType,
  scope: ValidatorScope,
  file: SourceFile,
  isLossless: boolean,
): FunctionDeclaration {
  const isPredicate = !mayDiffer(type, scope.model, isLossless) && !isUnknownOrNever(type, scope.model);
  const returns = isPredicate ? `value is ${file.use(importType("./types.ts", name))}` : "boolean";
  const body = statementsCode(CheckWriter.body(type, name, scope, isLossless));
  return functionOf({
    name: predicateName(name),
    comment: { prose: [`Whether a wire value matches \`${name}\`.`], tags: comment.tags.filter(isOrigin) },
    parameters: [{ name: "value", type: "unknown" }],
    returns,
    body,
  });
}

/** Whether a wire value may not be what memory holds. */
function mayDiffer(type: TypeNode, model: ApiModel, isLossless: boolean): boolean {
  return isLossless && (needsCodec(type, model) || mayHoldLongNumber(type, model));
}

/** A predicate of such a type would make the compiler take what is not of it for impossible. */
function isUnknownOrNever(type: TypeNode, model: ApiModel): boolean {
  return type.kind === "never" || mayTakeUndefined(type, model);
}

function violationsFunction({ name, comment }: ContractType, violation: string): FunctionDeclaration {
  return functionOf({
    name: violationsName(name),
    comment: {
      prose: [`Every way in which a wire value does not match \`${name}\`. \`pointer\` is where the value stands.`],
      tags: comment.tags.filter(isOrigin),
    },
    parameters: [
      { name: "value", type: "unknown" },
      { name: "pointer", initializer: '""' },
    ],
    returns: `${violation}[]`,
    body: statementsCode([
      { kind: "code", code: `const violations: ${violation}[] = [];` },
      { kind: "code", code: [call(reportName(name), ["value", "pointer", "violations"]), ";"] },
      { kind: "code", code: "return violations;" },
    ]),
  });
}

function reportFunction(
  { name, type, path, isLossless }: Omit<PartFunction, "purpose">,
  scope: ValidatorScope,
  violation: string,
): FunctionDeclaration {
  const body = ReportWriter.body(type, path, scope, isLossless);
  return internalFunction(name, reportParameters(violation), "void", body);
}

function partFunction(part: PartFunction, scope: ValidatorScope, violation: string): FunctionDeclaration {
  const { name, purpose, type, path, isLossless } = part;
  if (purpose === "report") return reportFunction(part, scope, violation);
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
function withUnderscores(parameters: Parameters, body: Code): { readonly parameters: Parameters; readonly body: Code } {
  const text = renderCode(body, { width: lineWidth - 2 });
  return {
    body: lines(text.split("\n")),
    parameters: parameters.map((parameter) =>
      new RegExp(`\\b${parameter.name}\\b`).test(text) ? parameter : { ...parameter, name: `_${parameter.name}` },
    ),
  };
}

function isOrigin(tag: string): boolean {
  return tag.startsWith("@generated");
}
