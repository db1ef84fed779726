import { publicNodeText } from "@nodewright/upstream";

/** Reason for which a node rejects a transaction, in Bitcoin Core's words. */
export interface Rejection {
  /** Reason, such as `min relay fee not met`. */
  readonly reason: string;
  /** Details of the reason in this case, such as `0 < 110`. */
  readonly details?: string;
}

/** A message of btcd, and Bitcoin Core's reason in that case. The first match counts. */
type Rule = readonly [text: RegExp, reason: string];

/** btcd's message for inputs whose outputs do not exist. */
export const missingInputs = "bad-txns-inputs-missingorspent";
export const alreadyInMempool = "txn-already-in-mempool";
const alreadyKnown = "txn-already-known";

/** Rules for transactions anywhere: `CheckTransaction` and `CheckTxInputs` there. */
const transactionRules: readonly Rule[] = [
  [/transaction has no inputs/, "bad-txns-vin-empty"],
  [/transaction has no outputs/, "bad-txns-vout-empty"],
  [/serialized transaction is too big/, "bad-txns-oversize"],
  [/transaction output has negative value/, "bad-txns-vout-negative"],
  [/transaction output value is higher than max/, "bad-txns-vout-toolarge"],
  [/total value of all transaction outputs/, "bad-txns-txouttotal-toolarge"],
  [/contains duplicate inputs/, "bad-txns-inputs-duplicate"],
  [/coinbase transaction script length/, "bad-cb-length"],
  [/refers to previous output that is null/, "bad-txns-prevout-null"],
  [/orphan transaction|either does not exist or has already been spent|unable to find unspent output/, missingInputs],
  [/tried to spend coinbase transaction output/, "bad-txns-premature-spend-of-coinbase"],
  [/total value of all transaction inputs for transaction/, "bad-txns-in-belowout"],
  [/total value of all transaction inputs is/, "bad-txns-inputvalues-outofrange"],
];

/** Rules for transactions that enter the mempool. */
const mempoolRules: readonly Rule[] = [
  [/already have transaction/, alreadyInMempool],
  [/transaction already exists in blockchain/, alreadyKnown],
  [/output already spent in mempool/, "txn-mempool-conflict"],
  [/insufficient fee rate|insufficient absolute fee/, "insufficient fee"],
  [/evicts more transactions than permitted/, "too many potential replacements"],
  [/replacement transaction spends parent/, "bad-txns-spends-conflicting-tx"],
  [/replacement transaction spends new unconfirmed input/, "replacement-adds-unconfirmed"],
  [/insufficient priority|rate limiter due to low fees/, "min relay fee not met"],
  [/ is too small$/, "tx-size-small"],
  [/transaction is an individual coinbase/, "coinbase"],
  [/segwit isn't active yet/, "no-witness-yet"],
  [/transaction version -?\d+ is not in the valid range/, "version"],
  [/transaction is not finalized/, "non-final"],
  [/sequence locks on inputs not met/, "non-BIP68-final"],
  [/weight of transaction is larger than max/, "tx-size"],
  [/signature script size is larger than max/, "scriptsig-size"],
  [/signature script is not push only/, "scriptsig-not-pushonly"],
  [/payment is dust/, "dust"],
  [/more than one transaction output in a nulldata script/, "multi-op-return"],
  [/has a non-standard input/, "bad-txns-nonstandard-inputs"],
  [/multi-signature script|non-standard script form/, "scriptpubkey"],
  [/sigop cost is too high/, "bad-txns-too-many-sigops"],
  [/failed to (?:validate|parse) input/, "mempool-script-verify-flag-failed"],
];

/** Rules for complete blocks, in the words of BIP 22 and Bitcoin Core's additions. */
const blockRules: readonly Rule[] = [
  [/^block \w+ is known to be invalid/, "duplicate-invalid"],
  [/already have block/, "duplicate"],
  [/is known to be invalid|has an invalid ancestor/, "bad-prevblk"],
  [/previous block must be the current chain tip/, "inconclusive-not-best-prevblk"],
  [/previous block \w+ is (?:not known|unknown)/, "prev-blk-not-found"],
  [/is higher than expected max of/, "high-hash"],
  [/block target difficulty|block difficulty of/, "bad-diffbits"],
  [/is too far in the future/, "time-too-new"],
  [/is not after expected/, "time-too-old"],
  [/is too early on diff adjustment/, "time-timewarp-attack"],
  [
    /before last checkpoint timestamp|does not match checkpoint hash|forks the main chain/,
    "bad-fork-prior-to-checkpoint",
  ],
  [/does not contain any transactions|contains too many transactions|serialized block is too big/, "bad-blk-length"],
  [/block without transactions/, "bad-blk-length"],
  [/block's weight metric is too high/, "bad-blk-weight"],
  [/first transaction in block is not a coinbase/, "bad-cb-missing"],
  [/block contains second coinbase/, "bad-cb-multiple"],
  [/block merkle root is invalid/, "bad-txnmrklroot"],
  [/block contains duplicate transaction/, "bad-txns-duplicate"],
  [/block contains too many signature operations|too many signature operations - overflow/, "bad-blk-sigops"],
  [/coinbase signature script/, "bad-cb-height"],
  [/unfinalized transaction|sequence locks are not met/, "bad-txns-nonfinal"],
  [/tried to overwrite transaction/, "bad-txns-BIP30"],
  [/coinbase for the genesis block is not spendable/, missingInputs],
  [/total fees for block/, "bad-txns-accumulated-fee-outofrange"],
  [/coinbase transaction for block pays/, "bad-cb-amount"],
  [/yet no witness commitment present/, "unexpected-witness"],
  [/coinbase transaction has \d+ items in its witness|coinbase transaction witness nonce/, "bad-witness-nonce-size"],
  [/witness commitment does not match/, "bad-witness-merkle-match"],
  [/failed to (?:validate|parse) input/, "block-script-verify-flag-failed"],
];

/** Results of btcd for a proposed block that Bitcoin Core spells differently. */
const proposalWords: Readonly<Record<string, string>> = {
  "bad-prevblk": "inconclusive-not-best-prevblk",
  "inconclusive-not-best-prvblk": "inconclusive-not-best-prevblk",
  "bad-checkpoint": "bad-fork-prior-to-checkpoint",
  "fork-too-old": "bad-fork-prior-to-checkpoint",
  "checkpoint-time-too-old": "bad-fork-prior-to-checkpoint",
  "bad-txns-none": "bad-blk-length",
  "bad-txns-noinputs": "bad-txns-vin-empty",
  "bad-txns-nooutputs": "bad-txns-vout-empty",
  "bad-txns-size": "bad-txns-oversize",
  "bad-txns-dupinputs": "bad-txns-inputs-duplicate",
  "bad-txns-badinput": "bad-txns-prevout-null",
  "bad-txns-missinginput": missingInputs,
  "bad-txns-unfinalizedtx": "bad-txns-nonfinal",
  "bad-txns-overwrite": "bad-txns-BIP30",
  "bad-txns-maturity": "bad-txns-premature-spend-of-coinbase",
  "bad-txns-highspend": "bad-txns-in-belowout",
  "bad-txns-fees": "bad-txns-accumulated-fee-outofrange",
  "high-sigops": "bad-blk-sigops",
  "bad-txns-nocoinbase": "bad-cb-missing",
  "bad-txns-multicoinbase": "bad-cb-multiple",
  "bad-cb-value": "bad-cb-amount",
  "bad-script-malformed": "block-script-verify-flag-failed",
  "bad-script-validate": "block-script-verify-flag-failed",
};

const tooLowFee = /has (-?\d+) fees which is under the required amount of (\d+)/;
const refusedVersion = /new blocks with version (-?\d+) are no longer valid/;

/** Returns why btcd rejects a transaction; `undefined` when its message is unknown. */
export function rejectionOfTransaction(text: string): Rejection | undefined {
  const [, fee, least] = tooLowFee.exec(text) ?? [];
  if (fee !== undefined) return { reason: "min relay fee not met", details: `${fee} < ${least}` };
  const reason = reasonOf(text, mempoolRules) ?? reasonOf(text, transactionRules);
  return reason === undefined ? undefined : { reason };
}

/** Returns why btcd rejects a block, in BIP 22's words; `rejected` when its message is unknown. */
export function rejectionOfBlock(text: string): string {
  const [, version] = refusedVersion.exec(text) ?? [];
  if (version !== undefined) return `bad-version(0x${(Number(version) >>> 0).toString(16).padStart(8, "0")})`;
  return reasonOf(text, blockRules) ?? reasonOf(text, transactionRules) ?? "rejected";
}

/** Returns btcd's verdict on a proposed block, in Bitcoin Core's words. */
export function rejectionOfProposal(text: string): string {
  if (text.startsWith("rejected: ")) return rejectionOfBlock(text.slice("rejected: ".length));
  return (Object.hasOwn(proposalWords, text) ? proposalWords[text] : undefined) ?? publicNodeText(text);
}

/** Renders the reason and its details, as Bitcoin Core writes them together. */
export function renderRejection({ reason, details }: Rejection): string {
  return details === undefined ? reason : `${reason}, ${details}`;
}

function reasonOf(text: string, rules: readonly Rule[]): string | undefined {
  return rules.find(([pattern]) => pattern.test(text))?.[1];
}
