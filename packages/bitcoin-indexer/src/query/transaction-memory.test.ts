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
});
