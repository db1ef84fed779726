import { PreparedJson } from "@nodewright/runtime";

/** A JSON array that is sent while its elements are read: those that are there already, then the others piece by piece. No piece may be empty. */
export function writeJsonArray<Element>(
  ready: readonly (readonly Element[])[],
  pieces: AsyncIterable<readonly Element[]>,
): PreparedJson<readonly Element[]> {
  return new PreparedJson(writePieces(ready, pieces));
}

async function* writePieces(
  ready: readonly (readonly unknown[])[],
  pieces: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string, void, undefined> {
  let before = "[";
  for (const piece of ready) {
    yield before + withoutBrackets(piece);
    before = ",";
  }
  for await (const piece of pieces) {
    yield before + withoutBrackets(piece);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

function withoutBrackets(piece: readonly unknown[]): string {
  return JSON.stringify(piece).slice(1, -1);
}
