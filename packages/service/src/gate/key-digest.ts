import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { digestOfKey } from "../registry/api-key.ts";

/** Digest of the last key that a connection has presented. */
interface Presented {
  readonly key: string;
  readonly digest: string;
}

const presentedOf: unique symbol = Symbol("presented key");

type PresentingSocket = Socket & { [presentedOf]?: Presented };

/**
 * Returns the digest of the key that a request presents. A connection that presents the same key again saves the hashing; whether the key
 * is valid is checked with every request. The cached digest ends with the connection.
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
