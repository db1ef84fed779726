import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createBatchMemory } from "./batch-memory.ts";
import { LaneHasher } from "./lane-hasher.ts";

const batch = createBatchMemory(1);
const bytes = new Uint8Array(batch.memory.buffer);
const words = new Uint32Array(batch.memory.buffer);
const hasher = new LaneHasher(batch);
const messageStart = batch.slots[0]?.raw ?? 0;
const digestStart = batch.slots[0]?.outputs ?? 0;

function sha256(message: Uint8Array): Buffer {
  return hash("sha256", message, "buffer");
}

/** Writes messages one after the other, at unaligned addresses. */
function place(messages: readonly Uint8Array[]): readonly number[] {
  let address = messageStart + 1;
  return messages.map((message) => {
    const start = address;
    bytes.set(message, start);
    address += message.length;
    return start;
  });
}

function digestAt(index: number): string {
  return Buffer.from(bytes.slice(digestStart + index * 32, digestStart + index * 32 + 32)).toString("hex");
}

/** Lengths around those at which another block begins, and those above which the system's hash is used instead of lanes. */
const message = fc.oneof(
  fc.uint8Array({ maxLength: 200, size: "max" }),
  fc.constantFrom(0, 55, 56, 63, 64, 119, 120, 4095, 4096, 4097, 5000).map((length) => new Uint8Array(length).fill(7)),
);

it("hashes messages of all lengths side by side as the system does", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20, size: "max" }), (messages) => {
      const addresses = place(messages);
      for (const [index, { length }] of messages.entries()) {
        hasher.doubleHash(addresses[index] ?? 0, length, (digestStart >>> 2) + index * 8);
      }
      hasher.finish();
      const expected = messages.map((bytesOfMessage) => sha256(sha256(bytesOfMessage)).toString("hex"));
      expect(messages.map((_, index) => digestAt(index))).toEqual(expected);
    }),
  );
});

it("gives the first words of a script's hash as numbers", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20, size: "max" }), (scripts) => {
      const addresses = place(scripts);
      for (const [index, { length }] of scripts.entries()) {
        hasher.hashScript(addresses[index] ?? 0, length, (digestStart >>> 2) + index * 8);
      }
      hasher.finish();
      for (const [index, script] of scripts.entries()) {
        const digest = sha256(script);
        const found = Array.from({ length: 4 }, (_, word) => words[(digestStart >>> 2) + index * 8 + word]);
        expect(found).toEqual([0, 4, 8, 12].map((offset) => digest.readUInt32BE(offset)));
      }
    }),
  );
});

it("leaves out what stands between the version and the body, and between the body and the locktime", () => {
  fc.assert(
    fc.property(message, message, message, (marker, body, witness) => {
      const [version, locktime] = [Uint8Array.of(1, 2, 3, 4), Uint8Array.of(5, 6, 7, 8)];
      const parts = [version, marker, body, witness, locktime];
      const [start = 0, , bodyStart = 0, bodyEnd = 0, lastStart = 0] = place(parts);
      hasher.doubleHashStripped(start, bodyStart, bodyEnd, lastStart + 4, digestStart >>> 2);
      hasher.finish();
      expect(digestAt(0)).toBe(sha256(sha256(Buffer.concat([version, body, locktime]))).toString("hex"));
    }),
  );
});

it("hashes pairs of nodes to their parents", () => {
  const nodes = Array.from({ length: 9 }, (_, index) => new Uint8Array(64).fill(index));
  const addresses = place(nodes);
  for (const [index, address] of addresses.entries()) hasher.hashPair(address, (digestStart >>> 2) + index * 8);
  hasher.finish();
  expect(nodes.map((_, index) => digestAt(index))).toEqual(nodes.map((node) => sha256(sha256(node)).toString("hex")));
});
