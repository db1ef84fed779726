import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  camelCase,
  createNameAllocator,
  declarationName,
  distinctNames,
  handlerFileName,
  kebabCase,
  nameWords,
  pascalCase,
} from "./names.ts";

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

  it.each<[string, readonly string[]]>([
    ["", []],
    ["__", []],
    ["a--b", ["a", "b"]],
    ["-a.b-", ["a", "b"]],
    ["parseHTTPResponse", ["parse", "HTTP", "Response"]],
    ["ABTest", ["AB", "Test"]],
    ["ABC", ["ABC"]],
    ["Abc", ["Abc"]],
    ["sha256Hash", ["sha256", "Hash"]],
    ["sha256hash", ["sha256hash"]],
    ["v2API", ["v2", "API"]],
    ["größeÄndern", ["größe", "Ändern"]],
    ["ΑΒΓδε", ["ΑΒ", "Γδε"]],
    ["élan VITAL", ["élan", "VITAL"]],
    ["\u0065\u0301lan", ["élan"]],
    ["数量٣Ω", ["数量٣", "Ω"]],
    ["блокХэш→x", ["блок", "Хэш", "x"]],
    ["é  --  b", ["é", "b"]],
    ["नमस्ते", ["नमस्ते"]],
    ["Ⅻé", ["Ⅻé"]],
  ])("%s has the words %j", (name, words) => {
    expect(nameWords(name)).toEqual(words);
  });

  it("writes a word of capitals as others, and keeps capitals inside a word", () => {
    expect(["hash", "HASH", "hAsh", "iPhone", "H", "URL", "URIError"].map(pascalCase)).toEqual([
      "Hash",
      "Hash",
      "HAsh",
      "IPhone",
      "H",
      "Url",
      "UriError",
    ]);
    expect(["HASH", "Block hash", "x", "ABTest", "Äpfel"].map(camelCase)).toEqual([
      "hash",
      "blockHash",
      "x",
      "abTest",
      "äpfel",
    ]);
  });

  it("begins with what an identifier may begin with", () => {
    expect(["1", "٣a", "ʼa", "z1", "$"].map(pascalCase)).toEqual(["_1", "_٣a", "ʼa", "Z1", "_"]);
    for (const name of ["1", "٣a", "数量", "Ⅻé", "a"])
      expect(pascalCase(name)).toMatch(/^[\p{ID_Start}_]\p{ID_Continue}*$/u);
  });

  it("of types keep clear of every global of the language and of fetch", () => {
    const globals = Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z][A-Za-z0-9]+$/.test(name));
    const language =
      "Array Boolean Date Error Function Map Number Object Promise Proxy RegExp Set String Symbol Uint8Array WeakMap " +
      "Blob File FormData Headers Request Response ReadableStream WritableStream TextDecoder " +
      "AbortController AbortSignal Buffer Math Reflect Atomics Intl Infinity NaN BigInt DataView ArrayBuffer " +
      "AggregateError EvalError RangeError ReferenceError SyntaxError TypeError WeakRef WeakSet SharedArrayBuffer";
    for (const name of language.split(" ")) {
      expect(globals).toContain(name);
      expect(declarationName(name)).toBe(`${name}Value`);
    }
    const utilityTypes =
      "Awaited Capitalize ConstructorParameters Exclude Extract InstanceType Lowercase NonNullable Omit Parameters Partial " +
      "Pick Readonly Record Required ReturnType ThisType Uncapitalize Uppercase AsyncGenerator AsyncIterable " +
      "AsyncIterableIterator AsyncIterator Generator Iterable Iterator PromiseLike PropertyKey ReadonlyArray ReadonlyMap " +
      "ReadonlySet Temporal TextEncoder";
    for (const name of utilityTypes.split(" ")) expect(declarationName(name)).toBe(`${name}Value`);
    expect(["block-hash", "ArrayOfHashes", "***"].map(declarationName)).toEqual(["BlockHash", "ArrayOfHashes", "_"]);
  });

  it("of members keep clear of what every object has, and of promises", () => {
    const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => !name.startsWith("__"));
    for (const name of [...inherited, "then"]) expect([name, camelCase(name)]).toEqual([name, `${name}_`]);
  });

  it.each([
    ["getTransaction", "get-transaction"],
    ["index", "index-operation"],
    ["Parents", "parents-operation"],
    ["_", "operation"],
    ["indexOperation", "index-operation-operation"],
    ["cancelOperation", "cancel-operation"],
    ["operation", "operation-operation"],
    ["indexOperationStatus", "index-operation-status"],
    ["parentsOfIndex", "parents-of-index"],
    ["reindex", "reindex"],
    ["indexes", "indexes"],
  ])("keeps the handler of %s clear of generated files: %s", (operation, file) => {
    expect(handlerFileName(operation)).toBe(file);
  });

  it("numbers names that clash, in the order of asking", () => {
    const names = createNameAllocator(["Blob"]);
    expect(["Blob", "Block", "Block"].map((name) => names.allocate(name))).toEqual(["Blob2", "Block", "Block2"]);
    const free = createNameAllocator();
    expect(["a2", "a", "a", "a", "b"].map((name) => free.allocate(name))).toEqual(["a2", "a", "a3", "a4", "b"]);
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

  it("numbers from 2 on, past the numbers that others have", () => {
    const wishes = ["a", "a", "a", "a2", "b", "b"].map((wanted, index) => ({ original: `${wanted}-${index}`, wanted }));
    expect(distinctNames(wishes)).toEqual(["a", "a3", "a4", "a2", "b", "b2"]);
    expect(distinctNames(wishes.toReversed(), ["a", "a4"])).toEqual(["b2", "b", "a2", "a6", "a5", "a3"]);
    const same = [
      { original: "x", wanted: "y" },
      { original: "x", wanted: "y" },
    ];
    expect(distinctNames(same)).toEqual(["y", "y2"]);
    expect(distinctNames([])).toEqual([]);
  });
});
