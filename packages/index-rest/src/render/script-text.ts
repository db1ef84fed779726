import {
  addressOfScript,
  type Network,
  type NetworkName,
  renderEsploraAsm,
  scriptType,
  toHex,
} from "@nodewright/bitcoin-primitives";

/** Above it all are forgotten. What is remembered comes from scripts of at most 42 bytes, so this bounds the memory too. */
const mostRemembered = 30_000;
/** No script that has an address is longer. */
const longestScript = 42;

/** Texts by the characters of a scriptPubKey. A script stands in every transaction of its history, and its address is dear to make. */
const remembered = new Map<NetworkName, Map<string, string>>();

/** The members of an output, in JSON, that its scriptPubKey decides: without braces, without a comma behind them. */
export function scriptPubKeyText(scriptPubKey: Uint8Array, network: Network): string {
  if (scriptPubKey.length > longestScript) return writeMembers(scriptPubKey, network);
  const texts = rememberedOf(network.name);
  const key = charactersOf(scriptPubKey);
  const known = texts.get(key);
  if (known !== undefined) return known;
  // In one piece: what a text is put together from would be kept with it.
  const text = charactersOf(Buffer.from(writeMembers(scriptPubKey, network), "latin1"));
  if (texts.size >= mostRemembered) texts.clear();
  texts.set(key, text);
  return text;
}

function writeMembers(scriptPubKey: Uint8Array, network: Network): string {
  const hex = toHex(scriptPubKey);
  const address = scriptPubKey.length > longestScript ? undefined : addressOfScript(scriptPubKey, network);
  const known = `"scriptpubkey":"${hex}","scriptpubkey_asm":"${renderEsploraAsm(scriptPubKey, hex)}","scriptpubkey_type":"${scriptType(scriptPubKey).esplora}"`;
  return address === undefined ? known : `${known},"scriptpubkey_address":"${address}"`;
}

/** One for each byte. */
function charactersOf(bytes: Uint8Array): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString("latin1");
}

function rememberedOf(name: NetworkName): Map<string, string> {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const texts = new Map<string, string>();
  remembered.set(name, texts);
  return texts;
}
