import { describe, expect, it } from "vitest";
import { camelCase, createNameAllocator, handlerFileName, kebabCase, pascalCase } from "./names.ts";

describe("names", () => {
  it.each([
    ["last_seen_txid", "lastSeenTxid", "LastSeenTxid", "last-seen-txid"],
    ["getTransaction", "getTransaction", "GetTransaction", "get-transaction"],
    ["rpc.discover", "rpcDiscover", "RpcDiscover", "rpc-discover"],
    ["eth_getBlockByHash", "ethGetBlockByHash", "EthGetBlockByHash", "eth-get-block-by-hash"],
    ["Transaction hash", "transactionHash", "TransactionHash", "transaction-hash"],
    ["X-API-Key", "xApiKey", "XApiKey", "x-api-key"],
    ["2fa", "_2fa", "_2fa", "2fa"],
    ["straße", "straße", "Straße", "straße"],
    ["***", "_", "_", ""],
    ["constructor", "constructor_", "Constructor", "constructor"],
    ["to-string", "toString_", "ToString", "to-string"],
    ["__proto__", "proto", "Proto", "proto"],
  ])("spells %s in each case", (name, camel, pascal, kebab) => {
    expect(camelCase(name)).toBe(camel);
    expect(pascalCase(name)).toBe(pascal);
    expect(kebabCase(name)).toBe(kebab);
  });

  it.each([
    ["getTransaction", "get-transaction"],
    ["index", "index-operation"],
    ["Parents", "parents-operation"],
    ["_", "operation"],
    ["indexOperation", "index-operation-operation"],
    ["cancelOperation", "cancel-operation"],
  ])("keeps the handler of %s clear of generated files: %s", (operation, file) => {
    expect(handlerFileName(operation)).toBe(file);
  });

  it("numbers names that clash, in the order of asking", () => {
    const names = createNameAllocator(["Blob"]);
    expect(["Blob", "Block", "Block"].map((name) => names.allocate(name))).toEqual(["Blob2", "Block", "Block2"]);
  });
});
