const returnOpcode = 0x6a;

/**
 * Returns whether an output with this script can never be spent: it begins with OP_RETURN.
 *
 * Such outputs are in no history, count in no statistics and are never unspent, as in Esplora.
 */
export function isUnspendable(scriptPubKey: Uint8Array): boolean {
  return scriptPubKey[0] === returnOpcode;
}
