import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Geth } from "./geth.ts";

/** What a new block is made of beside the transactions that wait. */
export interface BlockWish {
  /** How many transactions it holds: it is asked for until it does. */
  readonly transactions: number;
  readonly feeRecipient?: string;
  readonly withdrawals?: readonly Withdrawal[];
}

interface Withdrawal {
  readonly index: string;
  readonly validatorIndex: string;
  readonly address: string;
  /** In gwei. */
  readonly amount: string;
}

interface Payload {
  readonly blockHash: string;
  readonly transactions: readonly string[];
}

interface PayloadStatus {
  readonly status: string;
  readonly validationError: string | null;
}

const zeros = `0x${"00".repeat(32)}`;
const secondsByBlock = 12;
const attempts = 20;

/** Has geth make a block on its head of what waits, as a consensus client does; gives its hash. */
export async function makeBlock(
  geth: Geth,
  { transactions, feeRecipient = `0x${"fe".repeat(20)}`, withdrawals = [] }: BlockWish,
): Promise<string> {
  const head = (await geth.call("eth_getBlockByNumber", "latest", false)) as {
    readonly hash: string;
    readonly timestamp: string;
  };
  const choice = (hash: string) => ({ headBlockHash: hash, safeBlockHash: zeros, finalizedBlockHash: zeros });
  const found: number[] = [];
  // What is built first may lack transactions that geth has just taken. The same wish would give the same block: the randomness differs.
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const attributes = {
      timestamp: `0x${(Number(head.timestamp) + secondsByBlock).toString(16)}`,
      prevRandao: `0x${attempt.toString(16).padStart(2, "0").repeat(32)}`,
      suggestedFeeRecipient: feeRecipient,
      withdrawals,
      parentBeaconBlockRoot: zeros,
    };
    const started = (await geth.callEngine("engine_forkchoiceUpdatedV3", choice(head.hash), attributes)) as {
      readonly payloadId: string;
    };
    await delay(5 + 10 * attempt + transactions / 4);
    const made = (await geth.callEngine("engine_getPayloadV5", started.payloadId)) as {
      readonly executionPayload: Payload;
      readonly blobsBundle: { readonly commitments: readonly string[] };
      readonly executionRequests: readonly string[];
    };
    found.push(made.executionPayload.transactions.length);
    if (found.at(-1) !== transactions) continue;
    const { executionPayload, executionRequests, blobsBundle } = made;
    const hashes = blobsBundle.commitments.map(versionedHashOf);
    const taken = await geth.callEngine("engine_newPayloadV4", executionPayload, hashes, zeros, executionRequests);
    assertValid(taken as PayloadStatus);
    const chosen = await geth.callEngine("engine_forkchoiceUpdatedV3", choice(executionPayload.blockHash), null);
    assertValid((chosen as { readonly payloadStatus: PayloadStatus }).payloadStatus);
    return executionPayload.blockHash;
  }
  throw new Error(`geth makes no block of ${transactions} transactions, but of ${found.join(", ")}`);
}

/** EIP-4844: the digest of a commitment, its first byte the version. */
function versionedHashOf(commitment: string): string {
  const digest = createHash("sha256")
    .update(Buffer.from(commitment.slice(2), "hex"))
    .digest("hex");
  return `0x01${digest.slice(2)}`;
}

function assertValid({ status, validationError }: PayloadStatus): void {
  if (status !== "VALID") throw new Error(`geth finds its own block ${status}: ${validationError}`);
}
