import type { PendingResolvers } from "@nodewright/ethereum-api/server";
import type { Transaction } from "@nodewright/ethereum-node-api/types";
import type { ServiceError } from "@nodewright/runtime";
import { callIfSupported } from "../node/call-if-supported.ts";
import { estimateGas, runCall } from "../values/call.ts";
import type { EthereumContext } from "../request/context.ts";
import { quantity } from "../basics/quantity.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { Selection } from "../basics/selection.ts";
import { isQuantity } from "../results/response-forms.ts";
import { looksLikeTransaction } from "../results/check-block.ts";
import { AccountValue } from "../results/account-value.ts";
import { TransactionValue } from "../values/transaction-value.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/** Resolvers of the fields of `Pending`. */
export const pendingResolvers: PendingResolvers<EthereumContext, EthereumParents> = {
  async transactionCount(_pending, _input, context) {
    return quantity((await countExecutable(context)) ?? (await readPendingBlock(context)).length);
  },

  async transactions(_pending, _input, context) {
    const bodies = context.count(await readPendingTransactions(context));
    return bodies.map((body) => new TransactionValue(body.hash, { place: undefined, body }));
  },

  account: (_pending, { address }) => new AccountValue(address, () => "pending"),

  call: (_pending, { data }, context, info) => runCall(data, "pending", Selection.of(info).has("gasUsed"), context),

  async estimateGas(_pending, { data }, context) {
    return await estimateGas(data, await context.headReference(), context);
  },
};

/** Returns how many transactions of the pool could be executed now; undefined when the client does not report it. */
async function countExecutable(context: EthereumContext): Promise<number | undefined> {
  const status = await callIfSupported("txpool_status", () => context.read("txpool_status"), context);
  if (status === undefined) return undefined;
  const pending = memberOf(status, "pending");
  const count = isQuantity(pending) || typeof pending === "number" ? Number(pending) : undefined;
  if (Number.isSafeInteger(count)) return count;
  throw unusable();
}

/** Reads the transactions that could be executed now; `queued` ones wait for a nonce that comes before theirs. */
async function readPendingTransactions(context: EthereumContext): Promise<readonly Transaction[]> {
  // A pool may be larger than a response: that is determined before it is read.
  const count = (await countExecutable(context)) ?? 0;
  if (count > context.budget.limits.objects) context.countObjects(count);
  const content = await callIfSupported("txpool_content", () => context.read("txpool_content"), context);
  if (content === undefined) return await readPendingBlock(context);
  const bySender = memberOf(content, "pending");
  if (typeof bySender !== "object" || bySender === null) throw unusable();
  return Object.values(bySender)
    .flatMap((byNonce: unknown) => Object.values(byNonce ?? {}) as readonly unknown[])
    .map(readTransaction);
}

/** Reads the client's next block, for clients that do not expose their pool. */
async function readPendingBlock(context: EthereumContext): Promise<readonly Transaction[]> {
  const block = await context.read("eth_getBlockByNumber", ["pending", true]);
  if (block === null) return [];
  const transactions = memberOf(block, "transactions");
  if (!Array.isArray(transactions)) throw unusable();
  return (transactions as readonly unknown[]).map(readTransaction);
}

function readTransaction(value: unknown): Transaction {
  if (!looksLikeTransaction(value)) throw unusable();
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function unusable(): ServiceError {
  return unexpectedResult("a value without its pending transactions");
}
