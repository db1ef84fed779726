import { esploraOpcodeNames, lengthBytesOf, pushLength } from "@nodewright/bitcoin-primitives";
import { type JsonBytes, type Literal, literalOf } from "@nodewright/runtime/node";

const names: readonly Literal[] = esploraOpcodeNames.map(literalOf);
const noName: Literal = literalOf("");
const space = 0x20;

/** Writes the assembly of the script between two positions of `bytes` as `renderEsploraAsm` does, directly into the response. */
export function writeAssembly(out: JsonBytes, bytes: Uint8Array, start: number, end: number): void {
  for (let offset = start; offset < end; ) {
    const opcode = bytes[offset] ?? 0;
    const dataStart = offset + 1 + lengthBytesOf(opcode);
    if (dataStart > end) {
      out.text("<unexpected end>");
      return;
    }
    if (offset > start) out.byte(space);
    out.literal(names[opcode] ?? noName);
    const dataEnd = dataStart + pushLength(bytes, offset);
    if (dataEnd > end) {
      out.text(" <push past end>");
      return;
    }
    if (dataEnd > dataStart) {
      out.byte(space);
      out.hex(bytes, dataStart, dataEnd);
    }
    offset = dataEnd;
  }
}
