import type { OutputName } from "@nodewright/bitcoin-indexer";

/** Reads `txid:vout`; `undefined` for anything else. */
export function readOutputName(text: string): OutputName | undefined {
  const match = /^([0-9a-fA-F]{64}):([0-9]{1,10})$/.exec(text);
  return match?.[1] === undefined ? undefined : { txid: match[1].toLowerCase(), vout: Number(match[2]) };
}

export function outputNameText({ txid, vout }: OutputName): string {
  return `${txid}:${vout}`;
}
