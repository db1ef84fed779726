import { type Block, fromHex, isMalformedBytesError, parseBlock } from "@nodewright/bitcoin-primitives";
import { rpcError } from "../parameters/rpc-error.ts";

/** Parses a block in hexadecimal. Throws -22. */
export function readBlockText(text: string): Block {
  const bytes = fromHex(text);
  try {
    if (bytes !== undefined) return parseBlock(bytes);
  } catch (reason) {
    if (!isMalformedBytesError(reason)) throw reason;
  }
  throw rpcError("cannotDecode", "Block decode failed");
}
