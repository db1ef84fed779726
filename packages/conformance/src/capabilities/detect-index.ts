import type { HttpSuite } from "../suite/suite.ts";
import { type Asker, known, numberOf } from "./asker.ts";
import type { Detected } from "./detect.ts";

const heightPath = "/blocks/tip/height";

/** Asks an index of a Bitcoin chain, of the shape that Esplora has given them, for its height; of another API nothing is asked. */
export async function detectIndex({ operations }: HttpSuite, asker: Asker): Promise<Detected> {
  const path = operations.find(
    (operation) => operation.path.endsWith(heightPath) && operation.parameters.length === 0,
  )?.path;
  if (path === undefined) return { facts: {} };
  const askHeight = async (): Promise<number | undefined> => numberOf(await asker.getPath(path));
  return { facts: known({ height: await askHeight() }), askHeight };
}
