import type { ChainQueries } from "@nodewright/bitcoin-indexer";
import type { UnspentOutput } from "@nodewright/index-api/types";
import { ServiceError } from "@nodewright/runtime";
import { renderUnspentOutput } from "./render/unspent-output.ts";

/** The list has no pages, so it must have an end. */
const mostUnspentOutputs = 10_000;

/** All unspent outputs of a script, oldest first. Throws `invalid_input` with Esplora's text when they are too many. */
export async function listUnspentOutputs(index: ChainQueries, scriptHash: string): Promise<readonly UnspentOutput[]> {
  const outputs = await index.unspentOutputs(scriptHash, { limit: mostUnspentOutputs + 1 });
  if (outputs.length > mostUnspentOutputs) throw new ServiceError("invalid_input", "Too many unspent outputs");
  return outputs.map(renderUnspentOutput);
}
