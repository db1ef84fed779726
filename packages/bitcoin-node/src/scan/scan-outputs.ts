import type { ScanResult, ScantxoutsetInput } from "@nodewright/bitcoin-api/types";
import { addressOfScript, type Network, scriptType, toHex } from "@nodewright/bitcoin-primitives";
import { PreparedJson } from "@nodewright/runtime";
import { hundredMillionthsText } from "@nodewright/runtime/node";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import type { BitcoinNodeContext } from "../context/context.ts";
import { inferDescriptor } from "../descriptor/infer-descriptor.ts";
import { renderWithChecksum } from "../descriptor/render-descriptor.ts";
import type { ScriptKnowledge } from "../descriptor/script-knowledge.ts";
import { deriveScripts } from "./derive-scripts.ts";
import { findOutputs, type FoundOutput } from "./find-outputs.ts";
import type { RunningScan } from "../context/output-scans.ts";

/** Searches for the unspent outputs of descriptors, in time slices, so that other requests are served meanwhile. */
export async function scanOutputs(
  objects: NonNullable<ScantxoutsetInput["scanobjects"]>,
  { index, optional }: Pick<BitcoinNodeContext, "index" | "optional">,
  scan: RunningScan,
): Promise<PreparedJson<ScanResult>> {
  const { scripts, knowledge } = await deriveScripts(objects, { network: index.network, scan });
  const { tip, totalCount, outputs } = await findOutputs(index, scripts, scan);
  const descriptors = new DescriptorTexts(index.network, knowledge);
  const statistics = await optional?.coinStatistics?.find(tip.hash, tip.height);
  // The index also has the output of the first block.
  const count = statistics?.coins ?? Math.max(totalCount - 1, 0);
  const success = !scan.isAborted;
  const pieces = [
    `{"success":${success},"txouts":${count},"height":${tip.height},"bestblock":"${tip.hash}","unspents":[`,
  ];
  let total = 0n;
  for (const output of outputs) {
    const separator = pieces.length === 1 ? "" : ",";
    pieces.push(`${separator}${renderOutput(output, descriptors.of(output.scriptPubKey), tip.height)}`);
    total += output.value;
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  pieces.push(`],"total_amount":${hundredMillionthsText(total)}}`);
  return new PreparedJson(pieces.join(""));
}

function renderOutput(
  { txid, vout, scriptPubKey, value, isCoinbase, block }: FoundOutput,
  descriptor: string,
  tipHeight: number,
): string {
  const amount = hundredMillionthsText(value);
  const confirmations = Math.max(tipHeight - block.height + 1, 1);
  return (
    `{"txid":"${txid}","vout":${vout},"scriptPubKey":"${toHex(scriptPubKey)}","desc":"${descriptor}","amount":${amount},` +
    `"coinbase":${isCoinbase},"height":${block.height},"blockhash":"${block.hash}","confirmations":${confirmations}}`
  );
}

/** Descriptors of scripts with the found keys, each rendered once. No character of one is escaped in JSON. */
class DescriptorTexts {
  readonly #network: Network;
  readonly #knowledge: ScriptKnowledge;
  readonly #texts = new Map<Uint8Array, string>();

  constructor(network: Network, knowledge: ScriptKnowledge) {
    this.#network = network;
    this.#knowledge = knowledge;
  }

  /** Returns the descriptor. `script`: the same array each time. */
  of(script: Uint8Array): string {
    const known = this.#texts.get(script);
    if (known !== undefined) return known;
    const type = scriptType(script).core;
    const address = addressOfScript(script, this.#network);
    const text = renderWithChecksum(inferDescriptor({ script, type, address }, this.#knowledge));
    this.#texts.set(script, text);
    return text;
  }
}
