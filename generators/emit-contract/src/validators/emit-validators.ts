import { type ApiModel, createNameAllocator, type EmittedFile, partsOfType, type TypeNode } from "@nodewright/model";
import { createSourceFile, importType, importValue, needsCodec, type SourceDeclaration } from "@nodewright/output";
import { type ContractType, validatedTypes } from "../contract-types.ts";
import { type Requests, RequestTable, type SettledUnit } from "../requests.ts";
import { referredTypes } from "../type-facts.ts";
import { separator } from "../unit-texts.ts";
import { deepDeclarations, isDeep } from "./deep-types.ts";
import { formatPredicates } from "./format-predicates.ts";
import { helperNames, type HelperNames, helperText } from "./helpers.ts";
import { mindsEvaluation, normalModel, normalType } from "./normal-type.ts";
import type { SettledValidators } from "./settled-validators.ts";
import { findStructures } from "./structure.ts";
import { usedDeclarations } from "./used-declarations.ts";
import {
  contractFunctions,
  declaredFor,
  type ImportedNames,
  isTypePredicate,
  partFunction,
  type ValidatedType,
} from "./validator-functions.ts";
import { exportedByStructure, type KeyedPart, ValidatorScope } from "./validator-scope.ts";

/** `validators.ts`: for each type a boolean check of wire values, and one that names every violation. */
export function emitValidators(given: ApiModel): EmittedFile {
  return writeValidators(given).file;
}

/** A `validators.ts` with what was settled while it was written. */
export interface WrittenValidators {
  readonly file: EmittedFile;
  readonly settled: SettledValidators;
}

export function writeValidators(given: ApiModel): WrittenValidators {
  const model = normalModel(given);
  const contracts = validatedTypes(model).map((contract) => ({ ...contract, type: normalType(contract.type, model) }));
  const types = withFacts(contracts, model, losslessTypes(contracts, model));
  const declared = types.flatMap(declaredFor);
  const names = createNameAllocator(declared);
  const helpers: HelperNames = new Map(helperNames.map((name) => [name, names.allocate(name)]));
  const file = createSourceFile({
    path: "validators.ts",
    document: model.document,
    declares: [...declared, ...helpers.values()],
  });
  const formats = new Map(
    formatsOf(types).map(({ format, predicate }) => [
      format,
      file.use(importValue("@nodewright/runtime/formats", predicate)),
    ]),
  );
  for (const local of formats.values()) names.allocate(local);
  const structures = findStructures(types.map(({ type }) => type));
  const structureOf = ({ type }: ContractType): number => structures.find(type)?.id ?? -1;
  const settledStructures = structures.settled;
  const scope = new ValidatorScope({
    model,
    names,
    helperNames: helpers,
    deep: new Set(types.filter((contract) => contract.isDeep).map(({ name }) => name)),
    formats,
    structures,
    exported: exportedByStructure(types.map((contract) => ({ ...contract, structure: structureOf(contract) }))),
  });
  const violation = file.use(importType("@nodewright/runtime", "Violation"));
  const imported: ImportedNames = { violation, memoryType: (name) => file.use(importType("./types.ts", name)) };
  const written = types.map((contract) => scope.observe(() => contractFunctions(contract, scope, imported)));
  const parts: { readonly part: KeyedPart; readonly written: SourceDeclaration; readonly requests: Requests }[] = [];
  for (let pending = scope.takeParts(); pending.length > 0; pending = scope.takeParts()) {
    for (const part of pending) parts.push({ part, ...scope.observe(() => partFunction(part, scope, violation)) });
  }
  const functions = written.flatMap((each) => each.written);
  const used = usedDeclarations(
    [...scope.constants.values(), ...functions, ...parts.map((each) => each.written)],
    new Set(helpers.values()),
  );
  const lengths = new Map<SourceDeclaration, number>();
  for (const declaration of used.declarations) lengths.set(declaration, file.add(declaration).length);
  const helperLength = file.add(helperText(scope.helpersIn(used.words), scope.helperNames, violation)).length;
  const shared = new Set([
    ...helpers.values(),
    ...[...scope.constants.values(), ...parts.map(({ part }) => part)].map(({ name }) => name),
  ]);
  const requests = new RequestTable();
  const unitOf = (declarations: readonly SourceDeclaration[], asked: Requests): SettledUnit => ({
    length: declarations.reduce(
      (sum, each) => sum + (lengths.get(each) ?? 0),
      separator.length * (declarations.length - 1),
    ),
    requests: requests.numbersOf(asked),
    helpers: asked.helpers,
    mentions: declarations.flatMap((each) => (used.mentions.get(each) ?? []).filter((word) => shared.has(word))),
  });
  return {
    file: file.print(),
    settled: {
      structures: settledStructures,
      mindsEvaluation: mindsEvaluation(model),
      madeTypes: scope.madeTypes,
      formats: [...formats.keys()],
      types: types.map((contract, index) => ({
        name: contract.name,
        structure: structureOf(contract),
        isLossless: contract.isLossless,
        isDeep: contract.isDeep,
        isPredicate: isTypePredicate(contract, model),
        unit: unitOf(written[index]?.written ?? [], written[index]?.requests ?? { shared: [], helpers: [] }),
      })),
      constants: [...scope.constants].map(([key, declaration]) => ({
        key,
        name: declaration.name,
        unit: unitOf([declaration], { shared: [], helpers: [] }),
      })),
      parts: parts.map((each) => ({
        key: each.part.key,
        purpose: each.part.purpose,
        name: each.part.name,
        path: each.part.path,
        unit: unitOf([each.written], each.requests),
      })),
      requests: requests.settled,
      helperLength,
    },
  };
}

/** The types with what is known of each. */
export function withFacts(
  contracts: readonly ContractType[],
  model: ApiModel,
  lossless: ReadonlySet<string>,
): readonly ValidatedType[] {
  const deep = deepDeclarations(model);
  return contracts.map((contract) => ({
    ...contract,
    isLossless: lossless.has(contract.name),
    isDeep: isDeep(contract.type, model, deep),
  }));
}

/**
 * The types whose numbers are read without loss: those that need a codec, and all that they refer to. Their wire numbers may be
 * bigints, so that their wire and memory differ.
 */
export function losslessTypes(types: readonly ContractType[], model: ApiModel): ReadonlySet<string> {
  const converted = types.filter(({ type }) => needsCodec(type, model));
  const referred = referredTypes(
    converted.map(({ type }) => type),
    model,
  );
  return new Set([...converted.map(({ name }) => name), ...referred]);
}

/** The formats that are asserted, each with the runtime's function that checks it. */
export function formatsOf(
  types: readonly ContractType[],
): readonly { readonly format: string; readonly predicate: string }[] {
  const found = new Map<string, string>();
  const pending: TypeNode[] = types.map(({ type }) => type);
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    pending.push(...partsOfType(type));
    if (type.kind !== "string" || type.assertsFormat !== true || type.format === undefined) continue;
    const predicate = formatPredicates.get(type.format);
    if (predicate !== undefined) found.set(type.format, predicate);
  }
  return [...found].map(([format, predicate]) => ({ format, predicate }));
}
