import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import { parse } from "yaml";
import { type ChainBlock, type ChainTransaction, createChain, tipAt } from "./chain-data.ts";
import { createInputReaders } from "./openapi-inputs.ts";
import type { Clock, Probe, World } from "./world.ts";

const chain = createChain("explorer", 1000);

function blockView(block: ChainBlock): Readonly<Record<string, unknown>> {
  return {
    hash: block.hash,
    height: block.height,
    previousHash: block.height === 0 ? null : block.previous,
    time: block.time,
    size: block.size,
    nonce: block.nonce,
    difficulty: block.difficulty,
    txCount: block.transactions.length,
  };
}

function transactionView(transaction: ChainTransaction, tip: number): Readonly<Record<string, unknown>> {
  return {
    txid: transaction.txid,
    blockHash: chain.blocks[transaction.height]?.hash,
    blockHeight: transaction.height,
    confirmations: tip - transaction.height + 1,
    fee: transaction.fee,
    size: transaction.size,
    coinbase: transaction.isCoinbase,
    inputs: transaction.inputs,
    outputs: transaction.outputs,
  };
}

interface Answered {
  readonly body: unknown;
  readonly immutable?: boolean;
}

function createListener(clock: Clock): RequestListener {
  const readers = createInputReaders(parse(text));
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("query parser", "simple");
  const tip = (): number => tipAt(clock());

  const route = (path: string, id: string, handle: (values: never) => Answered | string) => {
    const reader = readers.get(id);
    app.all(path, (request: Request, response: Response) => {
      if (request.method !== "GET" && request.method !== "HEAD") {
        response.set("Allow", "GET, HEAD");
        sendProblem(response, 405, "Method Not Allowed", `${request.method} is not available here`);
        return;
      }
      const inputs = reader?.(request) ?? { values: {} };
      if ("problem" in inputs) {
        sendProblem(response, 400, "Bad Request", inputs.problem);
        return;
      }
      const answered = handle(inputs.values as never);
      if (typeof answered === "string") {
        sendProblem(response, 404, "Not Found", answered);
        return;
      }
      const content = JSON.stringify(answered.body);
      if (answered.immutable === true) {
        response.set("ETag", `"${createHash("sha256").update(content).digest("hex").slice(0, 16)}"`);
        response.set("Cache-Control", "public, max-age=31536000, immutable");
      } else {
        response.set("Cache-Control", "no-cache");
      }
      response.status(200).type("application/json").send(content);
    });
  };

  const findBlock = (id: unknown): ChainBlock | undefined => {
    const block = typeof id === "number" ? chain.blocks[id] : chain.byHash.get(String(id));
    return block !== undefined && block.height <= tip() ? block : undefined;
  };

  route("/tip", "getTip", () => {
    const block = chain.blocks[tip()] as ChainBlock;
    return { body: { height: block.height, hash: block.hash, time: block.time } };
  });
  route("/blocks/:block", "getBlock", ({ block: id }: { readonly block: string | number }) => {
    const block = findBlock(id);
    return block === undefined ? "no such block" : { body: blockView(block), immutable: true };
  });
  route(
    "/blocks/:block/txs",
    "listBlockTransactions",
    ({
      block: id,
      limit,
      offset,
    }: {
      readonly block: string | number;
      readonly limit: number;
      readonly offset: number;
    }) => {
      const block = findBlock(id);
      if (block === undefined) {
        return "no such block";
      }
      const items = block.transactions.slice(offset, offset + limit).map((transaction) => transaction.txid);
      return { body: { total: block.transactions.length, offset, items } };
    },
  );
  route("/txs/:txid", "getTransaction", ({ txid }: { readonly txid: string }) => {
    const transaction = chain.transactions.get(txid);
    return transaction === undefined || transaction.height > tip()
      ? "no such transaction"
      : { body: transactionView(transaction, tip()) };
  });
  const historyOf = (address: string): readonly ChainTransaction[] | undefined =>
    chain.byAddress.get(address)?.filter((transaction) => transaction.height <= tip());
  route("/addresses/:address", "getAddress", ({ address }: { readonly address: string }) => {
    const history = historyOf(address);
    if (history === undefined) {
      return "no such address";
    }
    const sum = (ends: readonly { readonly address: string; readonly value: number }[]): number =>
      ends.reduce((total, end) => total + (end.address === address ? end.value : 0), 0);
    const received = history.reduce((total, transaction) => total + sum(transaction.outputs), 0);
    const sent = history.reduce((total, transaction) => total + sum(transaction.inputs), 0);
    return { body: { address, txCount: history.length, received, sent, balance: received - sent } };
  });
  route(
    "/addresses/:address/txs",
    "listAddressTransactions",
    ({ address, limit, after }: { readonly address: string; readonly limit: number; readonly after?: string }) => {
      const history = historyOf(address);
      if (history === undefined) {
        return "no such address";
      }
      const start = after === undefined ? 0 : history.findIndex((transaction) => transaction.txid === after) + 1;
      if (after !== undefined && start === 0) {
        return "no such transaction of the address";
      }
      return { body: history.slice(start, start + limit).map((transaction) => transactionView(transaction, tip())) };
    },
  );
  route("/mempool", "getMempool", () => {
    const coming = (chain.blocks[tip() + 1] ?? chain.blocks[tip()]) as ChainBlock;
    const waiting = coming.transactions.slice(1, 2 + (Math.floor(clock() / 300) % 3));
    const size = waiting.reduce((total, transaction) => total + transaction.size, 0);
    return { body: { count: waiting.length, size, txids: waiting.map((transaction) => transaction.txid) } };
  });
  route("/fees", "getFees", () => {
    const base = 1 + (tip() % 7) / 2;
    return { body: { slow: base, normal: base * 2, fast: base * 4.5, unit: "sat/vB" } };
  });
  app.use((request: Request, response: Response) => {
    sendProblem(response, 404, "Not Found", `${request.path} is not a resource`);
  });
  app.use((_error: Error, _request: Request, response: Response, _next: NextFunction) => {
    sendProblem(response, 400, "Bad Request", "malformed request");
  });
  return app;
}

function sendProblem(response: Response, status: number, title: string, detail: string): void {
  response.status(status).type("application/problem+json").send(JSON.stringify({ title, status, detail }));
}

const shown = chain.blocks[77] as ChainBlock;
const shownTransaction = shown.transactions[1] as ChainTransaction;
const shownAddress = shownTransaction.outputs[0]?.address as string;

const text = `openapi: 3.1.0
info:
  title: Lantern Explorer API
  version: 2.4.0
  description: Read access to blocks, transactions and addresses.
servers:
  - url: https://api.lantern.example/v2
tags:
  - name: blocks
  - name: transactions
  - name: addresses
paths:
  /tip:
    get:
      operationId: getTip
      tags: [blocks]
      summary: The block at the end of the chain
      responses:
        "200":
          description: Where the chain ends now
          headers:
            Cache-Control: { $ref: "#/components/headers/CacheControl" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Tip" }
  /blocks/{block}:
    get:
      operationId: getBlock
      tags: [blocks]
      summary: A block by hash or height
      parameters:
        - $ref: "#/components/parameters/Block"
      responses:
        "200":
          description: The block
          headers:
            ETag:
              required: true
              description: Changes when the content does.
              schema: { type: string, pattern: '^"[0-9a-f]{16}"$' }
            Cache-Control: { $ref: "#/components/headers/CacheControl" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Block" }
              example: ${JSON.stringify(blockView(shown))}
        "400": { $ref: "#/components/responses/BadRequest" }
        "404": { $ref: "#/components/responses/NotFound" }
  /blocks/{block}/txs:
    get:
      operationId: listBlockTransactions
      tags: [blocks]
      summary: Ids of a block's transactions, in the block's order
      parameters:
        - $ref: "#/components/parameters/Block"
        - $ref: "#/components/parameters/Limit"
        - name: offset
          in: query
          description: How many transactions to leave out at the beginning
          schema: { type: integer, minimum: 0, default: 0 }
      responses:
        "200":
          description: A page of ids
          headers:
            Cache-Control: { $ref: "#/components/headers/CacheControl" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/TransactionPage" }
              examples:
                page:
                  value: ${JSON.stringify({ total: shown.transactions.length, offset: 0, items: shown.transactions.map((transaction) => transaction.txid) })}
        "400": { $ref: "#/components/responses/BadRequest" }
        "404": { $ref: "#/components/responses/NotFound" }
  /txs/{txid}:
    get:
      operationId: getTransaction
      tags: [transactions]
      summary: A transaction
      parameters:
        - name: txid
          in: path
          required: true
          schema: { $ref: "#/components/schemas/Hash" }
          example: ${shownTransaction.txid}
      responses:
        "200":
          description: The transaction
          headers:
            Cache-Control: { $ref: "#/components/headers/CacheControl" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Transaction" }
              example: ${JSON.stringify(transactionView(shownTransaction, 90))}
        "400": { $ref: "#/components/responses/BadRequest" }
        "404": { $ref: "#/components/responses/NotFound" }
  /addresses/{address}:
    get:
      operationId: getAddress
      tags: [addresses]
      summary: What an address received and sent
      parameters:
        - $ref: "#/components/parameters/Address"
      responses:
        "200":
          description: Sums over the address's transactions
          headers:
            Cache-Control: { $ref: "#/components/headers/CacheControl" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Address" }
        "400": { $ref: "#/components/responses/BadRequest" }
        "404": { $ref: "#/components/responses/NotFound" }
  /addresses/{address}/txs:
    get:
      operationId: listAddressTransactions
      tags: [addresses, transactions]
      summary: Transactions of an address, newest first
      parameters:
        - $ref: "#/components/parameters/Address"
        - $ref: "#/components/parameters/Limit"
        - name: after
          in: query
          description: Id of the last transaction of the page before
          schema: { $ref: "#/components/schemas/Hash" }
      responses:
        "200":
          description: A page of transactions
          headers:
            Cache-Control: { $ref: "#/components/headers/CacheControl" }
          content:
            application/json:
              schema:
                type: array
                maxItems: 50
                items: { $ref: "#/components/schemas/Transaction" }
        "400": { $ref: "#/components/responses/BadRequest" }
        "404": { $ref: "#/components/responses/NotFound" }
  /mempool:
    get:
      operationId: getMempool
      tags: [transactions]
      summary: Transactions that wait for a block
      responses:
        "200":
          description: The waiting transactions
          headers:
            Cache-Control: { $ref: "#/components/headers/CacheControl" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Mempool" }
              example: { count: 1, size: 412, txids: [${chain.blocks[50]?.transactions[1]?.txid}] }
  /fees:
    get:
      operationId: getFees
      tags: [transactions]
      summary: Suggested fee rates
      responses:
        "200":
          description: Rates by urgency
          headers:
            Cache-Control: { $ref: "#/components/headers/CacheControl" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Fees" }
              example: { slow: 1.5, normal: 3, fast: 6.75, unit: sat/vB }
components:
  parameters:
    Block:
      name: block
      in: path
      required: true
      description: Hash or height
      schema:
        oneOf:
          - $ref: "#/components/schemas/Hash"
          - { type: integer, minimum: 0, maximum: 2147483647 }
      examples:
        byHash: { value: ${shown.hash} }
        byHeight: { value: ${shown.height} }
    Address:
      name: address
      in: path
      required: true
      schema: { $ref: "#/components/schemas/AddressText" }
      example: ${shownAddress}
    Limit:
      name: limit
      in: query
      description: Items on a page
      schema: { type: integer, minimum: 1, maximum: 50, default: 10 }
  headers:
    CacheControl:
      required: true
      schema: { type: string }
  responses:
    BadRequest:
      description: A parameter is not valid
      content:
        application/problem+json:
          schema: { $ref: "#/components/schemas/Problem" }
    NotFound:
      description: There is no such thing
      content:
        application/problem+json:
          schema: { $ref: "#/components/schemas/Problem" }
          example: { title: Not Found, status: 404, detail: no such block }
  schemas:
    Hash:
      type: string
      pattern: ^[0-9a-f]{64}$
    AddressText:
      type: string
      pattern: ^bx1[0-9a-f]{32}$
    Tip:
      type: object
      required: [height, hash, time]
      additionalProperties: false
      properties:
        height: { type: integer, minimum: 0 }
        hash: { $ref: "#/components/schemas/Hash" }
        time: { type: integer, minimum: 1231006505 }
    Block:
      type: object
      required: [hash, height, previousHash, time, size, nonce, difficulty, txCount]
      additionalProperties: false
      properties:
        hash: { $ref: "#/components/schemas/Hash" }
        height: { type: integer, minimum: 0 }
        previousHash:
          description: Null for the first block
          oneOf:
            - $ref: "#/components/schemas/Hash"
            - type: "null"
        time: { type: integer, minimum: 1231006505 }
        size: { type: integer, minimum: 81 }
        nonce: { type: integer, minimum: 0, maximum: 4294967295 }
        difficulty: { type: number, exclusiveMinimum: 0 }
        txCount: { type: integer, minimum: 1 }
    TransactionPage:
      type: object
      required: [total, offset, items]
      properties:
        total: { type: integer, minimum: 1 }
        offset: { type: integer, minimum: 0 }
        items:
          type: array
          maxItems: 50
          uniqueItems: true
          items: { $ref: "#/components/schemas/Hash" }
    Output:
      type: object
      required: [address, value]
      properties:
        address: { $ref: "#/components/schemas/AddressText" }
        value: { type: integer, minimum: 0, maximum: 2100000000000000 }
    Input:
      allOf:
        - $ref: "#/components/schemas/Output"
        - type: object
          required: [txid, vout]
          properties:
            txid: { $ref: "#/components/schemas/Hash" }
            vout: { type: integer, minimum: 0 }
    Transaction:
      type: object
      required: [txid, blockHash, blockHeight, confirmations, fee, size, coinbase, inputs, outputs]
      properties:
        txid: { $ref: "#/components/schemas/Hash" }
        blockHash: { $ref: "#/components/schemas/Hash" }
        blockHeight: { type: integer, minimum: 0 }
        confirmations: { type: integer, minimum: 1 }
        fee: { type: integer, minimum: 0 }
        size: { type: integer, minimum: 60 }
        coinbase: { type: boolean }
        inputs:
          type: array
          items: { $ref: "#/components/schemas/Input" }
        outputs:
          type: array
          minItems: 1
          items: { $ref: "#/components/schemas/Output" }
    Address:
      type: object
      required: [address, txCount, received, sent, balance]
      additionalProperties: false
      properties:
        address: { $ref: "#/components/schemas/AddressText" }
        txCount: { type: integer, minimum: 0 }
        received: { type: integer, minimum: 0 }
        sent: { type: integer, minimum: 0 }
        balance: { type: integer, minimum: 0 }
    Mempool:
      type: object
      required: [count, size, txids]
      properties:
        count: { type: integer, minimum: 0 }
        size: { type: integer, minimum: 0 }
        txids:
          type: array
          items: { $ref: "#/components/schemas/Hash" }
    Fees:
      type: object
      required: [slow, normal, fast, unit]
      additionalProperties: false
      properties:
        slow: { type: number, minimum: 0 }
        normal: { type: number, minimum: 0 }
        fast: { type: number, minimum: 0 }
        unit: { type: string, enum: [sat/vB, sat/kB] }
    Problem:
      type: object
      required: [title, status, detail]
      properties:
        title: { type: string }
        status: { type: integer, minimum: 400, maximum: 599 }
        detail: { type: string }
`;

function corpus(): readonly Probe[] {
  const get = (url: string): Probe => ({ kind: "rest", method: "GET", url });
  const other = chain.blocks[12] as ChainBlock;
  const wrongHash = "ab".repeat(32);
  const valid = [
    "/tip",
    `/blocks/${shown.hash}`,
    `/blocks/${shown.height}`,
    `/blocks/${other.hash}`,
    "/blocks/0",
    `/blocks/${shown.hash}/txs`,
    `/blocks/${shown.height}/txs`,
    `/blocks/${shown.hash}/txs?limit=1`,
    `/blocks/${shown.hash}/txs?limit=2&offset=1`,
    `/blocks/${shown.hash}/txs?offset=1`,
    `/blocks/${shown.hash}/txs?limit=50`,
    `/blocks/${other.hash}/txs?limit=10&offset=0`,
    ...shown.transactions.map((transaction) => `/txs/${transaction.txid}`),
    `/txs/${other.transactions[0]?.txid}`,
    `/addresses/${shownAddress}`,
    `/addresses/${chain.addresses[0]}`,
    `/addresses/${chain.addresses[1]}`,
    `/addresses/${shownAddress}/txs`,
    `/addresses/${shownAddress}/txs?limit=3`,
    `/addresses/${shownAddress}/txs?limit=50`,
    `/addresses/${shownAddress}/txs?limit=2&after=${chain.byAddress.get(shownAddress)?.find((transaction) => transaction.height < 110)?.txid}`,
    `/addresses/${shownAddress}/txs?after=${shownTransaction.txid}`,
    "/mempool",
    "/fees",
  ];
  const invalid = [
    "/blocks/xyz",
    "/blocks/-1",
    `/blocks/${wrongHash}`,
    "/blocks/2147483647",
    `/blocks/${shown.hash}/txs?limit=0`,
    `/blocks/${shown.hash}/txs?limit=51`,
    `/blocks/${shown.hash}/txs?limit=ten`,
    `/blocks/${shown.hash}/txs?offset=-1`,
    "/blocks/zz/txs",
    `/blocks/${wrongHash}/txs`,
    "/txs/1234",
    `/txs/${shownTransaction.txid.toUpperCase()}`,
    `/txs/${wrongHash}`,
    "/addresses/nobody",
    `/addresses/bx1${"0".repeat(32)}`,
    "/addresses/nobody/txs",
    `/addresses/bx1${"0".repeat(32)}/txs`,
    `/addresses/${shownAddress}/txs?limit=0`,
    `/addresses/${shownAddress}/txs?limit=51`,
    `/addresses/${shownAddress}/txs?after=no`,
    `/addresses/${shownAddress}/txs?after=${wrongHash}`,
    "/nothing/here",
  ];
  const paths = ["/tip", `/blocks/${shown.hash}`, `/txs/${shownTransaction.txid}`, "/mempool", "/fees"];
  return [
    ...[...valid, ...invalid].map(get),
    ...paths.map((url): Probe => ({ kind: "rest", method: "HEAD", url })),
    ...paths.map((url): Probe => ({ kind: "rest", method: "DELETE", url })),
  ];
}

/** A chain that grows, with examples of what is served for most operations: OpenAPI 3.1, Express. */
export const restExplorer: World = {
  name: "rest-explorer",
  kind: "rest",
  isLive: true,
  document: { fileName: "lantern.yaml", text },
  basePath: "",
  corpus: corpus(),
  createListener,
};
