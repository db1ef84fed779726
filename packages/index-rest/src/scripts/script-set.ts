import type { IndexedTransaction } from "@nodewright/bitcoin-indexer";
import { hashScript, toHex } from "@nodewright/bitcoin-primitives";

/** Set of scripts, by their hashes, with which transactions are compared. A scriptPubKey is hashed once. */
export class ScriptSet {
  readonly #positions: ReadonlyMap<string, number>;
  /** Positions by the bytes of a scriptPubKey, as characters. */
  readonly #known = new Map<string, number | undefined>();

  constructor(scriptHashes: readonly string[]) {
    this.#positions = new Map(scriptHashes.map((scriptHash, position) => [scriptHash, position]));
  }

  /** Returns the position of the first of the scripts that a transaction pays or spends from. */
  firstOf({ transaction, previousOutputs }: IndexedTransaction): number | undefined {
    let first: number | undefined;
    for (const output of [...transaction.outputs, ...previousOutputs]) {
      const position = output && this.#positionOf(output.scriptPubKey);
      if (position !== undefined && (first === undefined || position < first)) first = position;
    }
    return first;
  }

  /** Returns the payments of a transaction to the scripts minus its spends from them, in satoshi. */
  balanceOf({ transaction, previousOutputs }: IndexedTransaction): bigint {
    let balance = 0n;
    for (const { scriptPubKey, value } of transaction.outputs) {
      if (this.#positionOf(scriptPubKey) !== undefined) balance += value;
    }
    for (const output of previousOutputs) {
      if (output !== undefined && this.#positionOf(output.scriptPubKey) !== undefined) balance -= output.value;
    }
    return balance;
  }

  #positionOf(scriptPubKey: Uint8Array): number | undefined {
    const bytes = Buffer.from(scriptPubKey.buffer, scriptPubKey.byteOffset, scriptPubKey.byteLength).toString("latin1");
    const known = this.#known.get(bytes);
    if (known !== undefined || this.#known.has(bytes)) return known;
    const position = this.#positions.get(toHex(hashScript(scriptPubKey)));
    this.#known.set(bytes, position);
    return position;
  }
}
