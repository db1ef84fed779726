import { type BlockRecord, type ChainQueries, isIndexerError, type UnspentOutput } from "@nodewright/bitcoin-indexer";
import { hashScript, isUnspendable, toHex } from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { getTip } from "../chain/best-block.ts";
import { derivedPercent } from "./derive-scripts.ts";
import type { RunningScan } from "../context/output-scans.ts";
import { scanBounds, tooManyOutputs } from "./scan-bounds.ts";

/** An output with its script. */
export interface FoundOutput extends UnspentOutput {
  readonly scriptPubKey: Uint8Array;
}

/** Unspent outputs at one state of the chain. */
export interface FoundOutputs {
  readonly tip: BlockRecord;
  /** Number of outputs of all scripts, as `ChainQueries.unspentOutputCount` returns it. */
  readonly totalCount: number;
  readonly outputs: readonly FoundOutput[];
}

/** Number of outputs that are read in one turn of the event loop. */
const pageSize = 500;
/** Maximum number of attempts: blocks seldom arrive faster than the outputs of a search are read. */
const attempts = 10;

/**
 * Reads the unspent outputs of scripts, all at the same state of the chain: when a block arrives meanwhile, all are read again. In the
 * order of Bitcoin Core, that of the transaction ids' bytes. An aborted search returns its partial result.
 */
export async function findOutputs(
  index: ChainQueries,
  scripts: readonly Uint8Array[],
  scan: RunningScan,
): Promise<FoundOutputs> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const tip = await getTip(index);
    const outputs = await readUndisturbed(index, scripts, scan);
    const totalCount = await index.unspentOutputCount();
    const isSame = (await getTip(index)).hash === tip.hash;
    if (outputs !== undefined && (isSame || scan.isAborted)) return { tip, totalCount, outputs: inOrder(outputs) };
  }
  throw new ServiceError("upstream_unavailable", "Blocks arrived during the search for outputs: try again", {
    retryAfterSeconds: 1,
  });
}

/** Reads outputs; `undefined` when the chain was reorganized meanwhile. */
async function readUndisturbed(
  index: ChainQueries,
  scripts: readonly Uint8Array[],
  scan: RunningScan,
): Promise<readonly FoundOutput[] | undefined> {
  try {
    return await readOutputs(index, scripts, scan);
  } catch (error) {
    if (isIndexerError(error) && error.code === "reorganised") return undefined;
    throw error;
  }
}

async function readOutputs(
  index: ChainQueries,
  scripts: readonly Uint8Array[],
  scan: RunningScan,
): Promise<readonly FoundOutput[]> {
  const found: FoundOutput[] = [];
  for (const [position, scriptPubKey] of scripts.entries()) {
    if (scan.isAborted) return found;
    // Bitcoin Core stores no unspendable output.
    if (isUnspendable(scriptPubKey)) continue;
    for await (const page of index.unspentOutputPages(toHex(hashScript(scriptPubKey)), { limit: pageSize })) {
      for (const output of page) found.push({ ...output, scriptPubKey });
      if (found.length > scanBounds.outputs) throw tooManyOutputs();
      if (isTimeSliceUsedUp()) await nextTimeSlice();
      if (scan.isAborted) return found;
    }
    scan.progress = derivedPercent + Math.floor(((100 - derivedPercent) * (position + 1)) / scripts.length);
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  return found;
}

/** Sorts outputs, without the first block's, which is unspendable. Of two with one outpoint the later has replaced the other (BIP 30). */
function inOrder(outputs: readonly FoundOutput[]): readonly FoundOutput[] {
  const byName = new Map<string, FoundOutput>();
  for (const output of outputs) {
    if (output.block.height === 0) continue;
    const name = `${wireOrder(output.txid)}${output.vout.toString(16).padStart(8, "0")}`;
    const other = byName.get(name);
    if (other === undefined || other.block.height < output.block.height) byName.set(name, output);
  }
  return [...byName].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, output]) => output);
}

function wireOrder(txid: string): string {
  return Buffer.from(txid, "hex").reverse().toString("hex");
}
