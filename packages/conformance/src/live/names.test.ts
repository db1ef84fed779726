import { describe, expect, it } from "vitest";
import { plainName, subjectOf, typeNameBeforeParameter, typeNamesOfPath, wordsOf } from "./names.ts";

describe("names", () => {
  it.each(["tx_id", "txId", "TXID", "txids", "transaction-ids", "TransactionHash"])("have one spelling: %s", (name) => {
    expect(plainName(name)).toBe("txid");
  });

  it.each([
    ["blockHashes", ["block", "hash"]],
    ["HTTPServer2", ["http", "server", "2"]],
    ["companies", ["company"]],
    ["status", ["status"]],
    ["news", ["news"]],
  ])("are read as words in the singular: %s", (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  it.each([
    ["listPetsByStatus", ["pet"]],
    ["eth_getBlockByHash", ["block"]],
    ["getbestblockhash", ["bestblockhash"]],
    ["bank.listAccounts", ["account"]],
    ["blocks", ["block"]],
  ])("of operations tell what they are about: %s", (name, subject) => {
    expect(subjectOf(name)).toEqual(subject);
  });

  it("of paths tell things, and what a hole is of", () => {
    expect(typeNamesOfPath("/pets/{petId}/toys")).toEqual(["toy", "pet"]);
    expect(typeNameBeforeParameter("/pets/{petId}/toys/{id}", "id")).toBe("toy");
    expect(typeNameBeforeParameter("/{id}", "id")).toBeUndefined();
  });
});
