import type { JsonValue } from "@nodewright/api-model";
import type { RpcSuite, SuiteExample, SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../../suite/suite-type.ts";
import { chainBlocks, hashOf } from "./chain-server.ts";

const hash: SuiteType = { kind: "string", pattern: "^[0-9a-f]{64}$", place: "100:1" };
const height: SuiteType = { kind: "number", integer: true, minimum: 0, maximum: 2 ** 31 - 1 };
const reference = (target: string): SuiteType => ({ kind: "reference", target });
const member = (name: string, type: SuiteType, required = true) => ({ name, type, required });
const closed: SuiteType = { kind: "never" };

const types: SuiteTypes = {
  Hash: hash,
  Transaction: {
    kind: "record",
    additional: closed,
    members: [
      member("txid", reference("Hash")),
      member("size", height),
      member("amounts", { kind: "list", element: height }),
    ],
  },
  Block: {
    kind: "record",
    place: "120:3",
    members: [
      member("hash", reference("Hash")),
      member("height", height),
      member("previousblockhash", reference("Hash"), false),
      member("kind", { kind: "enumeration", values: ["genesis", "usual"] }),
      member("tx", { kind: "list", element: reference("Hash"), minItems: 1 }),
    ],
  },
  FullBlock: {
    kind: "record",
    members: [
      member("hash", reference("Hash")),
      member("height", height),
      member("previousblockhash", reference("Hash"), false),
      member("kind", { kind: "enumeration", values: ["genesis", "usual"] }),
      member("tx", { kind: "list", element: reference("Transaction"), minItems: 1 }),
    ],
  },
};

const notFound: SuiteFailure = {
  name: "NotFound",
  rpcCode: -5,
  message: "Not found",
  contents: [],
  headers: [],
  place: "60:5",
};
const invalid: SuiteFailure = {
  name: "Invalid",
  rpcCode: -32602,
  message: "Invalid params",
  contents: [],
  headers: [],
};

function argument(name: string, type: SuiteType, more: Partial<SuiteParameter> = {}): SuiteParameter {
  return { name, property: name, location: "argument", required: true, type, ...more };
}

function method(
  name: string,
  result: SuiteType,
  parameters: readonly SuiteParameter[],
  examples: readonly SuiteExample[],
  failures: readonly SuiteFailure[],
): SuiteRpcMethod {
  return {
    name,
    method: name,
    origin: name,
    tags: [],
    parameters,
    successes: [{ status: 200, headers: [], content: { mediaType: "application/json", form: "json", type: result } }],
    failures,
    examples,
    links: [],
    relations: [],
    extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
    place: "10:5",
  };
}

function success(name: string, input: SuiteExample["input"], value: unknown, isLive = false): SuiteExample {
  return {
    name,
    input,
    outcome: { kind: "success", status: 200, value: value as JsonValue },
    ...(isLive ? { isLive } : {}),
    place: "200:9",
  };
}

/** Returns the suite of a small chain over JSON-RPC, with or without examples. */
export function chainSuite({
  hasExamples = true,
  envelope = "one",
}: {
  readonly hasExamples?: boolean;
  readonly envelope?: RpcSuite["envelope"];
} = {}): RpcSuite {
  const examples = (...all: readonly SuiteExample[]): readonly SuiteExample[] => (hasExamples ? all : []);
  const [, second] = chainBlocks;
  const full = { ...second, tx: second.transactions, transactions: undefined };
  const unknown: SuiteExample = {
    name: "unknown-hash",
    input: { blockhash: "0".repeat(63).concat("1") },
    outcome: { kind: "failure", rpcCode: -5, message: "Not found" },
  };
  const compact = {
    hash: second.hash,
    height: 1,
    previousblockhash: second.previousblockhash,
    kind: "usual",
    tx: second.transactions.map(({ txid }) => txid),
  };
  return {
    format: 2,
    protocol: "rpc",
    name: "chain",
    title: "Chain",
    version: "1",
    source: "chain.yaml",
    security: {},
    types,
    envelope,
    operations: [
      method("getblockcount", height, [], examples(success("the-tip", {}, 4, true)), []),
      method(
        "getblockhash",
        reference("Hash"),
        [argument("height", height)],
        examples(success("second", { height: 1 }, hashOf(1))),
        [notFound, invalid],
      ),
      method(
        "getblock",
        {
          kind: "union",
          mode: "any-of",
          members: [{ kind: "string", pattern: "^(?:[0-9a-f]{2})+$" }, reference("Block"), reference("FullBlock")],
        },
        [
          argument("blockhash", reference("Hash")),
          argument(
            "verbosity",
            { kind: "number", integer: true, minimum: 0, maximum: 2 },
            { required: false, default: 1 },
          ),
        ],
        examples(
          success("ids", { blockhash: second.hash }, compact),
          success("bytes", { blockhash: second.hash, verbosity: 0 }, "0101"),
          success("whole", { blockhash: second.hash, verbosity: 2 }, JSON.parse(JSON.stringify(full))),
          unknown,
        ),
        [notFound, invalid],
      ),
      method(
        "gettransaction",
        reference("Transaction"),
        [argument("txid", reference("Hash"))],
        examples(success("first", { txid: second.transactions[0]?.txid ?? "" }, second.transactions[0])),
        [notFound, invalid],
      ),
      method(
        "listblockhashes",
        { kind: "list", element: reference("Hash") },
        [
          argument("limit", { kind: "number", integer: true, minimum: 1, maximum: 5 }, { required: false, default: 3 }),
          argument("order", { kind: "enumeration", values: ["up", "down"] }, { required: false, default: "up" }),
        ],
        examples(success("one", { limit: 1 }, [hashOf(0)])),
        [invalid],
      ),
    ],
  };
}
