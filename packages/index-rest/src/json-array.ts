import { PreparedJson } from "@nodewright/runtime";

/** A JSON array that is sent while its elements are read: those that are there already, then the others piece by piece. None may be empty. */
export function writeJsonArray<Element>(
  ready: readonly Element[],
  pieces: AsyncIterable<readonly Element[]>,
): PreparedJson<readonly Element[]> {
  return new PreparedJson(writePieces(ready, pieces));
}

async function* writePieces(
  ready: readonly unknown[],
  pieces: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string, void, undefined> {
  yield `[${withoutBrackets(ready)}`;
  for await (const piece of pieces) yield `,${withoutBrackets(piece)}`;
  yield "]";
}

function withoutBrackets(piece: readonly unknown[]): string {
  return JSON.stringify(piece).slice(1, -1);
}
