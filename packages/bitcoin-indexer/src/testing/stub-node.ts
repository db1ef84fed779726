import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { displayHash, parseBlockHeader, toHex } from "@nodewright/bitcoin-primitives";
import type { RegtestTip } from "./regtest-chain.ts";

interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node sends in place of an answer; it ends the response, or never does. */
export type Fault = (response: ServerResponse, answer: string) => void;

/** A node that serves a chain over HTTP, and lies or fails when told to. */
export class StubNode {
  chain: readonly RegtestTip[];
  /** Changes an answer; gives `undefined` to leave it. */
  lie: (method: string, params: readonly unknown[]) => unknown = () => undefined;
  /** Spoils every response, while it is there. */
  fault: Fault | undefined;
  #known: { readonly chain?: readonly RegtestTip[]; readonly blocks: ReadonlyMap<string, RegtestTip> } = {
    blocks: new Map(),
  };
  readonly #server: Server;
  #port = 0;

  constructor(chain: readonly RegtestTip[]) {
    this.chain = chain;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const calls: RpcCall | RpcCall[] = JSON.parse(Buffer.concat(chunks).toString());
        const answers = Array.isArray(calls) ? calls.map((call) => this.#answer(call)) : this.#answer(calls);
        const text = JSON.stringify(answers);
        if (this.fault !== undefined) return this.fault(response, text);
        response.setHeader("content-type", "application/json");
        response.end(text);
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** Listens, on the port of before if there was one. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    const address = this.#server.address() as AddressInfo;
    this.#port = address.port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(call: RpcCall): unknown {
    const result = this.lie(call.method, call.params) ?? this.#truth(call.method, call.params);
    const error = result === undefined ? { code: -5, message: "Block not found" } : null;
    return { id: call.id, result: result ?? null, error };
  }

  #blocks(): ReadonlyMap<string, RegtestTip> {
    if (this.#known.chain !== this.chain) {
      this.#known = { chain: this.chain, blocks: new Map(this.chain.map((tip) => [displayHash(tip.hash), tip])) };
    }
    return this.#known.blocks;
  }

  #truth(method: string, [first]: readonly unknown[]): unknown {
    const block = this.#blocks().get(String(first));
    switch (method) {
      case "getblockcount":
        return this.chain.length - 1;
      case "getbestblockhash":
        return hashText(this.chain.at(-1));
      case "getblockhash":
        return hashText(this.chain[Number(first)]);
      case "getblockheader":
        return block && toHex(block.bytes.subarray(0, 80));
      case "getblock":
        return block && toHex(block.bytes);
      default:
        return undefined;
    }
  }
}

/** A chain for a node to serve, of blocks from the genesis block on; without what they leave to spend. */
export function tipsOf(blocks: readonly Uint8Array[]): readonly RegtestTip[] {
  return blocks.map((bytes, height) => {
    const { hash, time } = parseBlockHeader(bytes.subarray(0, 80));
    return { bytes, hash, height, time, coins: [] };
  });
}

/** Of a block of the chain; `undefined` where it has none. */
export function hashText(tip: RegtestTip | undefined): string | undefined {
  return tip && displayHash(tip.hash);
}
