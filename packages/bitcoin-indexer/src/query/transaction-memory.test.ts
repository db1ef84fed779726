import { describe, expect, it, vi } from "vitest";
import type { IndexedTransaction } from "./chain-queries.ts";
import { TransactionMemory } from "./transaction-memory.ts";

const transactionOf = (size: number) => ({ transaction: { size } }) as IndexedTransaction;

describe("TransactionMemory", () => {
  it("reads a transaction once while the index stays as it is", () => {
    const memory = new TransactionMemory();
    const read = vi.fn(() => transactionOf(250));
    expect(memory.find(1, "aa", read)).toBe(memory.find(1, "aa", read));
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("reads it again in another state, such as after a reorganisation", () => {
    const memory = new TransactionMemory();
    memory.find(1, "aa", () => transactionOf(250));
    expect(memory.find(2, "aa", () => undefined)).toBeUndefined();
    expect(memory.find(1, "aa", () => undefined)).toBeUndefined();
  });

  it("does not remember what is found nowhere, nor what is long", () => {
    const memory = new TransactionMemory();
    const read = vi.fn((): IndexedTransaction | undefined => undefined);
    memory.find(1, "aa", read);
    memory.find(1, "aa", read);
    const readLong = vi.fn(() => transactionOf(1_000_000));
    memory.find(1, "bb", readLong);
    memory.find(1, "bb", readLong);
    expect([read.mock.calls.length, readLong.mock.calls.length]).toEqual([2, 2]);
  });

  it("remembers transactions of up to 16 KiB, and 2 MiB of them together", () => {
    const memory = new TransactionMemory();
    const readsOf = (txid: string, size: number): number => {
      const read = vi.fn(() => transactionOf(size));
      memory.find(1, txid, read);
      memory.find(1, txid, read);
      return read.mock.calls.length;
    };
    expect([readsOf("most", 16 * 1024), readsOf("more", 16 * 1024 + 1)]).toEqual([1, 2]);
    for (let index = 0; index < 128; index += 1) readsOf(`${index}`, 16 * 1024);
    const isRemembered = (txid: string): boolean => memory.find(1, txid, () => undefined) !== undefined;
    expect([isRemembered("most"), isRemembered("0"), isRemembered("127")]).toEqual([false, true, true]);
  });
});
