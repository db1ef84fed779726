const returnOpcode = 0x6a;

/**
 * Whether no input can ever spend an output with this script: it begins with OP_RETURN.
 *
 * Such outputs are in no history, count in no statistics and are never unspent, as Esplora has it.
 */
export function isUnspendable(scriptPubKey: Uint8Array): boolean {
  return scriptPubKey[0] === returnOpcode;
}
