import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { equalBytes, hash160, publicKeyHashOf, recoverMessageKey } from "@nodewright/bitcoin-primitives";
import type { BitcoinNodeContext } from "../context/context.ts";
import { readAddress } from "../parameters/read-address.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Pattern of groups of four characters, of which the last may be padded. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns whether a message was signed with the key of an address. */
export const verifymessage: BitcoinHandler<"verifymessage", BitcoinNodeContext> = (
  { address, signature, message },
  { index },
) => {
  const reading = readAddress(address, index.network);
  if (reading.kind === "problem") throw rpcError("invalidAddress", "Invalid address");
  const keyHash = publicKeyHashOf(reading.scriptPubKey);
  if (keyHash === undefined) throw rpcError("wrongType", "Address does not refer to key");
  const bytes = decodedBase64(signature);
  if (bytes === undefined) throw rpcError("wrongType", "Malformed base64 encoding");
  const key = recoverMessageKey(message, bytes);
  return key !== undefined && equalBytes(hash160(key), keyHash);
};

/** Decodes Base64; `undefined` also where bits are set that the padding leaves over. */
function decodedBase64(text: string): Uint8Array | undefined {
  if (!base64.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
