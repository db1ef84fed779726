import { hashScript } from "@nodewright/bitcoin-primitives";
import { bytesKey } from "../chain/bytes-key.ts";
import { scriptPrefixLength } from "./layout.ts";

/** Part of the script hash that keys contain. */
export interface StoredScriptHash {
  readonly bytes: Buffer;
  /** The same as a string of one character per byte, for Maps. */
  readonly text: string;
}

/** Number of cached scripts, some 300 bytes each. */
const maximumScripts = 100_000;

/** Hasher of scripts with a cache, because most scripts recur soon. */
export class ScriptHasher {
  readonly #hashes = new Map<string, StoredScriptHash>();

  hash(scriptPubKey: Uint8Array): StoredScriptHash {
    const script = bytesKey(scriptPubKey);
    let hash = this.#hashes.get(script);
    if (hash === undefined) {
      const bytes = Buffer.from(hashScript(scriptPubKey).subarray(0, scriptPrefixLength));
      hash = { bytes, text: bytesKey(bytes) };
      if (this.#hashes.size >= maximumScripts) this.#hashes.clear();
      this.#hashes.set(script, hash);
    }
    return hash;
  }
}
