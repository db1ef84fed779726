import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { digestOfKey } from "../registry/api-key.ts";

/** What a connection remembers of the last key that it has presented. */
interface Presented {
  readonly key: string;
  readonly digest: string;
}

const presentedOf: unique symbol = Symbol("presented key");

type PresentingSocket = Socket & { [presentedOf]?: Presented };

/**
 * The digest of the key that a request presents. A connection that presents the same key again is spared the hashing; whether the
 * key is in force is asked with every request all the same. What is remembered ends with the connection.
 */
export function digestOfPresented(
  key: string,
  { socket }: IncomingMessage & { readonly socket: PresentingSocket },
): string {
  const last = socket[presentedOf];
  if (last?.key === key) return last.digest;
  const digest = digestOfKey(key);
  socket[presentedOf] = { key, digest };
  return digest;
}
