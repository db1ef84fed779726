import type { ApiModel, EmittedFile } from "@nodewright/model";
import {
  call,
  createSourceFile,
  type DocComment,
  type FunctionDeclaration,
  importType,
  importValue,
  renderTemplate,
  type SourceFile,
  type TextDeclaration,
} from "@nodewright/output";
import { needsCodec } from "../names/contract-facts.ts";
import { decoderName, encoderName } from "../names/contract-names.ts";
import { type ContractType, validatedTypes } from "../contract/contract-types.ts";
import { type Requests, RequestTable, type SettledUnit } from "../contract/requests.ts";
import { StructureTable } from "../contract/structure.ts";
import type { Direction } from "./alternatives.ts";
import { type CodecHelper, codecHelpers, CodecWriter, type WrittenCodecPart } from "./codec-writer.ts";
import type { SettledCodecPart, SettledCodecs } from "./settled-codecs.ts";

/** A `codecs.ts` with the decisions that were made while it was written. */
export interface WrittenCodecs {
  readonly file: EmittedFile;
  readonly settled: SettledCodecs;
}

/** Emits `codecs.ts`: conversions from wire to memory and back for the types where they differ; undefined without such types. */
export function emitCodecs(model: ApiModel): EmittedFile | undefined {
  return writeCodecs(model)?.file;
}

export function writeCodecs(model: ApiModel): WrittenCodecs | undefined {
  const types = validatedTypes(model).filter(({ type }) => needsCodec(type, model));
  if (types.length === 0) return undefined;
  const file = openCodecFile(model.document, types);
  const structures = new StructureTable();
  const declared = declaredNames(types);
  const decode = new CodecWriter({ model, direction: "decode", declared, structures });
  const encode = new CodecWriter({ model, direction: "encode", declared, structures });
  const written = types.map((contract) => ({ name: contract.name, ...codecsOf(contract, { decode, encode, file }) }));
  const decodeParts = decode.parts();
  const encodeParts = encode.parts();
  const table = new RequestTable();
  const unitOf = (declaration: FunctionDeclaration, { shared, helpers }: Requests): SettledUnit => ({
    length: file.add(declaration).length,
    requests: table.numbersOf({ shared, helpers }),
    helpers,
    mentions: [],
  });
  const settledTypes = written.map(({ name, decoder, encoder }) => ({
    name,
    decode: unitOf(decoder.declaration, decoder.requests),
    encode: unitOf(encoder.declaration, encoder.requests),
  }));
  const settledPart = ({ key, path, declaration, requests }: WrittenCodecPart): SettledCodecPart => ({
    key,
    path,
    name: declaration.name,
    unit: unitOf(declaration, requests),
  });
  const parts = { decode: decodeParts.map(settledPart), encode: encodeParts.map(settledPart) };
  const requested = [
    ...settledTypes.flatMap((type) => [type.decode, type.encode]),
    ...[...parts.decode, ...parts.encode].map(({ unit }) => unit),
  ].flatMap(({ helpers }) => helpers);
  const helperLength = file.add(codecHelperText(new Set(requested), file)).length;
  return {
    file: file.print(),
    settled: { structures: structures.settled, types: settledTypes, ...parts, requests: table.settled, helperLength },
  };
}

/** Opens an empty `codecs.ts`. */
export function openCodecFile(document: string, types: readonly Pick<ContractType, "name">[]): SourceFile {
  return createSourceFile({
    path: "codecs.ts",
    document,
    declares: [...declaredNames(types), ...codecHelpers, "Members"],
  });
}

/** Returns the names of the exported functions and of the fixed ones. */
export function declaredNames(types: readonly Pick<ContractType, "name">[]): readonly string[] {
  return [...types.flatMap(({ name }) => [decoderName(name), encoderName(name)]), ...codecHelpers, "Members"];
}

/** Returns the functions with a fixed text that others call. */
export function codecHelperText(requested: ReadonlySet<string>, file: SourceFile): TextDeclaration {
  const names = Object.fromEntries(
    runtimeFunctions.map(({ name, helper }) => [
      name,
      requested.has(helper) ? file.use(importValue("@nodewright/runtime", name)) : name,
    ]),
  );
  const flags = Object.fromEntries(codecHelpers.map((helper) => [helper, requested.has(helper)]));
  const text = renderTemplate("codec-helpers", { ...flags, ...names, hasMembers: requested.has("isRecord") });
  return { kind: "text", text: text.trimEnd() };
}

const runtimeFunctions: readonly { readonly name: string; readonly helper: CodecHelper }[] = [
  { name: "decodeBigint", helper: "bigintToMemory" },
  { name: "decodeBitcoinAmount", helper: "amountToMemory" },
  { name: "encodeBigint", helper: "bigintToWire" },
  { name: "encodeBitcoinAmount", helper: "amountToWire" },
];

/** An exported function with its requests. */
export interface WrittenCodec {
  readonly declaration: FunctionDeclaration;
  readonly requests: Requests;
}

export interface CodecWriters extends Readonly<Record<Direction, CodecWriter>> {
  readonly file: SourceFile;
}

/** Returns both functions of a type. */
export function codecsOf(
  contract: ContractType,
  { decode, encode, file }: CodecWriters,
): { readonly decoder: WrittenCodec; readonly encoder: WrittenCodec } {
  const local = file.use(importType("./types.ts", contract.name));
  const { name, type } = contract;
  const decoding = decode.observe(() => decode.converter([type], name));
  const encoding = encode.observe(() => encode.converter([type], name));
  return {
    decoder: { declaration: decoder(contract, decoding.written, local), requests: decoding.requests },
    encoder: { declaration: encoder(contract, encoding.written, local), requests: encoding.requests },
  };
}

function decoder({ name, comment }: ContractType, converter: string | undefined, local: string): FunctionDeclaration {
  return {
    kind: "function",
    name: decoderName(name),
    isExported: true,
    comment: commentOf(`Converts a wire value that matches \`${name}\`.`, comment),
    parameters: [{ name: "wire", type: "unknown" }],
    returns: local,
    body:
      converter === undefined ? `return wire as ${local};` : ["return ", call(converter, ["wire"]), ` as ${local};`],
  };
}

function encoder({ name, comment }: ContractType, converter: string | undefined, local: string): FunctionDeclaration {
  return {
    kind: "function",
    name: encoderName(name),
    isExported: true,
    comment: commentOf(`Converts a \`${name}\` to a wire value, which \`JSON.stringify\` writes exactly.`, comment),
    parameters: [{ name: "value", type: local }],
    returns: "unknown",
    body: converter === undefined ? "return value;" : ["return ", call(converter, ["value"]), ";"],
  };
}

function commentOf(prose: string, { tags }: DocComment): DocComment {
  return { prose: [prose], tags: tags.filter((tag) => tag.startsWith("@generated")) };
}
