import { hash160, sha256, toHex } from "@nodewright/bitcoin-primitives";
import type { DerivedKey, KeyOrigin } from "./key-expression.ts";

/** How a taproot output is made. */
export interface TaprootKnowledge {
  /** 32 bytes. */
  readonly internalKey: Uint8Array;
  readonly tree: ScriptTree | undefined;
}

/** A tree of tapscripts. */
export type ScriptTree =
  | { readonly kind: "leaf"; readonly script: Uint8Array }
  | { readonly kind: "branch"; readonly left: ScriptTree; readonly right: ScriptTree };

/** What is known of keys and scripts whose hashes stand in other scripts. */
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

  /** By the hash that P2PKH and P2WPKH have. */
  findKey(keyHash: Uint8Array): Uint8Array | undefined {
    return this.#keys.get(toHex(keyHash));
  }

  findOrigin(publicKey: Uint8Array): KeyOrigin | undefined {
    return this.#origins.get(toHex(hash160(publicKey)));
  }

  /** By the hash that P2SH has, or that of P2WSH. */
  findScript(scriptHash: Uint8Array): Uint8Array | undefined {
    return this.#scripts.get(toHex(scriptHash));
  }

  /** By the 32 bytes that the output shows. */
  findOutput(outputKey: Uint8Array): TaprootKnowledge | undefined {
    return this.#outputs.get(toHex(outputKey));
  }
}
