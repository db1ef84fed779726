import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOfKey } from "../registry/api-key.ts";
import { digestOfPresented } from "./key-digest.ts";

describe("the digest of a presented key", () => {
  it("is that of the key, whichever keys its connection and others have presented before", () => {
    const sockets = [new Socket(), new Socket()];
    const presented = fc.record({ key: fc.constantFrom("a", "b", "ab", ""), socket: fc.constantFrom(...sockets) });
    fc.assert(
      fc.property(fc.array(presented), (requests) => {
        for (const { key, socket } of requests) {
          expect(digestOfPresented(key, new IncomingMessage(socket))).toBe(digestOfKey(key));
        }
      }),
    );
  });
});
