import { type Network, hashScript, scriptOfAddress, toHex } from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";

/** Maximum addresses or script hashes of a request, the number of mempool.space. */
const maximumScripts = 300;

const scriptHashPattern = /^[0-9a-fA-F]{64}$/;

/** Returns the script hashes of addresses, each once; an invalid address of the network is skipped. Throws `unprocessable` for too many. */
export function readAddresses(texts: readonly string[], network: Network): readonly string[] {
  return readGroup(texts, (text) => {
    const result = scriptOfAddress(text, network);
    return result.kind === "script" ? toHex(hashScript(result.scriptPubKey)) : undefined;
  });
}

/** Returns the same for script hashes in hex. */
export function readScriptHashes(texts: readonly string[]): readonly string[] {
  return readGroup(texts, (text) => (scriptHashPattern.test(text) ? text.toLowerCase() : undefined));
}

function readGroup(texts: readonly string[], read: (text: string) => string | undefined): readonly string[] {
  if (texts.length > maximumScripts) throw new ServiceError("unprocessable", "body too long");
  return [...new Set(texts.flatMap((text) => read(text) ?? []))];
}
