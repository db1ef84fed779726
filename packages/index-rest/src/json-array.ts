import { PreparedJson } from "@nodewright/runtime";

/** A JSON array that is sent while its elements are read: those that are there already, then the others piece by piece. None may be empty. */
export function writeJsonArray<Element>(
  ready: readonly Element[],
  pieces: AsyncIterable<readonly Element[]>,
): PreparedJson<readonly Element[]> {
  return new PreparedJson(writePieces(ready, pieces, JSON.stringify));
}

/** The same of elements whose text is written by `textOf`. */
export function writeTextArray<Element, Value>(
  ready: readonly Element[],
  pieces: AsyncIterable<readonly Element[]>,
  textOf: (element: Element) => string,
): PreparedJson<readonly Value[]> {
  return new PreparedJson(writePieces(ready, pieces, textOf));
}

async function* writePieces<Element>(
  ready: readonly Element[],
  pieces: AsyncIterable<readonly Element[]>,
  textOf: (element: Element) => string,
): AsyncGenerator<string, void, undefined> {
  const write = (piece: readonly Element[]): string => piece.map((element) => textOf(element)).join(",");
  yield `[${write(ready)}`;
  for await (const piece of pieces) yield `,${write(piece)}`;
  yield "]";
}
