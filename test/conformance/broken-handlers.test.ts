import { bitcoinSuite } from "@nodewright/bitcoin-api/conformance";
import { handlers as rpcHandlers } from "@nodewright/bitcoin-node";
import { type CaseReport, type ConformanceSuite, playSuite, type Report } from "@nodewright/conformance";
import { indexSuite } from "@nodewright/index-api/conformance";
import { handlers as restHandlers } from "@nodewright/index-rest";
import type { Transaction } from "@nodewright/index-api/types";
import { isPreparedJson, ServiceError } from "@nodewright/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BitcoinNodeHandlers, createDemoIndex, type DemoIndex } from "./bitcoin-node.ts";

type Rest = BitcoinNodeHandlers["rest"];
type Rpc = BitcoinNodeHandlers["rpc"];

/** One handler broken in one way. */
interface Breakage {
  readonly operation: string;
  readonly what: string;
  /** True where the operation is not offered any more: then nothing can be said of it. */
  readonly isGone?: boolean;
  readonly rest?: Rest;
  readonly rpc?: Rpc;
}

/** Wraps a handler: calls it, then spoils what it answers. */
function spoiled<Input, Context, Answer>(
  handler: ((input: Input, context: Context) => Answer | Promise<Answer>) | undefined,
  spoil: (answer: Answer) => Answer,
): (input: Input, context: Context) => Promise<Answer> {
  if (handler === undefined) throw new Error("There is no such handler");
  return async (input, context) => spoil(await handler(input, context));
}

const breakages: readonly Breakage[] = [
  {
    operation: "getTransaction",
    what: "a fee that is one satoshi too high",
    rest: {
      getTransaction: spoiled(restHandlers.getTransaction, ({ headers, body }) => {
        const transaction: Transaction = isPreparedJson(body) ? JSON.parse(String(body.text)) : body;
        return { headers, body: { ...transaction, fee: transaction.fee + 1 } };
      }),
    },
  },
  {
    operation: "getBlock",
    what: "an answer that may be cached for too short a time",
    rest: {
      getBlock: spoiled(restHandlers.getBlock, ({ headers, body }) => ({
        headers: { ...headers, cacheControl: "public, max-age=1" as never },
        body,
      })),
    },
  },
  {
    operation: "getBlockHashAtHeight",
    what: "the hash of another block",
    rest: {
      getBlockHashAtHeight: spoiled(restHandlers.getBlockHashAtHeight, (answer) => ({
        ...answer,
        body: "00".repeat(32),
      })),
    },
  },
  {
    operation: "getTransactionOutspend",
    what: "no handler at all",
    isGone: true,
    rest: { getTransactionOutspend: undefined as never },
  },
  {
    operation: "getBlockStatus",
    what: "a failure where the document has an answer",
    rest: {
      getBlockStatus: () => {
        throw new ServiceError("not_found", "Block not found");
      },
    },
  },
  {
    operation: "getTransactionHex",
    what: "another text for a transaction that is not there",
    rest: {
      getTransactionHex: async (input, context) => {
        try {
          return await (restHandlers.getTransactionHex ?? expect.unreachable())(input, context);
        } catch {
          throw new ServiceError("not_found", "No such transaction");
        }
      },
    },
  },
  {
    operation: "getblock",
    what: "a member left out",
    rpc: {
      getblock: spoiled(rpcHandlers.getblock, (answer) => {
        const block = isPreparedJson(answer) ? JSON.parse(String(answer.text)) : answer;
        if (typeof block === "string") return block;
        const { mediantime: _left, ...rest } = block;
        return rest as never;
      }),
    },
  },
  {
    operation: "getblockhash",
    what: "another error code for a height above the tip",
    rpc: {
      getblockhash: async (input, context) => {
        try {
          return await (rpcHandlers.getblockhash ?? expect.unreachable())(input, context);
        } catch {
          throw new ServiceError("not_found", "Block height out of range", { rpcCode: -1 });
        }
      },
    },
  },
  {
    operation: "getblockheader",
    what: "an object where hex was asked for",
    rpc: {
      getblockheader: async (input, context) =>
        (rpcHandlers.getblockheader ?? expect.unreachable())({ ...input, verbose: true }, context),
    },
  },
  {
    operation: "getrawtransaction",
    what: "an internal error for every transaction",
    rpc: {
      getrawtransaction: () => {
        throw new Error("out of order");
      },
    },
  },
];

describe("a suite notices", { timeout: 120_000 }, () => {
  let index: DemoIndex;

  beforeAll(async () => {
    index = await createDemoIndex();
  }, 120_000);

  afterAll(() => index?.close());

  async function play({ operation, rest, rpc }: Breakage, isBroken: boolean): Promise<Report> {
    const served = await index.serve({
      rest: isBroken ? { ...restHandlers, ...rest } : restHandlers,
      rpc: isBroken ? { ...rpcHandlers, ...rpc } : rpcHandlers,
    });
    const [suite, baseUrl]: [ConformanceSuite, string] =
      rest === undefined ? [bitcoinSuite, served.rpcUrl] : [indexSuite, served.restUrl];
    try {
      return await playSuite(suite, { baseUrl, only: [operation], examples: "exact", rate: 2_000, seed: "01" });
    } finally {
      await served.close();
    }
  }

  test.each(breakages)("$operation with $what", async (breakage) => {
    const whole = await play(breakage, false);
    expect(failuresOf(whole)).toEqual([]);
    expect(whole.outcome).toBe("conforms");
    expect(whole.totals.passed).toBeGreaterThan(0);

    const broken = await play(breakage, true);
    if (breakage.isGone === true) {
      expect(broken.operations).toContainEqual(
        expect.objectContaining({ operation: breakage.operation, availability: "missing" }),
      );
      expect(failuresOf(broken)).toHaveLength(1);
      expect(broken.outcome).toBe("differs");
      return;
    }
    const failures = failuresOf(broken);
    expect(broken.outcome).toBe("differs");
    // The document shows what is broken in one of its examples.
    expect(failures.map(({ group }) => group)).toContain("example");
    expect(failures.every(({ findings, curl }) => findings.length > 0 && curl !== undefined)).toBe(true);
  });
});

function failuresOf({ cases }: Report): readonly CaseReport[] {
  return cases.filter(({ verdict }) => verdict === "failed" || verdict === "flaky" || verdict === "untested");
}
