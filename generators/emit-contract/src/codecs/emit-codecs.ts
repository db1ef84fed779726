import type { ApiModel, EmittedFile } from "@nodewright/model";
import {
  call,
  createSourceFile,
  decoderName,
  type DocComment,
  encoderName,
  type FunctionDeclaration,
  importType,
  importValue,
  needsCodec,
  renderTemplate,
  type SourceFile,
} from "@nodewright/output";
import { type ContractType, validatedTypes } from "../contract-types.ts";
import { type CodecHelper, codecHelpers, CodecWriter } from "./codec-writer.ts";

/** `codecs.ts`: wire to memory and back for the types where they differ; undefined when there are none. */
export function emitCodecs(model: ApiModel): EmittedFile | undefined {
  const types = validatedTypes(model).filter(({ type }) => needsCodec(type, model));
  if (types.length === 0) return undefined;
  const declared = types.flatMap(({ name }) => [decoderName(name), encoderName(name)]);
  const reserved = [...declared, ...codecHelpers, "Members"];
  const file = createSourceFile({ path: "codecs.ts", document: model.document, declares: reserved });
  const runtime = new Map(
    runtimeFunctions.map(({ name, helper }) => [
      helper,
      { local: name, symbol: importValue("@nodewright/runtime", name) },
    ]),
  );
  const decode = new CodecWriter(model, "decode", reserved);
  const encode = new CodecWriter(model, "encode", reserved);
  const functions = types.flatMap((contract) => [decoder(contract, decode, file), encoder(contract, encode, file)]);
  const parts = [...decode.functions(), ...encode.functions()];
  const helpers = new Set<CodecHelper>([...decode.helpers, ...encode.helpers]);
  const names = Object.fromEntries(
    [...runtime].map(([helper, { local, symbol }]) => [local, helpers.has(helper) ? file.use(symbol) : local]),
  );
  const flags = Object.fromEntries(codecHelpers.map((helper) => [helper, helpers.has(helper)]));
  const text = renderTemplate("codec-helpers", { ...flags, ...names, hasMembers: helpers.has("isRecord") });
  for (const declaration of [...functions, ...parts]) file.add(declaration);
  file.add({ kind: "text", text: text.trimEnd() });
  return file.print();
}

const runtimeFunctions: readonly { readonly name: string; readonly helper: CodecHelper }[] = [
  { name: "decodeBigint", helper: "bigintToMemory" },
  { name: "decodeBitcoinAmount", helper: "amountToMemory" },
  { name: "encodeBigint", helper: "bigintToWire" },
  { name: "encodeBitcoinAmount", helper: "amountToWire" },
];

function decoder({ name, type, comment }: ContractType, writer: CodecWriter, file: SourceFile): FunctionDeclaration {
  const local = file.use(importType("./types.ts", name));
  const converted = writer.converter([type], name);
  return {
    kind: "function",
    name: decoderName(name),
    isExported: true,
    comment: commentOf(`Converts a wire value that matches \`${name}\`.`, comment),
    parameters: [{ name: "wire", type: "unknown" }],
    returns: local,
    body:
      converted === undefined ? `return wire as ${local};` : ["return ", call(converted, ["wire"]), ` as ${local};`],
  };
}

function encoder({ name, type, comment }: ContractType, writer: CodecWriter, file: SourceFile): FunctionDeclaration {
  const local = file.use(importType("./types.ts", name));
  const converted = writer.converter([type], name);
  return {
    kind: "function",
    name: encoderName(name),
    isExported: true,
    comment: commentOf(`Converts a \`${name}\` to what \`JSON.stringify\` writes exactly.`, comment),
    parameters: [{ name: "value", type: local }],
    returns: "unknown",
    body: converted === undefined ? "return value;" : ["return ", call(converted, ["value"]), ";"],
  };
}

function commentOf(prose: string, { tags }: DocComment): DocComment {
  return { prose: [prose], tags: tags.filter((tag) => tag.startsWith("@generated")) };
}
