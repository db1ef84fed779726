import { ownMember } from "../basics/own-member.ts";
import { parseJson } from "../basics/parse-json.ts";
import type { Safety } from "../safety/safety.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { PlainRequest, ReceivedResponse } from "../contract/exchange.ts";
import { Interruption } from "../client/interruption.ts";
import type { Sender } from "../client/sender.ts";
import { readRpcReply } from "./offer.ts";

/** Queries a target for facts about itself. Any error results in `undefined`: cases will report it. */
export interface TargetQueries {
  /** Returns the result of a method, when the suite has it and it only reads. */
  callMethod(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Returns the value at a path without parameters, when the suite has it and it only reads. */
  getPath(path: string): Promise<unknown>;
  /** Returns the data of a query. */
  query(text: string): Promise<unknown>;
}

const maximumResultLength = 1_000_000;

export function createTargetQueries(suite: ConformanceSuite, safety: Safety, sender: Sender): TargetQueries {
  const send = async (operation: string | undefined, request: PlainRequest): Promise<ReceivedResponse | undefined> => {
    if (operation === undefined) return undefined;
    try {
      return await sender.send(request, { operation, writes: false });
    } catch (reason) {
      if (reason instanceof Interruption) return undefined;
      throw reason;
    }
  };
  const readingOnly = (operation: { readonly name: string } | undefined): string | undefined =>
    operation !== undefined && safety.of(operation.name).isSafe ? operation.name : undefined;
  return {
    callMethod: async (method, params = []) => {
      const operations = suite.protocol === "rpc" ? suite.operations : [];
      const operation = readingOnly(operations.find((one) => one.method === method));
      const response = await send(operation, jsonPost({ jsonrpc: "2.0", id: 1, method, params }));
      return readRpcReply(response?.text, maximumResultLength)?.result;
    },
    getPath: async (path) => {
      const operations = suite.protocol === "http" ? suite.operations : [];
      const operation = readingOnly(operations.find((one) => one.path === path && one.method === "GET"));
      const response = await send(operation, { method: "GET", path, query: "", headers: {} });
      return response?.status === 200 ? parseJson(response.text) : undefined;
    },
    query: async (text) => ownMember(parseJson((await send("(preflight)", jsonPost({ query: text })))?.text), "data"),
  };
}

/** Returns a request with a JSON body for the endpoint. */
export function jsonPost(body: unknown): PlainRequest {
  const headers = { "content-type": "application/json", accept: "application/json" };
  return { method: "POST", path: "", query: "", headers, body: JSON.stringify(body) };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;
}

/** Returns a number, also of a string in decimal or, like Ethereum nodes, in hexadecimal with `0x`. */
export function numberOf(value: unknown): number | undefined {
  const isNumeral = typeof value === "string" && /^(?:0x[0-9a-f]+|\d+)$/i.test(value);
  const number = isNumeral ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Returns the seconds from a Unix time to now. */
export function secondsSince(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.round(Date.now() / 1_000 - time);
}
