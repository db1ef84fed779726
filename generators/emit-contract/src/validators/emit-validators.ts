import { declarationSeparator } from "@nodewright/output";
import { partsOfType } from "@nodewright/api-model";
import { type ApiModel, type EmittedFile, patternHazard, type TypeNode } from "@nodewright/model";
import type { SourceDeclaration } from "@nodewright/output";
import { needsCodec } from "../names/contract-facts.ts";
import { type ContractType, validatedTypes } from "../contract/contract-types.ts";
import { type Requests, RequestTable, type SettledUnit } from "../contract/requests.ts";
import { referredTypes } from "../contract/type-facts.ts";
import { deepDeclarations, isDeep } from "./deep-types.ts";
import { formatPredicates, linearPatterns } from "./format-predicates.ts";
import { helperText } from "./helpers.ts";
import { mindsEvaluation, normalModel, normalType } from "./normal-type.ts";
import type { SettledValidators, TypeFacts } from "./settled-validators.ts";
import { findStructures } from "../contract/structure.ts";
import { usedDeclarations } from "./used-declarations.ts";
import { contractFunctions, isTypePredicate, partFunction, type ValidatedType } from "./validator-functions.ts";
import { exportedByStructure, type KeyedPart, patternFlags, ValidatorScope } from "./validator-scope.ts";
import { openValidatorsFile, type ValidatorsFile } from "./validators-file.ts";

/** Emits `validators.ts`: for each type a boolean check of wire values, and a function that reports every violation. */
export function emitValidators(given: ApiModel): EmittedFile {
  return writeValidators(given).file;
}

/** A `validators.ts` with the decisions that were made while it was written. */
export interface WrittenValidators {
  readonly file: EmittedFile;
  readonly settled: SettledValidators;
}

export function writeValidators(given: ApiModel): WrittenValidators {
  const model = normalModel(given);
  const contracts = validatedTypes(model).map((contract) => ({ ...contract, type: normalType(contract.type, model) }));
  const types = withFacts(contracts, model, losslessTypes(contracts, model));
  const structures = findStructures(types.map(({ type }) => type));
  const facts = types.map((contract): TypeFacts => {
    const { name, type, isLossless, isDeep } = contract;
    const structure = structures.find(type)?.id ?? -1;
    return { name, structure, isLossless, isDeep, isPredicate: isTypePredicate(contract, model) };
  });
  const formats = formatsOf(types);
  const opened = openValidatorsFile(facts, formats, model.document);
  const settledStructures = structures.settled;
  const scope = new ValidatorScope({
    model,
    names: opened.names,
    helperNames: opened.helpers,
    deep: opened.deep,
    formats: opened.formats,
    structures,
    exported: exportedByStructure(facts),
  });
  const functions = writeFunctions(types, scope, opened);
  const { lengths, mentions, helperLength } = printUsed(functions, scope, opened);
  const requests = new RequestTable();
  const unitOf = (declarations: readonly SourceDeclaration[], requested: Requests): SettledUnit => ({
    length: declarations.reduce(
      (sum, each) => sum + (lengths.get(each) ?? 0),
      declarationSeparator.length * (declarations.length - 1),
    ),
    requests: requests.numbersOf(requested),
    helpers: requested.helpers,
    mentions: declarations.flatMap((each) => mentions.get(each) ?? []),
  });
  return {
    file: opened.file.print(),
    settled: {
      structures: settledStructures,
      mindsEvaluation: mindsEvaluation(model),
      madeTypes: scope.madeTypes,
      formats,
      types: facts.map((each, index) => {
        const { written = [], requests: requested = nothingRequested } = functions.types[index] ?? {};
        return { ...each, unit: unitOf(written, requested) };
      }),
      constants: [...scope.constants].map(([key, constant]) => ({
        key,
        name: constant.name,
        unit: unitOf([constant], nothingRequested),
      })),
      parts: functions.parts.map(({ part: { key, purpose, name, path }, written, requests: requested }) => ({
        key,
        purpose,
        name,
        path,
        unit: unitOf([written], requested),
      })),
      requests: requests.settled,
      helperLength,
    },
  };
}

const nothingRequested: Requests = { shared: [], helpers: [] };

/** Functions with their requests. */
export interface WrittenFunctions {
  /** Functions in the order of the types. */
  readonly types: readonly { readonly written: readonly SourceDeclaration[]; readonly requests: Requests }[];
  readonly parts: readonly {
    readonly part: KeyedPart;
    readonly written: SourceDeclaration;
    readonly requests: Requests;
  }[];
}

/** Writes the functions of some types, and those of the parts that these share and that do not exist yet. */
export function writeFunctions(
  types: readonly ValidatedType[],
  scope: ValidatorScope,
  { violation, memoryTypes }: ValidatorsFile,
): WrittenFunctions {
  const imported = { violation, memoryType: (name: string) => memoryTypes.get(name) ?? name };
  const written = types.map((contract) => scope.observe(() => contractFunctions(contract, scope, imported)));
  const parts: WrittenFunctions["parts"][number][] = [];
  for (let pending = scope.takeParts(); pending.length > 0; pending = scope.takeParts()) {
    for (const part of pending) parts.push({ part, ...scope.observe(() => partFunction(part, scope, violation)) });
  }
  return { types: written, parts };
}

interface PrintedFunctions {
  /** Characters of each declaration that was printed. */
  readonly lengths: ReadonlyMap<SourceDeclaration, number>;
  /** Names of shared items and of helpers in each. */
  readonly mentions: ReadonlyMap<SourceDeclaration, readonly string[]>;
  readonly helperLength: number;
}

/** Adds the exports to the file, and everything that they use. */
function printUsed(
  { types, parts }: WrittenFunctions,
  scope: ValidatorScope,
  { file, helpers, violation }: ValidatorsFile,
): PrintedFunctions {
  const constants = [...scope.constants.values()];
  const functions = [...types.flatMap(({ written }) => written), ...parts.map(({ written }) => written)];
  const used = usedDeclarations([...constants, ...functions], new Set(helpers.values()));
  const lengths = new Map(used.declarations.map((declaration) => [declaration, file.add(declaration).length]));
  const shared = new Set([
    ...helpers.values(),
    ...[...constants, ...parts.map(({ part }) => part)].map(({ name }) => name),
  ]);
  const mentions = new Map(
    [...used.mentions].map(([declaration, words]) => [declaration, words.filter((word) => shared.has(word))]),
  );
  const helperFunctions = helperText(scope.helpersIn(used.words), scope.helperNames, violation);
  return { lengths, mentions, helperLength: file.add(helperFunctions).length };
}

/** Returns the types with the facts about each. */
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
 * Returns the names of the types whose numbers are read without loss: those that need a codec, and all types that they refer to. Their wire
 * numbers may be bigints, so that their wire and memory types differ.
 */
export function losslessTypes(types: readonly ContractType[], model: ApiModel): ReadonlySet<string> {
  const converted = types.filter(({ type }) => needsCodec(type, model));
  const referred = referredTypes(
    converted.map(({ type }) => type),
    model,
  );
  return new Set([...converted.map(({ name }) => name), ...referred]);
}

/** Returns the asserted formats, as far as the runtime checks them, and `linearPatterns` where a pattern needs them. */
export function formatsOf(types: readonly ContractType[]): readonly string[] {
  const found = new Set<string>();
  const pending: TypeNode[] = types.map(({ type }) => type);
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    pending.push(...partsOfType(type));
    if (patternsOf(type).some((pattern) => patternHazard(pattern, patternFlags(pattern)) !== undefined))
      found.add(linearPatterns);
    if (type.kind !== "string" || type.assertsFormat !== true || type.format === undefined) continue;
    if (formatPredicates.has(type.format)) found.add(type.format);
  }
  return [...found];
}

function patternsOf(type: TypeNode): readonly string[] {
  if (type.kind === "string") return type.pattern === undefined ? [] : [type.pattern];
  return type.kind === "record" ? (type.patterns ?? []).map(({ pattern }) => pattern) : [];
}
