import {
  type ApiModel,
  createNameAllocator,
  type EmittedFile,
  type NameAllocator,
  partsOfType,
  type TypeNode,
} from "@nodewright/model";
import {
  call,
  type Code,
  createSourceFile,
  type DocComment,
  finishLines,
  type FunctionDeclaration,
  importType,
  importValue,
  needsCodec,
  predicateName,
  type SourceDeclaration,
  type SourceFile,
  violationsName,
} from "@nodewright/output";
import { type ContractType, validatedTypes } from "../contract-types.ts";
import { mayHoldLongNumber, referredTypes } from "../type-facts.ts";
import { CheckWriter } from "./check-writer.ts";
import { test } from "./condition.ts";
import { deepDeclarations, isDeep } from "./deep-types.ts";
import { EvaluateWriter } from "./evaluate-writer.ts";
import { formatPredicates } from "./format-predicates.ts";
import { helperNames, type HelperNames, helperText } from "./helpers.ts";
import { normalModel, normalType } from "./normal-type.ts";
import { ReportWriter } from "./report-writer.ts";
import { usedDeclarations } from "./used-declarations.ts";
import { failWhen, type Statement, statement, statementsCode } from "./statement.ts";
import { checkName, type PartFunction, reportName, ValidatorScope } from "./validator-scope.ts";
import { mayTakeUndefined } from "./value-kind.ts";

/** `validators.ts`: for each type a boolean check of wire values, and one that names every violation. */
export function emitValidators(given: ApiModel): EmittedFile {
  const model = normalModel(given);
  const types = validatedTypes(model).map((contract) => ({ ...contract, type: normalType(contract.type, model) }));
  const lossless = losslessTypes(types, model);
  const deep = deepTypes(types, model);
  const declared = types.flatMap(({ name }) => [
    predicateName(name),
    violationsName(name),
    reportName(name),
    ...(deep.has(name) ? [checkName(name)] : []),
  ]);
  const names = createNameAllocator(declared);
  const helpers: HelperNames = new Map(helperNames.map((name) => [name, names.allocate(name)]));
  const file = createSourceFile({
    path: "validators.ts",
    document: model.document,
    declares: [...declared, ...helpers.values()],
  });
  const scope = new ValidatorScope({
    model,
    names,
    helperNames: helpers,
    deep,
    formats: formatsOf(types, file, names),
    exported: types.map(({ name, type }) => ({ name, type, isLossless: lossless.has(name) })),
  });
  const violation = file.use(importType("@nodewright/runtime", "Violation"));
  const functions = types.flatMap((contract): SourceDeclaration[] => [
    ...checkFunctions(contract, scope, file, lossless.has(contract.name)),
    violationsFunction(contract, violation, scope),
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
  const used = usedDeclarations([...scope.constants, ...functions, ...parts]);
  const helperFunctions = helperText(scope.helpersIn(used.words), scope.helperNames, violation);
  for (const declaration of [...used.declarations, helperFunctions]) file.add(declaration);
  return file.print();
}

/** The types whose values may be nested without end. */
function deepTypes(types: readonly ContractType[], model: ApiModel): ReadonlySet<string> {
  const declarations = deepDeclarations(model);
  return new Set(types.filter(({ type }) => isDeep(type, model, declarations)).map(({ name }) => name));
}

/**
 * The types whose numbers are read without loss: those that need a codec, and all that they refer to. Their wire numbers may be
 * bigints, so that their wire and memory differ.
 */
function losslessTypes(types: readonly ContractType[], model: ApiModel): ReadonlySet<string> {
  const converted = types.filter(({ type }) => needsCodec(type, model));
  const referred = referredTypes(
    converted.map(({ type }) => type),
    model,
  );
  return new Set([...converted.map(({ name }) => name), ...referred]);
}

/** The formats that are asserted, each with the function that checks it. */
function formatsOf(
  types: readonly ContractType[],
  file: SourceFile,
  names: NameAllocator,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const pending: TypeNode[] = types.map(({ type }) => type);
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    pending.push(...partsOfType(type));
    if (type.kind !== "string" || type.assertsFormat !== true || type.format === undefined) continue;
    const predicate = formatPredicates.get(type.format);
    if (predicate === undefined || found.has(type.format)) continue;
    const local = file.use(importValue("@nodewright/runtime/formats", predicate));
    names.allocate(local);
    found.set(type.format, local);
  }
  return found;
}

/** The exported check; of a type whose values may be nested without end it guards another one, which does the work. */
function checkFunctions(
  { name, type, comment }: ContractType,
  scope: ValidatorScope,
  file: SourceFile,
  isLossless: boolean,
): readonly FunctionDeclaration[] {
  const isPredicate = !mayDiffer(type, scope.model, isLossless) && !isUnknownOrNever(type, scope.model);
  const returns = isPredicate ? `value is ${file.use(importType("./types.ts", name))}` : "boolean";
  const isGuarded = scope.predicate(name) !== predicateName(name);
  const equal = scope.findExported(type, isLossless);
  const body =
    equal === undefined || equal === name
      ? CheckWriter.body(type, name, scope, isLossless)
      : [statement(["return ", call(scope.predicate(equal), ["value"]), ";"])];
  const exported = functionOf({
    name: predicateName(name),
    comment: { prose: [`Whether a wire value matches \`${name}\`.`], tags: comment.tags.filter(isOrigin) },
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
  return [failWhen(test("value === undefined", "value !== undefined"))];
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
      prose: [`Every way in which a wire value does not match \`${name}\`. \`pointer\` is where the value stands.`],
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

function partFunction(part: PartFunction, scope: ValidatorScope, violation: string): FunctionDeclaration {
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
