import {
  coreOpcodeNames,
  isUnspendable,
  lengthBytesOf,
  pushLength,
  scriptNumber,
  signatureHashName,
} from "@nodewright/bitcoin-primitives";
import { type JsonBytes, type Literal, literalOf } from "@nodewright/runtime/node";

const names: readonly Literal[] = coreOpcodeNames.map(literalOf);
const noName: Literal = literalOf("OP_UNKNOWN");
const cutOff: Literal = literalOf("[error]");
const space = 0x20;
/** Last opcode that carries data. */
const pushData4 = 0x4e;
/** Maximum bytes of data that is written as the number that scripts read it as. */
const maximumNumberLength = 4;
/** First byte of a signature in DER. */
const derSequence = 0x30;

/**
 * Writes the script between two positions of `bytes` as `renderCoreAsm` does, directly into the response. `withHashTypes` is for
 * scriptSigs: data that looks like a signature is written with its hash type.
 */
export function writeAssembly(
  out: JsonBytes,
  bytes: Uint8Array,
  start: number,
  end: number,
  withHashTypes: boolean,
): void {
  const areSignaturesNamed = withHashTypes && !isUnspendable(bytes.subarray(start, end));
  for (let offset = start; offset < end; ) {
    if (offset > start) out.byte(space);
    const opcode = bytes[offset] ?? 0;
    if (opcode > pushData4) {
      out.literal(names[opcode] ?? noName);
      offset += 1;
      continue;
    }
    const dataStart = offset + 1 + lengthBytesOf(opcode);
    const dataEnd = dataStart > end ? dataStart : dataStart + pushLength(bytes, offset);
    if (dataEnd > end) {
      out.literal(cutOff);
      return;
    }
    writeData(out, bytes, dataStart, dataEnd, areSignaturesNamed);
    offset = dataEnd;
  }
}

function writeData(out: JsonBytes, bytes: Uint8Array, start: number, end: number, areSignaturesNamed: boolean): void {
  if (end - start <= maximumNumberLength) {
    out.number(scriptNumber(bytes.subarray(start, end)));
    return;
  }
  const hashType =
    areSignaturesNamed && bytes[start] === derSequence ? signatureHashName(bytes.subarray(start, end)) : undefined;
  if (hashType === undefined) {
    out.hex(bytes, start, end);
    return;
  }
  out.hex(bytes, start, end - 1);
  out.text(`[${hashType}]`);
}
