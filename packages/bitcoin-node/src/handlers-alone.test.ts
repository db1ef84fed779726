import { displayHash, fromHex, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withChecksum } from "./testing/with-checksum.ts";
import { createrawtransaction } from "./handlers/createrawtransaction.ts";
import { deriveaddresses } from "./handlers/deriveaddresses.ts";
import { getdescriptorinfo } from "./handlers/getdescriptorinfo.ts";
import { getrawmempool } from "./handlers/getrawmempool.ts";
import { getrawtransaction } from "./handlers/getrawtransaction.ts";
import { gettxoutproof } from "./handlers/gettxoutproof.ts";
import { scantxoutset } from "./handlers/scantxoutset.ts";
import { searchrawtransactions } from "./handlers/searchrawtransactions.ts";
import { verifymessage } from "./handlers/verifymessage.ts";
import { verifytxoutproof } from "./handlers/verifytxoutproof.ts";
import { indexChain, type IndexedChain } from "./testing/test-chain.ts";

let chain: IndexedChain;
let genesis: { readonly hash: string; readonly coinbase: string };
/** Coinbase of the last block. */
let coinbase: { readonly txid: string; readonly hex: string; readonly block: string };

beforeAll(async () => {
  chain = await indexChain(3);
  const factsOf = (bytes: Uint8Array) => {
    const { header, transactions } = parseBlock(bytes);
    const [transaction] = transactions;
    if (transaction === undefined) return expect.unreachable();
    return { txid: displayHash(transaction.txid), hex: toHex(transaction.bytes), block: displayHash(header.hash) };
  };
  coinbase = factsOf(chain.tip.bytes);
  const first = factsOf(chain.chain.genesis.bytes);
  genesis = { hash: first.block, coinbase: first.txid };
});

afterAll(() => chain.close());

/** Returns the result, or code and message. */
async function outcomeOf(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    const { rpcCode, message } = error as { readonly rpcCode?: number; readonly message: string };
    return `${rpcCode} ${message}`;
  }
}

const master =
  "tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK";
const xpub =
  "tpubDAenfwNu5GyCJWv8oqRAckdKMSUoZjgVF5p8WvQwHQeXjDhAHmGrPa4a4y2Fn7HF2nfCLefJanHV3ny1UY25MRVogizB2zRUdAo7Tr9XAjm";
const single = "bcrt1qjqmxmkpmxt80xz4y3746zgt0q3u3ferr34acd5";

describe("deriveaddresses", () => {
  const derive = async (descriptor: string, range?: number | readonly number[]) =>
    await outcomeOf(() =>
      deriveaddresses(
        { descriptor: withChecksum(descriptor), ...(range === undefined ? {} : { range }) },
        chain.context(),
      ),
    );

  // Cases of Bitcoin Core's test/functional/rpc_deriveaddresses.py.
  it.each<[descriptor: string, range: number | readonly number[] | undefined, addresses: unknown]>([
    [`wpkh(${master}/1/1/0)`, undefined, [single]],
    [
      `wpkh(${master}/1/1/*)`,
      [1, 2],
      ["bcrt1qhku5rq7jz8ulufe2y6fkcpnlvpsta7rq4442dy", "bcrt1qpgptk2gvshyl0s9lqshsmx932l9ccsv265tvaq"],
    ],
    [
      `wpkh(${master}/1/1/*)`,
      2,
      [single, "bcrt1qhku5rq7jz8ulufe2y6fkcpnlvpsta7rq4442dy", "bcrt1qpgptk2gvshyl0s9lqshsmx932l9ccsv265tvaq"],
    ],
    [`wpkh(${master}/1/1/*)`, [0, 0], [single]],
    [
      `combo(${master}/1/1/0)`,
      undefined,
      ["mtfUoUax9L4tzXARpw1oTGxWyoogp52KhJ", single, "2NDvEwGfpEqJWfybzpKPHF2XH3jwoQV3D7x"],
    ],
    [`wpkh(${master}/1/1/<0;1>)`, undefined, [[single], ["bcrt1qhku5rq7jz8ulufe2y6fkcpnlvpsta7rq4442dy"]]],
  ])("gives of %s with the range %j its addresses", async (descriptor, range, addresses) => {
    expect(await derive(descriptor, range)).toEqual(addresses);
  });

  it.each<[descriptor: string, range: number | readonly number[] | undefined, refusal: string]>([
    [`wpkh(${master}/1/1/0)`, [0, 2], "-8 Range should not be specified for an un-ranged descriptor"],
    [`wpkh(${master}/1/1/*)`, undefined, "-8 Range must be specified for a ranged descriptor"],
    [`wpkh(${master}/1/1/*)`, [2, 0], "-8 Range specified as [begin,end] must not have begin after end"],
    [`wpkh(${master}/1/1/*)`, -1, "-8 End of range is too high"],
    ["raw(00)", undefined, "-5 Descriptor does not have a corresponding address"],
    [`pk(${master}/1/1/0)`, undefined, "-5 Descriptor does not have a corresponding address"],
    [`wpkh(${xpub}/1h)`, undefined, "-5 Cannot derive script without private keys"],
    [`wpkh(${xpub}/*)`, [0, 10_000], "-8 The search has more than 10000 scripts: look for fewer at once"],
    [`wpkh(${xpub}/<0;1>/*)`, [0, 5_000], "-8 The search has more than 10000 scripts: look for fewer at once"],
    [`combo(${xpub}/*)`, [0, 2_500], "-8 The search has more than 10000 scripts: look for fewer at once"],
    [
      `wsh(multi(1,${xpub}/*,${xpub}/1/*,${xpub}/2/*))`,
      [0, 9_999],
      "-8 The search has more than 30000 keys to derive: look for fewer at once",
    ],
    [
      `tr(${xpub}/*,{pk(${xpub}/1/*),pk(${xpub}/2/*)})`,
      [0, 5_000],
      "-8 The search has more than 30000 keys to derive: look for fewer at once",
    ],
  ])("refuses %s with the range %j", async (descriptor, range, refusal) => {
    expect(await derive(descriptor, range)).toBe(refusal);
  });

  it("needs a checksum", async () => {
    expect(await outcomeOf(() => deriveaddresses({ descriptor: "raw(00)" }, chain.context()))).toBe(
      "-5 Missing checksum",
    );
  });
});

describe("getdescriptorinfo", () => {
  it.each<[descriptor: string, facts: object]>([
    [
      "raw(deadbeef)",
      {
        descriptor: "raw(deadbeef)#89f8spxm",
        checksum: "89f8spxm",
        isrange: false,
        issolvable: false,
        hasprivatekeys: false,
      },
    ],
    [`addr(${single})`, { issolvable: false, isrange: false }],
    [`wpkh(${xpub}/*)`, { isrange: true, issolvable: true, hasprivatekeys: false }],
    [`wpkh(${master}/0)`, { isrange: false, issolvable: true, hasprivatekeys: true }],
    // Test vectors of BIP 380.
    [
      "wpkh(cVpF924EspNh8KjYsfhgY96mmxvT6DgdWiTYMtMjuM74hJaU5psW)",
      { isrange: false, issolvable: true, hasprivatekeys: true },
    ],
  ])("of %s", async (descriptor, facts) => {
    const info = await getdescriptorinfo({ descriptor }, chain.context());
    expect(info).toMatchObject(facts);
    expect(info).not.toHaveProperty("multipath_expansion");
    expect(JSON.stringify(info)).not.toContain("tprv");
  });

  it("tells each of several paths", async () => {
    const info = await getdescriptorinfo({ descriptor: `wpkh(${xpub}/<0;1>/*)` }, chain.context());
    const expansion = [0, 1].map((branch) => withChecksum(`wpkh(${xpub}/${branch}/*)`));
    expect(info).toMatchObject({ descriptor: expansion[0], multipath_expansion: expansion, isrange: true });
  });

  it.each([
    [`tr(musig(${xpub}/1,${xpub}/2)/<0;1>/*)`, [0, 1].map((branch) => `tr(musig(${xpub}/1,${xpub}/2)/${branch}/*)`)],
    [
      `tr(musig(${xpub}/<3;4;5>/6,${xpub}/2)/*)`,
      [3, 4, 5].map((number) => `tr(musig(${xpub}/${number}/6,${xpub}/2)/*)`),
    ],
    [
      `wsh(multi(1,${xpub}/<0;1>/*,${xpub}/2/*))`,
      [0, 1].map((branch) => `wsh(multi(1,${xpub}/${branch}/*,${xpub}/2/*))`),
    ],
    [`pkh([deadbeef/1']${xpub}/<0';1>)`, ["0'", "1"].map((number) => `pkh([deadbeef/1']${xpub}/${number})`)],
  ])("tells each of the paths of %s", async (descriptor, expansion) => {
    const info = await getdescriptorinfo({ descriptor }, chain.context());
    expect(info).toMatchObject({
      descriptor: withChecksum(expansion[0] ?? ""),
      multipath_expansion: expansion.map(withChecksum),
    });
  });
});

describe("verifymessage", () => {
  // Values of Bitcoin Core's test/functional/rpc_signmessagewithprivkey.py.
  const address = "mpLQjfK79b7CCV4VMJWEWAj5Mpx8Up5zxB";
  const signature = "INbVnW4e6PeRmsv2Qgu8NuopvrVjkcxob+sX8OcZG0SALhWybUjzMLPdAsXI46YZGb0KQTRii+wWIQzRpG/U+S0=";
  const message = "This is just a test message";
  const verify = async (more: object) =>
    await outcomeOf(() => verifymessage({ address, signature, message, ...more }, chain.context()));

  it.each<[what: string, more: object, outcome: unknown]>([
    ["what was signed", {}, true],
    ["another message", { message: "This is just another test message" }, false],
    ["another address", { address: "mtfUoUax9L4tzXARpw1oTGxWyoogp52KhJ" }, false],
    ["another signature", { signature: signature.replace("INbV", "INbW") }, false],
    ["no signature", { signature: "" }, false],
    ["a short signature", { signature: "AAAA" }, false],
    ["an address of another network", { address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" }, "-5 Invalid address"],
    ["an address of a script", { address: "2NDvEwGfpEqJWfybzpKPHF2XH3jwoQV3D7x" }, "-3 Address does not refer to key"],
    ["a witness address", { address: single }, "-3 Address does not refer to key"],
    ...["AAA", "AA=A", "====", "AAAA=", "A A=", "AB==", "AAB=", ` ${signature}`, `${signature}\n`, "AA-_"].map(
      (text): [string, object, unknown] => [text, { signature: text }, "-3 Malformed base64 encoding"],
    ),
    ["bits of zero that are left over", { signature: "AA==" }, false],
  ])("judges %s", async (_what, more, outcome) => expect(await verify(more)).toBe(outcome));
});

describe("getrawtransaction", () => {
  const get = async (input: { readonly txid: string; readonly verbose?: number; readonly blockhash?: string }) =>
    await outcomeOf(() => getrawtransaction(input, chain.context()));
  const nowhere = "ee".repeat(32);
  const notAnywhere = "-5 No such mempool or blockchain transaction. Use gettransaction for wallet transactions.";
  const firstCoinbase =
    "-5 The genesis block coinbase is not considered an ordinary transaction and cannot be retrieved";

  it("finds a transaction by its id, in whatever case, with its block and without", async () => {
    const { txid, hex, block } = coinbase;
    expect(await get({ txid })).toBe(hex);
    expect(await get({ txid: txid.toUpperCase() })).toBe(hex);
    expect(await get({ txid, blockhash: block.toUpperCase() })).toBe(hex);
    const member = async (blockhash?: string) =>
      String(
        ((await get({ txid, verbose: 1, ...(blockhash === undefined ? {} : { blockhash }) })) as { text: string }).text,
      );
    expect(JSON.parse(await member())).toMatchObject({ txid, hex, blockhash: block, confirmations: 1 });
    expect(JSON.parse(await member())).not.toHaveProperty("in_active_chain");
    expect(JSON.parse(await member(block))).toMatchObject({ in_active_chain: true, txid, confirmations: 1 });
  });

  it("says where it has looked in vain", async () => {
    for (const verbose of [0, 1]) {
      expect(await get({ txid: nowhere, verbose })).toBe(notAnywhere);
      expect(await get({ txid: nowhere, verbose, blockhash: nowhere })).toBe("-5 Block hash not found");
      expect(await get({ txid: nowhere, verbose, blockhash: coinbase.block })).toBe(
        "-5 No such transaction found in the provided block. Use gettransaction for wallet transactions.",
      );
      expect(await get({ txid: genesis.coinbase, verbose })).toBe(firstCoinbase);
      expect(await get({ txid: genesis.coinbase, verbose, blockhash: genesis.hash })).toBe(firstCoinbase);
    }
  });
});

describe("a proof", () => {
  it("is of transactions of one block, and is checked", async () => {
    const proofOf = async (input: Parameters<typeof gettxoutproof>[0]) =>
      await outcomeOf(() => gettxoutproof(input, chain.context()));
    const { txid, block } = coinbase;
    const proof = String(await proofOf({ txids: [txid] }));
    expect(await proofOf({ txids: [txid.toUpperCase()], blockhash: block })).toBe(proof);
    const nowhere = "ee".repeat(32);
    expect(await proofOf({ txids: [txid, txid.toUpperCase()] })).toBe(
      `-8 Invalid parameter, duplicated txid: ${txid.toUpperCase()}`,
    );
    expect(await proofOf({ txids: [nowhere] })).toBe("-5 Transaction not yet in block");
    expect(await proofOf({ txids: [txid, nowhere] })).toBe(
      "-5 Not all transactions found in specified or retrieved block",
    );
    expect(await proofOf({ txids: [genesis.coinbase] })).toBe("-5 Transaction not yet in block");
    expect(String(await proofOf({ txids: [genesis.coinbase], blockhash: genesis.hash }))).toMatch(/^[0-9a-f]+$/);

    const verify = async (text: string) => await outcomeOf(() => verifytxoutproof({ proof: text }, chain.context()));
    expect(await verify(proof)).toEqual([txid]);
    expect(await verify("")).toBe("-8 proof must be hexadecimal string (not '')");
    expect(await verify("0g")).toBe("-8 proof must be hexadecimal string (not '0g')");
    expect(await verify("00")).toBe("-22 The proof can't be decoded");
    // With another header the root differs, and then the block is not on the chain.
    const bytes = fromHex(proof) ?? expect.unreachable();
    const changed = (position: number) => toHex(bytes.with(position, (bytes[position] ?? 0) ^ 1));
    expect(await verify(changed(40))).toEqual([]);
    expect(await verify(changed(70))).toBe("-5 Block not found in chain");
  });
});

describe("what else is refused", () => {
  it("entries of the mempool with its sequence", async () => {
    expect(await outcomeOf(() => getrawmempool({ verbose: true, mempoolSequence: true }, chain.context()))).toBe(
      "-8 Verbose results cannot contain mempool sequence values.",
    );
    expect(await getrawmempool({ mempoolSequence: true }, chain.context())).toEqual({ txids: [], mempool_sequence: 0 });
    expect([await getrawmempool({}, chain.context()), await getrawmempool({ verbose: true }, chain.context())]).toEqual(
      [[], {}],
    );
  });

  it("a search for what is no address, and for one that nobody knows", async () => {
    const search = async (input: Parameters<typeof searchrawtransactions>[0]) =>
      await outcomeOf(() => searchrawtransactions(input, chain.context()));
    const reason = "Invalid or unsupported Segwit (Bech32) or Base58 encoding.";
    expect(await search({ address: "nowhere" })).toBe(
      `-5 Invalid address or key: nowhere: ${reason}`.replace(
        reason,
        "Invalid checksum or length of Base58 address (P2PKH or P2SH)",
      ),
    );
    expect(await search({ address: single, filteraddrs: ["0"] })).toBe(`-5 Invalid address or key: 0: ${reason}`);
    expect(await search({ address: single })).toBe("-5 No information available about address");
  });

  it("data that is given twice, and more than one key in an output", async () => {
    const create = async (outputs: Parameters<typeof createrawtransaction>[0]["outputs"]) =>
      await outcomeOf(() => createrawtransaction({ inputs: [], outputs }, chain.context()));
    expect(await create([{ data: "00" }, { data: "00" }])).toBe("-8 Invalid parameter, duplicate key: data");
    expect(await create([{ data: "00", [single]: 1n }])).toBe(
      "-8 Invalid parameter, key-value pair must contain exactly one key",
    );
    expect(await create([{ data: 1n }])).toBe("-8 Data must be hexadecimal string (not 'a number')");
    expect(await create([{ data: "" }])).toBe("-8 Data must be hexadecimal string (not '')");
    expect(await create([{ data: "0" }])).toBe("-8 Data must be hexadecimal string (not '0')");
    expect(await create([{}])).toBe("-8 Invalid parameter, key-value pair must contain exactly one key");
    expect(await create([{ [single]: 1n }, { [single.toUpperCase()]: 1n }])).toBe(
      `-8 Invalid parameter, duplicated address: ${single.toUpperCase()}`,
    );
  });

  it("a scan for what cannot be derived, or in a range that is none", async () => {
    type ScanObject = NonNullable<Parameters<typeof scantxoutset>[0]["scanobjects"]>[number];
    const scan = async (...scanobjects: ScanObject[]) =>
      await outcomeOf(() => scantxoutset({ action: "start", scanobjects }, chain.context()));
    expect(await scan({ desc: `wpkh(${xpub}/*)`, range: [2, 0] })).toBe(
      "-8 Range specified as [begin,end] must not have begin after end",
    );
    expect(await scan({ desc: "raw(51)", range: -1 })).toBe("-8 End of range is too high");
    expect(await scan(`wpkh(${xpub}/1h)`)).toMatch(/^-5 Cannot derive script without private keys: 'wpkh\(tpub/);
    expect(await scan(`wpkh(${xpub}/<0;1h>)`, "nothing")).toMatch(/^-5 Cannot derive script without private keys: /);
    expect(await scan("nothing", `wpkh(${xpub}/1h)`)).not.toMatch(/private keys/);
  });
});
