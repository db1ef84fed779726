import { hashScript } from "@nodewright/bitcoin-primitives";
import { bytesKey } from "../chain/bytes-key.ts";
import { scriptPrefixLength } from "./layout.ts";

/** Scripts that are remembered, some 200 bytes each. */
const maximumScripts = 100_000;

/** Gives the stored part of script hashes as texts of one character per byte. Most scripts come again soon: they are remembered. */
export class ScriptHasher {
  readonly #hashes = new Map<string, string>();

  hash(scriptPubKey: Uint8Array): string {
    const script = bytesKey(scriptPubKey);
    let hash = this.#hashes.get(script);
    if (hash === undefined) {
      hash = bytesKey(hashScript(scriptPubKey), scriptPrefixLength);
      if (this.#hashes.size >= maximumScripts) this.#hashes.clear();
      this.#hashes.set(script, hash);
    }
    return hash;
  }
}
