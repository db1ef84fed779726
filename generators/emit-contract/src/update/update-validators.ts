import type { ApiModel, EmittedFile } from "@nodewright/model";
import {
  type ConstantDeclaration,
  createSourceFile,
  type SourceDeclaration,
  declarationSeparator,
} from "@nodewright/output";
import { requestedKeys, type Expectation, remembered, replay, type ReplayedUnit, sharedKey } from "./replay.ts";
import { type Requests, RequestTable, type SettledUnit, type SharedRequest } from "../contract/requests.ts";
import { unitTexts } from "./unit-texts.ts";
import { compareStructures, type SliceStructures } from "./compare-structures.ts";
import { formatsOf, writeFunctions } from "../validators/emit-validators.ts";
import { type HelperName, helperNames, helperText } from "../validators/helpers.ts";
import { mindsEvaluation } from "../validators/normal-type.ts";
import type { SettledPart, SettledValidators, TypeFacts } from "../validators/settled-validators.ts";
import { wordsOf } from "../validators/used-declarations.ts";
import { type SettledNames, ValidatorScope, wantedPartName } from "../validators/validator-scope.ts";
import { type Slice, sliceOf } from "./validator-slice.ts";
import { openValidatorsFile } from "../validators/validators-file.ts";

/** The operations that change, before and after, and the previous file of the complete document. */
export interface ValidatorsChange {
  readonly before: ApiModel;
  readonly after: ApiModel;
  readonly text: string;
  readonly settled: SettledValidators;
}

interface Doubt {
  readonly doubt: string;
}

export type ValidatorsUpdate = { readonly file: EmittedFile; readonly settled: SettledValidators } | Doubt;

/**
 * Rewrites the functions of the changed operations, and keeps all others as they are in the file.
 *
 * Everything that a function of another operation depends on is preserved: whether its parts are shared and with which types, their names,
 * and their order. The previous operations must produce exactly the functions that are in the file.
 */
export function updateValidators({ before, after, text, settled }: ValidatorsChange): ValidatorsUpdate {
  const old = sliceOf(before);
  const now = sliceOf(after);
  const doubt = doubtOfFacts(old, now, settled);
  if (doubt !== undefined) return { doubt };
  const structures = compareStructures(old, now, settled);
  if ("doubt" in structures) return structures;
  const texts = textsOf(text, settled);
  if (texts === undefined) return { doubt: "the file is not as long as was remembered" };
  const doubtOfText = doubtOfOld(writeSlice(old, settled, structures.old), settled, texts);
  if (doubtOfText !== undefined) return { doubt: doubtOfText };
  const written = writeSlice(now, settled, structures.now);
  // Its name depends on its position among all others.
  if (written.isNameMoved) return { doubt: "something new is called like something else" };
  return assemble(now, settled, { texts, written, structures: structures.now });
}

/** Returns why functions of other operations may be affected, by the facts about complete types. */
function doubtOfFacts(old: Slice, now: Slice, settled: SettledValidators): string | undefined {
  const settledTypes = new Map(settled.types.map((type) => [type.name, type]));
  const isRemembered = old.types.every((type) => {
    const known = settledTypes.get(type.name);
    return known?.isLossless === type.isLossless && known.isDeep === type.isDeep;
  });
  if (!isRemembered) return "the types of the operation are not as they were remembered";
  if (namesOf(old) !== namesOf(now)) return "the operation has other types";
  if ([old, now].some(({ model }) => mindsEvaluation(model) !== settled.mindsEvaluation))
    return "the requirements of other types on alternatives are not known";
  const losslessDeclarations = new Set(settled.types.filter(({ isLossless }) => isLossless).map(({ name }) => name));
  if (!isWithin(old.lossless, now.lossless) || !isWithin(now.lossless, losslessDeclarations))
    return "other numbers are read without loss";
  const formats = [old, now].map(({ types }) => new Set(formatsOf(types)));
  const [oldFormats = new Set(), nowFormats = new Set()] = formats;
  if (!isWithin(oldFormats, nowFormats) || !isWithin(nowFormats, new Set(settled.formats)))
    return "other formats are checked";
  return undefined;
}

function namesOf({ types }: Slice): string {
  return types.map(({ name }) => name).join();
}

function isWithin(names: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...names].every((name) => others.has(name));
}

interface WrittenUnit {
  readonly declarations: readonly SourceDeclaration[];
  readonly requests: Requests;
}

type WrittenPart = WrittenUnit & Omit<SettledPart, "unit">;

/** The output for the types of some operations. */
interface WrittenSlice {
  /** Units by name of the type. */
  readonly types: ReadonlyMap<string, WrittenUnit>;
  /** Shared items that did not exist before. */
  readonly constants: ReadonlyMap<string, ConstantDeclaration>;
  readonly parts: ReadonlyMap<string, WrittenPart>;
  readonly madeTypes: number;
  /** Whether a new item could not get its preferred name: then its name depends on its position among all others. */
  readonly isNameMoved: boolean;
}

/** Writes functions as they are written together with those of the complete document. */
function writeSlice({ model, types }: Slice, settled: SettledValidators, structures: SliceStructures): WrittenSlice {
  const opened = openValidatorsFile(structures.types, settled.formats, model.document);
  for (const name of namesOfOthers(settled, new Set(types.map((type) => type.name)))) opened.names.allocate(name);
  const scope = new ValidatorScope({
    model,
    names: opened.names,
    helperNames: opened.helpers,
    deep: opened.deep,
    formats: opened.formats,
    structures: structures.structures,
    exported: structures.exported,
    settled: settledNames(settled),
  });
  const written = writeFunctions(types, scope, opened);
  const { constants, madeTypes, isNameMoved } = scope;
  return {
    types: new Map(
      types.map(({ name }, index) => {
        const { written: declarations = [], requests = nothingRequested } = written.types[index] ?? {};
        return [name, { declarations, requests }];
      }),
    ),
    constants,
    parts: new Map(
      written.parts.map(({ part: { key, purpose, name, path }, written: declaration, requests }) => [
        key,
        { declarations: [declaration], requests, key, purpose, name, path },
      ]),
    ),
    madeTypes,
    isNameMoved,
  };
}

const nothingRequested: Requests = { shared: [], helpers: [] };

/**
 * Returns the names of items that functions of other types share. An item that only these types have may pass its name on to its
 * replacement.
 */
function namesOfOthers(settled: SettledValidators, own: ReadonlySet<string>): readonly string[] {
  const parts = new Map(settled.parts.map(({ key, unit }) => [key, unit]));
  const unitOf = ({ requests }: SettledUnit): ReplayedUnit => ({ shared: remembered(requests, settled.requests) });
  const others = settled.types.filter(({ name }) => !own.has(name)).map(({ unit }) => unitOf(unit));
  const requested = requestedKeys(others, (key) => {
    const unit = parts.get(key);
    return unit && unitOf(unit);
  });
  const shared = [
    ...settled.constants.map(({ key, name }) => ({ kind: "constant", key, name }) as const),
    ...settled.parts.map(({ key, name }) => ({ kind: "part", key, name }) as const),
  ];
  return shared.filter((one) => requested.has(sharedKey(one))).map(({ name }) => name);
}

function settledNames({ constants, parts, madeTypes }: SettledValidators): SettledNames {
  return {
    constants: new Map(constants.map(({ key, name }) => [key, name])),
    parts: new Map(parts.map(({ key, name }) => [key, name])),
    madeTypes,
  };
}

/** Returns why the output for the previous types differs from the file. */
function doubtOfOld(
  { types, constants, parts }: WrittenSlice,
  settled: SettledValidators,
  texts: Texts,
): string | undefined {
  if (constants.size > 0 || parts.size > 0) return "the operation shares what was not remembered";
  const known = new Map(settled.types.map(({ name, unit }) => [name, unit]));
  for (const [name, { declarations, requests }] of types) {
    const unit = known.get(name);
    const requested = JSON.stringify(remembered(unit?.requests ?? [], settled.requests));
    if (requested !== JSON.stringify(requests.shared) || unit?.helpers.join() !== requests.helpers.join())
      return `${name} needs other parts`;
    if (texts.types.get(name) !== printed(declarations)) return `the functions of ${name} come out otherwise`;
  }
  return undefined;
}

/** Texts in the file. */
interface Texts {
  readonly constants: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, string>;
  readonly parts: ReadonlyMap<string, string>;
}

function textsOf(text: string, settled: SettledValidators): Texts | undefined {
  const groups = [
    { units: settled.constants, isClose: true },
    { units: settled.types, isClose: false },
    { units: settled.parts, isClose: false },
  ];
  const found = unitTexts(text, groups, settled.helperLength);
  if (found === undefined) return undefined;
  const [constants = [], types = [], parts = []] = found;
  return {
    constants: new Map(settled.constants.map(({ key }, index) => [key, constants[index] ?? ""])),
    types: new Map(settled.types.map(({ name }, index) => [name, types[index] ?? ""])),
    parts: new Map(settled.parts.map(({ key }, index) => [key, parts[index] ?? ""])),
  };
}

/** Returns declarations as they are printed in a file. */
function printed(declarations: readonly SourceDeclaration[]): string {
  const file = createSourceFile({ path: "", document: "", declares: [] });
  return declarations.map((declaration) => file.add(declaration)).join(declarationSeparator);
}

/** A unit of the current file. */
interface Unit {
  readonly text: string;
  readonly shared: readonly SharedRequest[];
  readonly helpers: readonly string[];
  readonly mentions: readonly string[];
}

/** All units of the current file. */
interface Units {
  readonly types: readonly (TypeFacts & Unit)[];
  /** Units by key. */
  readonly constants: ReadonlyMap<string, Unit & { readonly name: string }>;
  readonly parts: ReadonlyMap<string, Unit & Omit<SettledPart, "unit">>;
}

function unitsOf(
  written: WrittenSlice,
  settled: SettledValidators,
  {
    texts,
    structures,
    words,
  }: { readonly texts: Texts; readonly structures: SliceStructures; readonly words: ReadonlySet<string> },
): Units {
  const kept = (text: string | undefined, { requests, helpers, mentions }: SettledUnit): Unit => ({
    text: text ?? "",
    shared: remembered(requests, settled.requests),
    helpers,
    mentions,
  });
  const fresh = ({ declarations, requests: { shared, helpers } }: WrittenUnit): Unit => ({
    text: printed(declarations),
    shared,
    helpers,
    mentions: declarations.flatMap((declaration) =>
      [...new Set(wordsOf(declaration))].filter((word) => words.has(word)),
    ),
  });
  return {
    types: structures.types.map((type, index) => {
      const own = written.types.get(type.name);
      const unit = settled.types[index]?.unit ?? noUnit;
      return { ...type, ...(own === undefined ? kept(texts.types.get(type.name), unit) : fresh(own)) };
    }),
    constants: new Map([
      ...settled.constants.map(
        ({ key, name, unit }) => [key, { name, ...kept(texts.constants.get(key), unit) }] as const,
      ),
      ...[...written.constants].map(
        ([key, constant]) =>
          [key, { name: constant.name, ...fresh({ declarations: [constant], requests: nothingRequested }) }] as const,
      ),
    ]),
    parts: new Map([
      ...settled.parts.map(
        ({ unit, ...part }) => [part.key, { ...part, ...kept(texts.parts.get(part.key), unit) }] as const,
      ),
      ...[...written.parts].map(
        ([key, { key: _, purpose, name, path, ...unit }]) =>
          [key, { key, purpose, name, path, ...fresh(unit) }] as const,
      ),
    ]),
  };
}

const noUnit: SettledUnit = { length: 0, requests: [], helpers: [], mentions: [] };

/** Assembles the file: repeats the requests for everything that functions share, leaves out what nothing mentions, and prints the rest. */
function assemble(
  { model }: Slice,
  settled: SettledValidators,
  {
    texts,
    written,
    structures,
  }: { readonly texts: Texts; readonly written: WrittenSlice; readonly structures: SliceStructures },
): ValidatorsUpdate {
  const opened = openValidatorsFile(structures.types, settled.formats, model.document);
  const { file, names, helpers, violation } = opened;
  const words = new Set([
    ...helpers.values(),
    ...[...settled.constants, ...settled.parts, ...written.constants.values(), ...written.parts.values()].map(
      ({ name }) => name,
    ),
  ]);
  const units = unitsOf(written, settled, { texts, structures, words });
  const order = replay(units.types, {
    allocate: (wanted) => names.allocate(wanted),
    wanted: ({ kind, key, stem }) => (kind === "constant" ? stem : wantedPartName(purposeOf(key), stem)),
    expected: expectationsOf(units),
    partUnit: (key) => units.parts.get(key),
  });
  if ("doubt" in order) return order;
  const constants = order.constants.flatMap((key) => entryOf(units.constants, key));
  const parts = order.parts.flatMap((key) => entryOf(units.parts, key));
  const used = mentionedFrom(units.types, [...constants.map(([, unit]) => unit), ...parts.map(([, unit]) => unit)]);
  const isPrinted = ({ name }: { readonly name: string }): boolean => used.has(name);
  const isOpen = [...constants, ...parts].some(([, unit]) => isPrinted(unit) && unit.text === "");
  const isIdle = [...written.constants.values(), ...written.parts.values()].some((unit) => !isPrinted(unit));
  // An item that was left out before has no text; and other functions were not searched for a new name among their words.
  if (isOpen || isIdle) return { doubt: "a shared function is used otherwise" };
  for (const [, unit] of constants.filter(([, one]) => isPrinted(one)))
    file.add({ kind: "text", text: unit.text, isPlainConstant: true });
  for (const { text } of units.types) file.add({ kind: "text", text });
  for (const [, unit] of parts.filter(([, one]) => isPrinted(one))) file.add({ kind: "text", text: unit.text });
  const requested = new Set([...units.types, ...parts.map(([, unit]) => unit)].flatMap((unit) => unit.helpers));
  const needed = helperNames.filter((name) => requested.has(name) && used.has(helpers.get(name) ?? name));
  const helperLength = file.add(helperText(new Set<HelperName>(needed), helpers, violation)).length;
  const requests = new RequestTable();
  const settledUnit = ({ text, shared, helpers: own, mentions }: Unit, isLeft = true): SettledUnit => ({
    length: isLeft ? text.length : 0,
    requests: requests.numbersOf({ shared, helpers: [] }),
    helpers: own,
    mentions,
  });
  return {
    file: file.print(),
    settled: {
      structures: structures.table.settled,
      mindsEvaluation: settled.mindsEvaluation,
      madeTypes: written.madeTypes,
      formats: settled.formats,
      types: units.types.map((unit) => {
        const { name, structure, isLossless, isDeep, isPredicate } = unit;
        return { name, structure, isLossless, isDeep, isPredicate, unit: settledUnit(unit) };
      }),
      constants: constants.map(([key, unit]) => ({ key, name: unit.name, unit: settledUnit(unit, isPrinted(unit)) })),
      parts: parts.map(([key, unit]) => {
        const { purpose, name, path } = unit;
        return { key, purpose, name, path, unit: settledUnit(unit, isPrinted(unit)) };
      }),
      requests: requests.settled,
      helperLength,
    },
  };
}

function purposeOf(key: string): SettledPart["purpose"] {
  return key.slice(0, key.indexOf(" ")) as SettledPart["purpose"];
}

function expectationsOf({ constants, parts }: Units): ReadonlyMap<string, Expectation> {
  return new Map([
    ...[...constants].map(([key, { name }]) => [sharedKey({ kind: "constant", key }), { name }] as const),
    ...[...parts].map(([key, { name, path }]) => [sharedKey({ kind: "part", key }), { name, stem: path }] as const),
  ]);
}

function entryOf<Value>(entries: ReadonlyMap<string, Value>, key: string): readonly (readonly [string, Value])[] {
  const value = entries.get(key);
  return value === undefined ? [] : [[key, value]];
}

/** Returns the words that some units mention, directly or through the units with these names. */
function mentionedFrom(
  roots: readonly Unit[],
  others: readonly (Unit & { readonly name: string })[],
): ReadonlySet<string> {
  const byName = new Map(others.map((unit) => [unit.name, unit]));
  const mentioned = new Set(roots.flatMap(({ mentions }) => mentions));
  // The set grows during iteration: additions are visited too.
  for (const name of mentioned) for (const other of byName.get(name)?.mentions ?? []) mentioned.add(other);
  return mentioned;
}
