import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { camelCase, createNameAllocator, distinctNames, handlerFileName, kebabCase, pascalCase } from "./names.ts";

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

  it("decides who has a name by spelling, never by order, so that what has another name moves nobody", () => {
    const originals = fc.uniqueArray(fc.constantFrom("a-b", "a_b", "aB", "ab", "AB", "aB2", "c", "c-2", "c2", "C"));
    const namesOf = (list: readonly string[]): Readonly<Record<string, string | undefined>> => {
      const names = distinctNames(list.map((original) => ({ original, wanted: camelCase(original) })));
      return Object.fromEntries(list.map((original, index) => [original, names[index]]));
    };
    fc.assert(
      fc.property(originals, (list) => {
        const names = namesOf(list);
        expect(new Set(Object.values(names)).size).toBe(list.length);
        expect(namesOf(list.toReversed())).toEqual(names);
        const others = namesOf([...list, "unrelated"]);
        expect(others).toEqual({ ...names, unrelated: "unrelated" });
      }),
    );
  });

  it("gives what is chosen first, then what is spelt so already, and keeps clear of what is reserved", () => {
    const wishes = [
      { original: "a_b", wanted: "aB" },
      { original: "aB", wanted: "aB" },
      { original: "z", wanted: "aB", isChosen: true },
      { original: "then", wanted: "then" },
    ];
    expect(distinctNames(wishes, ["then"])).toEqual(["aB3", "aB2", "aB", "then2"]);
  });
});
