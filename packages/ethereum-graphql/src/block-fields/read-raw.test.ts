import { afterEach, describe, expect, it } from "vitest";
import { type RpcCall, type RpcReply, type ServedInterface, serve, startMadeUpNode } from "../../test-support/serve.ts";
import { serializeHeader } from "../raw/raw-block.ts";
import { bytesOf, hexOf, keccak256, type RlpValue, serializeRlp } from "../raw/rlp.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const word = (digit: string): string => `0x${digit.repeat(64)}`;
const emptyListHash = keccak256(bytesOf("0xc0"));
const emptyTrieRoot = keccak256(bytesOf("0x80"));

/** Header from before the upgrades. */
const plainHeader = {
  number: "0x1",
  parentHash: word("0"),
  sha3Uncles: emptyListHash,
  miner: `0x${"3".repeat(40)}`,
  stateRoot: word("4"),
  transactionsRoot: emptyTrieRoot,
  receiptsRoot: emptyTrieRoot,
  logsBloom: `0x${"0".repeat(512)}`,
  difficulty: "0x400",
  gasLimit: "0x1388",
  gasUsed: "0x0",
  timestamp: "0x55ba4224",
  extraData: "0x",
  mixHash: word("7"),
  nonce: "0x539bd4979fef1ec4",
};

/** Returns a header with its hash. */
function headerOf(changes: Partial<typeof plainHeader>): typeof plainHeader & { readonly hash: string } {
  const header = { ...plainHeader, ...changes };
  return { ...header, hash: hashOf(header) };
}

/** Returns the hash by the yellow paper, section 4.4.3, for a block without gas used. */
function hashOf(header: typeof plainHeader): string {
  const fields: readonly RlpValue[] = [
    bytesOf(header.parentHash),
    bytesOf(header.sha3Uncles),
    bytesOf(header.miner),
    bytesOf(header.stateRoot),
    bytesOf(header.transactionsRoot),
    bytesOf(header.receiptsRoot),
    bytesOf(header.logsBloom),
    bytesOf(header.difficulty),
    bytesOf(header.number),
    bytesOf(header.gasLimit),
    new Uint8Array(),
    bytesOf(header.timestamp),
    bytesOf(header.extraData),
    bytesOf(header.mixHash),
    bytesOf(header.nonce),
  ];
  return keccak256(serializeRlp(fields));
}

async function serveMadeUp(replies: Readonly<Record<string, (call: RpcCall) => RpcReply>>): Promise<ServedInterface> {
  const node = await startMadeUpNode((call) => replies[call.method]?.(call));
  const served = await serve(node.url);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  return served;
}

const blockOf = (header: object, uncles: readonly string[] = []) => ({ ...header, transactions: [], uncles });

describe("a block with ommers", () => {
  const ommers = [headerOf({ extraData: "0x01" }), headerOf({ extraData: "0x02" })];
  const encoded = ommers.map((ommer) => serializeHeader(ommer) ?? new Uint8Array());
  const list = serializeRlp(encoded.map((bytes) => ({ encoded: bytes })));
  const header = headerOf({ sha3Uncles: keccak256(list) });
  const replies = {
    eth_getBlockByNumber: () => ({
      result: blockOf(
        header,
        ommers.map(({ hash }) => hash),
      ),
    }),
    eth_getBlockByHash: () => ({
      result: blockOf(
        header,
        ommers.map(({ hash }) => hash),
      ),
    }),
    eth_getUncleByBlockHashAndIndex: ({ params }: RpcCall) => ({ result: ommers[Number(params[1])] ?? null }),
  };

  it("is encoded with them", async () => {
    const served = await serveMadeUp(replies);
    const response = await served.ask("{ block(number: 1) { raw } }");
    expect(response.errors).toEqual([]);
    const raw = serializeRlp([{ encoded: serializeHeader(header) ?? list }, [], { encoded: list }]);
    expect(response.data).toEqual({ block: { raw: hexOf(raw) } });
  });

  it("has encoded headers of its ommers, and empty blocks of them, as geth does", async () => {
    const served = await serveMadeUp(replies);
    const response = await served.ask("{ block(number: 1) { ommers { raw rawHeader } } }");
    const reported = encoded.map((bytes) => ({ raw: "0x", rawHeader: hexOf(bytes) }));
    expect(response.data).toEqual({ block: { ommers: reported } });
  });

  it("is asked of the node when an ommer is no longer kept", async () => {
    const raw = hexOf(serializeRlp([{ encoded: serializeHeader(header) ?? list }, [], { encoded: list }]));
    const served = await serveMadeUp({
      ...replies,
      eth_getUncleByBlockHashAndIndex: () => ({ result: null }),
      debug_getRawBlock: () => ({ result: raw }),
    });
    expect((await served.ask("{ block(number: 1) { raw } }")).data).toEqual({ block: { raw } });
  });

  it.each(["ommers { hash }", "ommerAt(index: 1) { hash }", "raw"])(
    "is refused for another ommer: %s",
    async (field) => {
      const served = await serveMadeUp({
        ...replies,
        eth_getUncleByBlockHashAndIndex: () => ({ result: { ...ommers[0], hash: word("9") } }),
      });
      expect((await served.ask(`{ block(number: 1) { ${field} } }`)).errors).toMatchObject([
        { extensions: { code: "UPSTREAM_UNAVAILABLE" } },
      ]);
    },
  );
});

describe("a header with fields that are unknown here", () => {
  const rawHeader = serializeRlp([bytesOf(word("1")), bytesOf("0x99")]);
  const header = { ...plainHeader, ofLaterTimes: "0x99", hash: keccak256(rawHeader) };
  const rawBlock = serializeRlp([{ encoded: rawHeader }, [], []]);
  const replies = {
    eth_getBlockByNumber: () => ({ result: blockOf(header) }),
    eth_getBlockByHash: () => ({ result: blockOf(header) }),
    debug_getRawHeader: () => ({ result: hexOf(rawHeader) }),
    debug_getRawBlock: () => ({ result: hexOf(rawBlock) }),
  };

  it("is asked of the node", async () => {
    const served = await serveMadeUp(replies);
    expect((await served.ask("{ block(number: 1) { rawHeader raw } }")).data).toEqual({
      block: { rawHeader: hexOf(rawHeader), raw: hexOf(rawBlock) },
    });
  });

  it.each([["0x"], ["0xc101"], ["0x1"], [null], [17], [hexOf(serializeRlp([{ encoded: rawHeader }, [[]], []]))]])(
    "is not believed when the node answers %j",
    async (result) => {
      const served = await serveMadeUp({
        ...replies,
        debug_getRawHeader: () => ({ result }),
        debug_getRawBlock: () => ({ result }),
      });
      for (const field of ["rawHeader", "raw"]) {
        const response = await served.ask(`{ block(number: 1) { ${field} } }`);
        expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
      }
    },
  );
});

describe("a transaction of a type that is unknown here", () => {
  const raw = "0x7e01020304";
  const body = {
    hash: keccak256(bytesOf(raw)),
    type: "0x7e",
    nonce: "0x0",
    from: `0x${"1".repeat(40)}`,
    to: null,
    value: "0x0",
    gas: "0x0",
    input: "0x",
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    r: "0x0",
    s: "0x0",
  };
  const query = `{ transaction(hash: "${body.hash}") { raw } }`;
  const isKnown = { eth_getTransactionByHash: () => ({ result: body }) };

  it.each(["eth_getRawTransactionByHash", "debug_getRawTransaction"])("is asked of the node by %s", async (method) => {
    const served = await serveMadeUp({ ...isKnown, [method]: () => ({ result: raw }) });
    expect((await served.ask(query)).data).toEqual({ transaction: { raw } });
  });

  it("is not believed with another hash", async () => {
    const served = await serveMadeUp({ ...isKnown, eth_getRawTransactionByHash: () => ({ result: `${raw}05` }) });
    expect((await served.ask(query)).errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
  });

  it("is an error that says so when the node offers no encodings", async () => {
    const served = await serveMadeUp(isKnown);
    expect((await served.ask(query)).errors).toMatchObject([{ extensions: { code: "NOT_IMPLEMENTED" } }]);
  });
});
