import { PreparedJson } from "@nodewright/runtime";

/** Returns a JSON array that is sent while its elements are read: the available ones, then the others piece by piece. None may be empty. */
export function writeJsonArray<Element>(
  ready: readonly Element[],
  pieces: AsyncIterable<readonly Element[]>,
): PreparedJson<readonly Element[]> {
  return new PreparedJson(writePieces(ready, pieces));
}

async function* writePieces<Element>(
  ready: readonly Element[],
  pieces: AsyncIterable<readonly Element[]>,
): AsyncGenerator<string, void, undefined> {
  yield `[${ready.map(write).join(",")}`;
  for await (const piece of pieces) yield `,${piece.map(write).join(",")}`;
  yield "]";
}

function write(element: unknown): string {
  return JSON.stringify(element);
}
