import type { RequestListener } from "node:http";
import { type ChainBlock, type ChainTransaction, createChain, tipAt } from "./chain-data.ts";
import { createRpcListener, RpcFailure } from "./rpc-listener.ts";
import { protocolProbes, rpcProbes } from "./rpc-probes.ts";
import type { Clock, Probe, World } from "./world.ts";

const chain = createChain("rpc", 1000);
const versionBytes = "20000000";

function headerHex(block: ChainBlock): string {
  const number = (value: number): string => value.toString(16).padStart(8, "0");
  return `${versionBytes}${block.previous}${block.hash.slice(8)}${number(block.time)}${number(block.nonce)}`;
}

function outputView(output: { readonly address: string; readonly value: number }, index: number) {
  return { n: index, value: output.value / 1e8, address: output.address };
}

function transactionView(transaction: ChainTransaction, tip: number): Readonly<Record<string, unknown>> {
  const block = chain.blocks[transaction.height] as ChainBlock;
  return {
    txid: transaction.txid,
    size: transaction.size,
    version: 2,
    vin: transaction.isCoinbase
      ? [{ coinbase: block.hash.slice(0, 16) }]
      : transaction.inputs.map(({ txid, vout }) => ({ txid, vout })),
    vout: transaction.outputs.map(outputView),
    blockhash: block.hash,
    blocktime: block.time,
    confirmations: tip - transaction.height + 1,
  };
}

function blockView(block: ChainBlock, verbosity: number, tip: number): unknown {
  if (verbosity === 0) {
    return headerHex(block);
  }
  return {
    hash: block.hash,
    height: block.height,
    confirmations: tip - block.height + 1,
    time: block.time,
    nonce: block.nonce,
    difficulty: block.difficulty,
    nTx: block.transactions.length,
    ...(block.height === 0 ? {} : { previousblockhash: block.previous }),
    ...(block.height === tip ? {} : { nextblockhash: chain.blocks[block.height + 1]?.hash }),
    tx: block.transactions.map((transaction) => {
      const { blockhash: _hash, blocktime: _time, confirmations: _count, ...own } = transactionView(transaction, tip);
      return verbosity === 1 ? transaction.txid : own;
    }),
  };
}

function createListener(clock: Clock): RequestListener {
  const tip = (): number => tipAt(clock());
  const getBlock = (hash: string): ChainBlock => {
    const block = chain.byHash.get(hash);
    if (block === undefined || block.height > tip()) {
      throw new RpcFailure(-5, "Block not found");
    }
    return block;
  };
  return createRpcListener(document, {
    getblockcount: () => tip(),
    getbestblockhash: () => chain.blocks[tip()]?.hash,
    getblockhash: ({ height }: { readonly height: number }) => {
      if (height > tip()) {
        throw new RpcFailure(-8, "Block height out of range");
      }
      return chain.blocks[height]?.hash;
    },
    getblock: ({ blockhash, verbosity }: { readonly blockhash: string; readonly verbosity: number }) =>
      blockView(getBlock(blockhash), verbosity, tip()),
    gettransaction: ({ txid, verbose }: { readonly txid: string; readonly verbose: boolean }) => {
      const transaction = chain.transactions.get(txid);
      if (transaction === undefined || transaction.height > tip()) {
        throw new RpcFailure(-5, "No such transaction");
      }
      const block = chain.blocks[transaction.height] as ChainBlock;
      return verbose ? transactionView(transaction, tip()) : `${versionBytes}${transaction.txid}${headerHex(block)}`;
    },
    listunspent: ({
      address,
      minconf,
      maxconf,
      count,
    }: {
      readonly address: string;
      readonly minconf: number;
      readonly maxconf: number;
      readonly count: number;
    }) => {
      const history = chain.byAddress.get(address);
      if (history === undefined) {
        throw new RpcFailure(-5, "Unknown address");
      }
      const unspent = history
        .filter((transaction) => transaction.height <= 100)
        .flatMap((transaction) =>
          transaction.outputs.map((output, vout) => ({
            txid: transaction.txid,
            vout,
            address: output.address,
            amount: output.value / 1e8,
            confirmations: tip() - transaction.height + 1,
          })),
        )
        .filter((output) => output.address === address)
        .filter((output) => output.confirmations >= minconf && output.confirmations <= maxconf);
      return unspent.slice(0, count);
    },
    getmempoolinfo: () => {
      const size = 1 + (Math.floor(clock() / 300) % 5);
      return { loaded: true, size, bytes: size * 250, mempoolminfee: 0.00001 };
    },
    estimatefee: ({
      conf_target,
      estimate_mode,
    }: {
      readonly conf_target: number;
      readonly estimate_mode: string;
    }) => ({
      feerate: (estimate_mode === "economical" ? 1 : 2) * (1 + 100 / conf_target) * 0.00001,
      blocks: conf_target,
    }),
  });
}

const shown = chain.blocks[77] as ChainBlock;
const shownTransaction = shown.transactions[1] as ChainTransaction;
const shownAddress = shownTransaction.outputs[0]?.address as string;

const hash = { $ref: "#/components/schemas/Hash" };
const amount = { $ref: "#/components/schemas/Amount" };
const errors = {
  notFound: { code: -5, message: "Not found" },
  outOfRange: { code: -8, message: "Block height out of range" },
  invalid: { code: -32602, message: "Invalid params" },
};

function example(name: string, params: readonly (readonly [string, unknown])[], result: unknown) {
  return {
    name,
    params: params.map(([parameter, value]) => ({ name: parameter, value })),
    result: { name: "result", value: result },
  };
}

const document = {
  openrpc: "1.2.6",
  info: { title: "Pebble node", version: "0.9.1", description: "JSON-RPC of a Pebble chain node." },
  servers: [{ name: "local", url: "http://localhost:9332" }],
  methods: [
    {
      name: "getblockcount",
      summary: "Height of the best block",
      params: [],
      result: { name: "height", schema: { type: "integer", minimum: 0 } },
      examples: [example("count", [], 77)],
    },
    {
      name: "getbestblockhash",
      summary: "Hash of the best block",
      params: [],
      result: { name: "blockhash", schema: hash },
      examples: [example("best", [], shown.hash)],
    },
    {
      name: "getblockhash",
      summary: "Hash of the block at a height",
      params: [{ name: "height", required: true, schema: { type: "integer", minimum: 0, maximum: 4294967295 } }],
      result: { name: "blockhash", schema: hash },
      errors: [errors.outOfRange, errors.invalid],
      examples: [example("at77", [["height", 77]], shown.hash)],
    },
    {
      name: "getblock",
      summary: "A block, as much of it as is asked for",
      params: [
        { name: "blockhash", required: true, schema: hash },
        {
          name: "verbosity",
          description: "0: the header in hex; 1: with ids of transactions; 2: with transactions",
          schema: { type: "integer", enum: [0, 1, 2], default: 1 },
        },
      ],
      result: {
        name: "block",
        schema: {
          oneOf: [
            { type: "string", pattern: "^[0-9a-f]{144,}$" },
            { $ref: "#/components/schemas/Block" },
            { $ref: "#/components/schemas/BlockWithTransactions" },
          ],
        },
      },
      errors: [errors.notFound, errors.invalid],
      examples: [
        example("default", [["blockhash", shown.hash]], blockView(shown, 1, 80)),
        example(
          "header",
          [
            ["blockhash", shown.hash],
            ["verbosity", 0],
          ],
          blockView(shown, 0, 80),
        ),
        example(
          "full",
          [
            ["blockhash", shown.hash],
            ["verbosity", 2],
          ],
          blockView(shown, 2, 80),
        ),
      ],
    },
    {
      name: "gettransaction",
      summary: "A transaction in hex, or read",
      params: [
        { name: "txid", required: true, schema: hash },
        { name: "verbose", schema: { type: "boolean", default: false } },
      ],
      result: {
        name: "transaction",
        schema: {
          oneOf: [
            { type: "string", pattern: "^([0-9a-f]{2})+$" },
            {
              allOf: [
                { $ref: "#/components/schemas/Transaction" },
                {
                  type: "object",
                  required: ["blockhash", "blocktime", "confirmations"],
                  properties: {
                    blockhash: hash,
                    blocktime: { type: "integer", minimum: 0 },
                    confirmations: { type: "integer", minimum: 1 },
                  },
                },
              ],
            },
          ],
        },
      },
      errors: [errors.notFound, errors.invalid],
      examples: [
        example(
          "read",
          [
            ["txid", shownTransaction.txid],
            ["verbose", true],
          ],
          transactionView(shownTransaction, 80),
        ),
        example("raw", [["txid", shownTransaction.txid]], `${versionBytes}${shownTransaction.txid}${headerHex(shown)}`),
      ],
    },
    {
      name: "listunspent",
      summary: "Outputs of an address",
      params: [
        { name: "address", required: true, schema: { type: "string", pattern: "^bx1[0-9a-f]{32}$" } },
        { name: "minconf", schema: { type: "integer", minimum: 1, default: 1 } },
        { name: "maxconf", schema: { type: "integer", minimum: 1, default: 9999999 } },
        { name: "count", schema: { type: "integer", minimum: 1, maximum: 100, default: 25 } },
      ],
      result: {
        name: "outputs",
        schema: { type: "array", maxItems: 100, items: { $ref: "#/components/schemas/Unspent" } },
      },
      errors: [errors.notFound, errors.invalid],
      examples: [
        example(
          "one",
          [
            ["address", shownAddress],
            ["minconf", 1],
            ["maxconf", 9999999],
            ["count", 1],
          ],
          [{ txid: shownTransaction.txid, vout: 0, address: shownAddress, amount: 0.5, confirmations: 4 }],
        ),
      ],
    },
    {
      name: "getmempoolinfo",
      summary: "About the transactions that wait",
      params: [],
      result: {
        name: "info",
        schema: {
          type: "object",
          additionalProperties: false,
          required: ["loaded", "size", "bytes", "mempoolminfee"],
          properties: {
            loaded: { type: "boolean" },
            size: { type: "integer", minimum: 0 },
            bytes: { type: "integer", minimum: 0 },
            mempoolminfee: amount,
          },
        },
      },
      examples: [example("info", [], { loaded: true, size: 3, bytes: 750, mempoolminfee: 0.00001 })],
    },
    {
      name: "estimatefee",
      summary: "What a transaction should pay",
      params: [
        { name: "conf_target", required: true, schema: { type: "integer", minimum: 1, maximum: 1008 } },
        {
          name: "estimate_mode",
          schema: { type: "string", enum: ["economical", "conservative"], default: "conservative" },
        },
      ],
      result: {
        name: "estimate",
        schema: {
          type: "object",
          required: ["feerate", "blocks"],
          properties: { feerate: { type: "number", exclusiveMinimum: 0 }, blocks: { type: "integer", minimum: 1 } },
        },
      },
      errors: [errors.invalid],
      examples: [example("six", [["conf_target", 6]], { feerate: 0.00035, blocks: 6 })],
    },
  ],
  components: {
    schemas: {
      Hash: { type: "string", pattern: "^[0-9a-f]{64}$" },
      Amount: { type: "number", minimum: 0, maximum: 21000000 },
      Block: {
        type: "object",
        required: ["hash", "height", "confirmations", "time", "nonce", "difficulty", "nTx", "tx"],
        properties: {
          hash,
          height: { type: "integer", minimum: 0 },
          confirmations: { type: "integer", minimum: 1 },
          time: { type: "integer", minimum: 0 },
          nonce: { type: "integer", minimum: 0, maximum: 4294967295 },
          difficulty: { type: "number", exclusiveMinimum: 0 },
          nTx: { type: "integer", minimum: 1 },
          previousblockhash: hash,
          nextblockhash: hash,
          tx: { type: "array", minItems: 1, items: hash },
        },
      },
      BlockWithTransactions: {
        type: "object",
        required: ["hash", "height", "confirmations", "time", "nonce", "difficulty", "nTx", "tx"],
        properties: {
          hash,
          height: { type: "integer", minimum: 0 },
          confirmations: { type: "integer", minimum: 1 },
          time: { type: "integer", minimum: 0 },
          nonce: { type: "integer", minimum: 0, maximum: 4294967295 },
          difficulty: { type: "number", exclusiveMinimum: 0 },
          nTx: { type: "integer", minimum: 1 },
          previousblockhash: hash,
          nextblockhash: hash,
          tx: { type: "array", minItems: 1, items: { $ref: "#/components/schemas/Transaction" } },
        },
      },
      Transaction: {
        type: "object",
        required: ["txid", "size", "version", "vin", "vout"],
        properties: {
          txid: hash,
          size: { type: "integer", minimum: 60 },
          version: { type: "integer" },
          vin: {
            type: "array",
            minItems: 1,
            items: {
              oneOf: [
                {
                  type: "object",
                  additionalProperties: false,
                  required: ["coinbase"],
                  properties: { coinbase: { type: "string", pattern: "^([0-9a-f]{2})*$" } },
                },
                {
                  type: "object",
                  additionalProperties: false,
                  required: ["txid", "vout"],
                  properties: { txid: hash, vout: { type: "integer", minimum: 0 } },
                },
              ],
            },
          },
          vout: {
            type: "array",
            minItems: 1,
            items: {
              type: "object",
              required: ["n", "value", "address"],
              properties: { n: { type: "integer", minimum: 0 }, value: amount, address: { type: "string" } },
            },
          },
        },
      },
      Unspent: {
        type: "object",
        required: ["txid", "vout", "address", "amount", "confirmations"],
        additionalProperties: false,
        properties: {
          txid: hash,
          vout: { type: "integer", minimum: 0 },
          address: { type: "string", pattern: "^bx1[0-9a-f]{32}$" },
          amount,
          confirmations: { type: "integer", minimum: 1 },
        },
      },
    },
  },
};

function corpus(): readonly Probe[] {
  const other = chain.blocks[12] as ChainBlock;
  const nowhere = "ab".repeat(32);
  const calls: readonly (readonly [string, unknown?])[] = [
    ["getblockcount"],
    ["getblockcount", []],
    ["getbestblockhash", []],
    ["getblockhash", [77]],
    ["getblockhash", { height: 12 }],
    ["getblockhash", [0]],
    ["getblock", [shown.hash]],
    ["getblock", { blockhash: shown.hash }],
    ...[0, 1, 2].map((verbosity) => ["getblock", [shown.hash, verbosity]] as const),
    ["getblock", { blockhash: other.hash, verbosity: 2 }],
    ["getblock", [other.hash, 1]],
    ["gettransaction", [shownTransaction.txid]],
    ["gettransaction", [shownTransaction.txid, true]],
    ["gettransaction", { txid: shownTransaction.txid, verbose: false }],
    ["gettransaction", [other.transactions[0]?.txid, true]],
    ["listunspent", [shownAddress]],
    ["listunspent", { address: shownAddress, count: 1 }],
    ["listunspent", [shownAddress, 1, 60]],
    ["listunspent", [shownAddress, 50, 9999999, 100]],
    ["listunspent", { address: shownAddress, minconf: 40, maxconf: 90 }],
    ["getmempoolinfo", []],
    ["estimatefee", [6]],
    ["estimatefee", [1, "economical"]],
    ["estimatefee", { conf_target: 1008, estimate_mode: "conservative" }],
    ["getblockcount", [1]],
    ["getblockhash", []],
    ["getblockhash", [-1]],
    ["getblockhash", ["77"]],
    ["getblockhash", [1.5]],
    ["getblockhash", [4294967295]],
    ["getblockhash", [4294967296]],
    ["getblock", ["xyz"]],
    ["getblock", [nowhere]],
    ["getblock", [shown.hash, 3]],
    ["getblock", [shown.hash, "1"]],
    ["getblock", { blockhash: shown.hash, colour: 1 }],
    ["gettransaction", [nowhere]],
    ["gettransaction", [shownTransaction.txid, "yes"]],
    ["listunspent", ["nobody"]],
    ["listunspent", [`bx1${"0".repeat(32)}`]],
    ["listunspent", [shownAddress, 0]],
    ["listunspent", [shownAddress, 1, 0]],
    ["listunspent", [shownAddress, 1, 1, 0]],
    ["listunspent", [shownAddress, 1, 1, 101]],
    ["getmempoolinfo", [1]],
    ["estimatefee", [0]],
    ["estimatefee", [1009]],
    ["estimatefee", [6, "fast"]],
    ["nosuchmethod", []],
  ];
  return [...rpcProbes(calls), ...protocolProbes("getblockcount")];
}

/** A chain that grows, methods with examples, by name and position: OpenRPC, json-rpc-2.0. */
export const rpcChain: World = {
  name: "rpc-chain",
  kind: "rpc",
  isLive: true,
  document: { fileName: "pebble.json", text: `${JSON.stringify(document, undefined, 2)}\n` },
  basePath: "",
  corpus: corpus(),
  createListener,
};
