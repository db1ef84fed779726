import { hash160, sha256, toHex } from "@nodewright/bitcoin-primitives";
import type { DerivedKey, KeyOrigin } from "./key-expression.ts";

/** Construction of a taproot output. */
export interface TaprootKnowledge {
  /** 32 bytes. */
  readonly internalKey: Uint8Array;
  readonly tree: ScriptTree | undefined;
}

/** A tree of tapscripts. */
export type ScriptTree =
  | { readonly kind: "leaf"; readonly script: Uint8Array }
  | { readonly kind: "branch"; readonly left: ScriptTree; readonly right: ScriptTree };

/** Known keys and scripts whose hashes occur in other scripts. */
export class ScriptKnowledge {
  readonly #keys = new Map<string, Uint8Array>();
  readonly #origins = new Map<string, KeyOrigin>();
  readonly #scripts = new Map<string, Uint8Array>();
  readonly #outputs = new Map<string, TaprootKnowledge>();

  addKey({ publicKey, origin }: DerivedKey): void {
    const hash = toHex(hash160(publicKey));
    this.#keys.set(hash, publicKey);
    if (!this.#origins.has(hash)) this.#origins.set(hash, origin);
  }

  addScript(script: Uint8Array): void {
    this.#scripts.set(toHex(hash160(script)), script);
    this.#scripts.set(toHex(sha256(script)), script);
  }

  addOutput(outputKey: Uint8Array, knowledge: TaprootKnowledge): void {
    this.#outputs.set(toHex(outputKey), knowledge);
  }

  /** Returns a key by the hash of P2PKH and P2WPKH. */
  findKey(keyHash: Uint8Array): Uint8Array | undefined {
    return this.#keys.get(toHex(keyHash));
  }

  findOrigin(publicKey: Uint8Array): KeyOrigin | undefined {
    return this.#origins.get(toHex(hash160(publicKey)));
  }

  /** Returns a script by the hash of P2SH, or that of P2WSH. */
  findScript(scriptHash: Uint8Array): Uint8Array | undefined {
    return this.#scripts.get(toHex(scriptHash));
  }

  /** Returns an output's data by its 32 bytes. */
  findOutput(outputKey: Uint8Array): TaprootKnowledge | undefined {
    return this.#outputs.get(toHex(outputKey));
  }
}
