import { type ApiModel, createNameAllocator, type EmittedFile } from "@nodewright/model";
import { type FunctionDeclaration, importType, type SourceFile } from "@nodewright/output";
import { needsCodec } from "../names/contract-facts.ts";
import { type ContractType, contractsOfOperations } from "../contract/contract-types.ts";
import { requestedKeys, type Expectation, remembered, replay, type ReplayedUnit, sharedKey } from "./replay.ts";
import { type Requests, RequestTable, type SettledUnit, type SharedRequest } from "../contract/requests.ts";
import { unitTexts } from "./unit-texts.ts";
import { StructureTable } from "../contract/structure.ts";
import type { Direction } from "../codecs/alternatives.ts";
import { CodecWriter, wantedCodecName, type WrittenCodecPart } from "../codecs/codec-writer.ts";
import { codecHelperText, codecsOf, declaredNames, openCodecFile, type WrittenCodec } from "../codecs/emit-codecs.ts";
import type { SettledCodecPart, SettledCodecs } from "../codecs/settled-codecs.ts";

/** The operations that change, before and after, and the previous file of the complete document. */
export interface CodecsChange {
  readonly before: ApiModel;
  readonly after: ApiModel;
  readonly text: string;
  readonly settled: SettledCodecs;
}

export type CodecsUpdate = { readonly file: EmittedFile; readonly settled: SettledCodecs } | { readonly doubt: string };

/** Returns the types of operations where wire and memory differ. */
export function convertedContracts(model: ApiModel): readonly ContractType[] {
  return contractsOfOperations(model).filter(({ type }) => needsCodec(type, model));
}

/** Rewrites the functions of the changed operations and keeps all others, as `updateValidators` does. */
export function updateCodecs({ before, after, text, settled }: CodecsChange): CodecsUpdate {
  const old = writeSlice(before, settled);
  const now = writeSlice(after, settled);
  if (typeNames(old) !== typeNames(now)) return { doubt: "the operation has other types that are converted" };
  const texts = textsOf(text, settled);
  if (texts === undefined) return { doubt: "the file is not as long as was remembered" };
  const doubt = doubtOfOld(old, settled, texts);
  if (doubt !== undefined) return { doubt };
  // Its name depends on its position among all others.
  if (now.isNameMoved) return { doubt: "something new is called like something else" };
  return assemble(after, settled, { texts, written: now });
}

interface WrittenSlice {
  /** Functions by name of the type. */
  readonly types: ReadonlyMap<string, { readonly decoder: WrittenCodec; readonly encoder: WrittenCodec }>;
  /** Functions that did not exist before. */
  readonly parts: Readonly<Record<Direction, readonly WrittenCodecPart[]>>;
  readonly structures: StructureTable;
  readonly isNameMoved: boolean;
}

function typeNames({ types }: WrittenSlice): string {
  return [...types.keys()].join();
}

function writeSlice(model: ApiModel, settled: SettledCodecs): WrittenSlice {
  const structures = new StructureTable(settled.structures);
  const declared = declaredNames(settled.types);
  const contracts = convertedContracts(model);
  const own = new Set(contracts.map(({ name }) => name));
  const writer = (direction: Direction): CodecWriter =>
    new CodecWriter({
      model,
      direction,
      declared,
      structures,
      settled: new Map(settled[direction].map(({ key, name }) => [key, name])),
      taken: namesOfOthers(settled, direction, own),
    });
  const [decode, encode] = [writer("decode"), writer("encode")];
  const file = openWithImports(model.document, settled);
  const types = new Map(contracts.map((contract) => [contract.name, codecsOf(contract, { decode, encode, file })]));
  const parts = { decode: decode.parts(), encode: encode.parts() };
  return { types, parts, structures, isNameMoved: decode.isNameMoved || encode.isNameMoved };
}

/**
 * Returns the names of parts that functions of other types share. A part that only these types have may pass its name on to its
 * replacement.
 */
function namesOfOthers(settled: SettledCodecs, direction: Direction, own: ReadonlySet<string>): readonly string[] {
  const parts = new Map(settled[direction].map(({ key, unit }) => [key, unit]));
  const unitOf = ({ requests }: SettledUnit): ReplayedUnit => ({ shared: remembered(requests, settled.requests) });
  const others = settled.types.filter(({ name }) => !own.has(name)).map((type) => unitOf(type[direction]));
  const requested = requestedKeys(others, (key) => {
    const unit = parts.get(key);
    return unit && unitOf(unit);
  });
  return settled[direction]
    .filter(({ key }) => requested.has(sharedKey({ kind: "part", key })))
    .map(({ name }) => name);
}

/** Opens a file with the same names for the types of the document as the previous file. */
function openWithImports(document: string, { types }: SettledCodecs): SourceFile {
  const file = openCodecFile(document, types);
  for (const { name } of types) file.use(importType("./types.ts", name));
  return file;
}

function doubtOfOld({ types, parts }: WrittenSlice, settled: SettledCodecs, texts: Texts): string | undefined {
  if (parts.decode.length + parts.encode.length > 0) return "the operation shares what was not remembered";
  const known = new Map(settled.types.map((type) => [type.name, type]));
  const isSame = ({ declaration, requests }: WrittenCodec, unit: SettledUnit | undefined, text: string): boolean =>
    unit !== undefined &&
    JSON.stringify(remembered(unit.requests, settled.requests)) === JSON.stringify(requests.shared) &&
    unit.helpers.join() === requests.helpers.join() &&
    text === printed(declaration);
  for (const [name, { decoder, encoder }] of types) {
    const [decoding = "", encoding = ""] = texts.types.get(name) ?? [];
    const unit = known.get(name);
    if (!isSame(decoder, unit?.decode, decoding) || !isSame(encoder, unit?.encode, encoding))
      return `the functions of ${name} come out otherwise`;
  }
  return undefined;
}

/** Texts in the file. */
interface Texts {
  /** Texts of the decoder and of the encoder. */
  readonly types: ReadonlyMap<string, readonly string[]>;
  readonly decode: ReadonlyMap<string, string>;
  readonly encode: ReadonlyMap<string, string>;
}

function textsOf(text: string, { types, decode, encode, helperLength }: SettledCodecs): Texts | undefined {
  const exported = types.flatMap((type) => [{ unit: type.decode }, { unit: type.encode }]);
  const groups = [exported, decode, encode].map((units) => ({ units, isClose: false }));
  const found = unitTexts(text, groups, helperLength);
  if (found === undefined) return undefined;
  const [ofTypes = [], ofDecode = [], ofEncode = []] = found;
  return {
    types: new Map(types.map(({ name }, index) => [name, ofTypes.slice(2 * index, 2 * index + 2)])),
    decode: new Map(decode.map(({ key }, index) => [key, ofDecode[index] ?? ""])),
    encode: new Map(encode.map(({ key }, index) => [key, ofEncode[index] ?? ""])),
  };
}

/** Returns a function as it is printed in a file. */
function printed(declaration: FunctionDeclaration): string {
  return openCodecFile("", []).add(declaration);
}

/** A function of the current file. */
interface Unit {
  readonly text: string;
  readonly shared: readonly SharedRequest[];
  readonly helpers: readonly string[];
}

type PartUnit = Unit & Omit<SettledCodecPart, "unit">;

/** Assembles the file: repeats the requests for everything that functions share, and prints all functions. */
function assemble(
  { document }: ApiModel,
  settled: SettledCodecs,
  { texts, written }: { readonly texts: Texts; readonly written: WrittenSlice },
): CodecsUpdate {
  const kept = (text: string | undefined, { requests, helpers }: SettledUnit): Unit => ({
    text: text ?? "",
    shared: remembered(requests, settled.requests),
    helpers,
  });
  const types = settled.types.map(({ name, decode, encode }) => {
    const own = written.types.get(name);
    const [decoding, encoding] = texts.types.get(name) ?? [];
    return {
      name,
      decode: own === undefined ? kept(decoding, decode) : fresh(own.decoder.declaration, own.decoder.requests),
      encode: own === undefined ? kept(encoding, encode) : fresh(own.encoder.declaration, own.encoder.requests),
    };
  });
  const partsOf = (direction: Direction): ReadonlyMap<string, PartUnit> =>
    new Map([
      ...settled[direction].map(({ unit, ...part }): readonly [string, PartUnit] => [
        part.key,
        { ...part, ...kept(texts[direction].get(part.key), unit) },
      ]),
      ...written.parts[direction].map(({ key, path, declaration, requests }): readonly [string, PartUnit] => [
        key,
        { key, path, name: declaration.name, ...fresh(declaration, requests) },
      ]),
    ]);
  const decode = orderOf("decode", types, partsOf("decode"), settled);
  if ("doubt" in decode) return decode;
  const encode = orderOf("encode", types, partsOf("encode"), settled);
  if ("doubt" in encode) return encode;
  const file = openWithImports(document, settled);
  const units = [...types.flatMap((type) => [type.decode, type.encode]), ...decode.parts, ...encode.parts];
  for (const { text } of units) file.add({ kind: "text", text });
  const helperLength = file.add(codecHelperText(new Set(units.flatMap(({ helpers }) => helpers)), file)).length;
  const table = new RequestTable();
  const settledUnit = ({ text, shared, helpers }: Unit): SettledUnit => ({
    length: text.length,
    requests: table.numbersOf({ shared, helpers }),
    helpers,
    mentions: [],
  });
  const settledPart = (part: PartUnit): SettledCodecPart => {
    const { key, path, name } = part;
    return { key, path, name, unit: settledUnit(part) };
  };
  return {
    file: file.print(),
    settled: {
      structures: written.structures.settled,
      types: types.map((type) => ({
        name: type.name,
        decode: settledUnit(type.decode),
        encode: settledUnit(type.encode),
      })),
      decode: decode.parts.map(settledPart),
      encode: encode.parts.map(settledPart),
      requests: table.settled,
      helperLength,
    },
  };
}

function fresh(declaration: FunctionDeclaration, { shared, helpers }: Requests): Unit {
  return { text: printed(declaration), shared, helpers };
}

/** Returns the parts of one direction in file order. */
function orderOf(
  direction: Direction,
  types: readonly Readonly<Record<Direction, Unit>>[],
  parts: ReadonlyMap<string, PartUnit>,
  settled: SettledCodecs,
): { readonly parts: readonly PartUnit[] } | { readonly doubt: string } {
  const allocator = createNameAllocator(declaredNames(settled.types));
  const order = replay(
    types.map((type) => type[direction]),
    {
      allocate: (wanted) => allocator.allocate(wanted),
      wanted: ({ stem }) => wantedCodecName(direction, stem),
      expected: new Map(
        [...parts].map(([key, { name, path }]): readonly [string, Expectation] => [
          sharedKey({ kind: "part", key }),
          { name, stem: path },
        ]),
      ),
      partUnit: (key) => parts.get(key),
    },
  );
  if ("doubt" in order) return order;
  return { parts: order.parts.flatMap((key) => parts.get(key) ?? []) };
}
