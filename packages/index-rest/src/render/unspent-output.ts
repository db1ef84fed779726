import type { MempoolUnspentOutput, UnspentOutput as ConfirmedOutput } from "@nodewright/bitcoin-indexer";
import type { UnspentOutput } from "@nodewright/index-api/types";
import { PreparedJson } from "@nodewright/runtime";
import { JsonBytes, literalOf } from "@nodewright/runtime/node";
import { writeStatus } from "./transaction-status.ts";

type AnyUnspentOutput = ConfirmedOutput | MempoolUnspentOutput;

/** Writer that is empty between two pieces, each of which is written without interruption. */
const shared = new JsonBytes();

/** Renders outputs that nothing spends; one of the mempool has no block. */
export function renderUnspentOutputs(outputs: readonly AnyUnspentOutput[]): PreparedJson<readonly UnspentOutput[]> {
  shared.clear();
  shared.byte(openingBracket);
  writeList(shared, outputs);
  shared.byte(closingBracket);
  return new PreparedJson(shared.takeText());
}

/** Renders the same for a list that is sent while it is read: the available ones, then the others piece by piece. None may be empty. */
export function renderUnspentPieces(
  ready: readonly AnyUnspentOutput[],
  pieces: AsyncIterable<readonly AnyUnspentOutput[]>,
): PreparedJson<readonly UnspentOutput[]> {
  return new PreparedJson(writePieces(ready, pieces));
}

const openingBracket = 0x5b;
const closingBracket = 0x5d;
const closingBrace = 0x7d;
const comma = 0x2c;

async function* writePieces(
  ready: readonly AnyUnspentOutput[],
  pieces: AsyncIterable<readonly AnyUnspentOutput[]>,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  yield writePiece(openingBracket, ready);
  for await (const piece of pieces) yield writePiece(comma, piece);
  yield "]";
}

function writePiece(before: number, outputs: readonly AnyUnspentOutput[]): Uint8Array {
  shared.clear();
  shared.byte(before);
  writeList(shared, outputs);
  return shared.takeBytes();
}

const names = {
  txid: literalOf('{"txid":"'),
  vout: literalOf('","vout":'),
  status: literalOf(',"status":'),
  value: literalOf(',"value":'),
} as const;

function writeList(out: JsonBytes, outputs: readonly AnyUnspentOutput[]): void {
  // Outputs come in the order of their blocks: most have the status of the one before.
  let last: { readonly hash: string; readonly start: number; readonly end: number } | undefined;
  for (let position = 0; position < outputs.length; position += 1) {
    const output = outputs[position];
    if (output === undefined) continue;
    if (position > 0) out.byte(comma);
    out.literal(names.txid);
    out.text(output.txid);
    out.literal(names.vout);
    out.number(output.vout);
    out.literal(names.status);
    const block = "block" in output ? output.block : undefined;
    if (last !== undefined && last.hash === block?.hash) out.again(last.start, last.end);
    else {
      const start = out.length;
      writeStatus(out, block);
      last = block && { hash: block.hash, start, end: out.length };
    }
    out.literal(names.value);
    out.number(Number(output.value));
    out.byte(closingBrace);
  }
}
