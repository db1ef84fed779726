import { describe, expect, it } from "vitest";
import { rejectionOfBlock, rejectionOfProposal, rejectionOfTransaction, renderRejection } from "./btcd-rejection.ts";

/** btcd's messages about a transaction anywhere, as in its sources, with Bitcoin Core's reason. */
const ofTransactions: readonly (readonly [text: string, reason: string])[] = [
  ["transaction has no inputs", "bad-txns-vin-empty"],
  ["transaction has no outputs", "bad-txns-vout-empty"],
  ["serialized transaction is too big - got 1000001, max 1000000", "bad-txns-oversize"],
  ["transaction output has negative value of -1", "bad-txns-vout-negative"],
  ["transaction output value is higher than max allowed value: 2200000000000000", "bad-txns-vout-toolarge"],
  ["total value of all transaction outputs exceeds max allowed value of 21", "bad-txns-txouttotal-toolarge"],
  ["transaction contains duplicate inputs", "bad-txns-inputs-duplicate"],
  ["coinbase transaction script length of 1 is out of range (min: 2, max: 100)", "bad-cb-length"],
  ["transaction input refers to previous output that is null", "bad-txns-prevout-null"],
  [
    "orphan transaction 1b references outputs of unknown or fully-spent transaction 2c",
    "bad-txns-inputs-missingorspent",
  ],
  [
    "output 1b:0 referenced from transaction 2c:1 either does not exist or has already been spent",
    "bad-txns-inputs-missingorspent",
  ],
  ["unable to find unspent output 1b:0 referenced from 2c:1", "bad-txns-inputs-missingorspent"],
  [
    "tried to spend coinbase transaction output 1b:0 from height 1 at height 9 before required maturity of 100 blocks",
    "bad-txns-premature-spend-of-coinbase",
  ],
  [
    "total value of all transaction inputs for transaction 1b is 1 which is less than amount spent of 2",
    "bad-txns-in-belowout",
  ],
  [
    "total value of all transaction inputs is 2200000000000000 which is higher than max allowed value of 2100000000000000",
    "bad-txns-inputvalues-outofrange",
  ],
];

const ofMempool: readonly (readonly [text: string, reason: string])[] = [
  ["already have transaction in mempool 1b", "txn-already-in-mempool"],
  ["transaction already exists in blockchain", "txn-already-known"],
  ["output already spent in mempool: output=1b:0, tx=2c", "txn-mempool-conflict"],
  ["replacement transaction 1b has an insufficient fee rate: needs more than 2, has 1", "insufficient fee"],
  ["replacement transaction 1b has an insufficient absolute fee: needs 2, has 1", "insufficient fee"],
  [
    "replacement transaction evicts more transactions than permitted: max is 100, evicts 101",
    "too many potential replacements",
  ],
  ["replacement transaction spends parent transaction 1b", "bad-txns-spends-conflicting-tx"],
  ["replacement transaction spends new unconfirmed input 1b:0", "replacement-adds-unconfirmed"],
  ["transaction 1b has insufficient priority (1 <= 2)", "min relay fee not met"],
  ["transaction 1b has been rejected by the rate limiter due to low fees", "min relay fee not met"],
  ["tx 1b is too small", "tx-size-small"],
  ["transaction is an individual coinbase 1b", "coinbase"],
  ["transaction 1b has witness data, but segwit isn't active yet", "no-witness-yet"],
  ["transaction version 4 is not in the valid range of 1-2", "version"],
  ["transaction version -4 is not in the valid range of 1-2", "version"],
  ["transaction version 12 is not in the valid range of 1-2", "version"],
  ["transaction is not finalized", "non-final"],
  ["transaction's sequence locks on inputs not met", "non-BIP68-final"],
  ["weight of transaction is larger than max allowed: 400001 > 400000", "tx-size"],
  ["transaction input 0: signature script size is larger than max allowed: 1651 > 1650", "scriptsig-size"],
  ["transaction input 0: signature script is not push only", "scriptsig-not-pushonly"],
  ["transaction output 0: payment is dust: 1", "dust"],
  ["more than one transaction output in a nulldata script", "multi-op-return"],
  ["transaction 1b has a non-standard input: ...", "bad-txns-nonstandard-inputs"],
  ["transaction output 0: multi-signature script with no pubkeys", "scriptpubkey"],
  ["transaction output 0: non-standard script form", "scriptpubkey"],
  ["transaction 1b sigop cost is too high: 16001 > 16000", "bad-txns-too-many-sigops"],
  ["failed to validate input 1b:0 which references output 2c:0", "mempool-script-verify-flag-failed"],
  ["failed to parse input 1b:0 which references output 2c:0", "mempool-script-verify-flag-failed"],
];

const ofBlocks: readonly (readonly [text: string, reason: string])[] = [
  ["block 1b is known to be invalid", "duplicate-invalid"],
  ["block 00ab12 is known to be invalid", "duplicate-invalid"],
  ["already have block 1b", "duplicate"],
  ["already have block (orphan) 1b", "duplicate"],
  ["previous block 1b is known to be invalid", "bad-prevblk"],
  ["block 1b has an invalid ancestor", "bad-prevblk"],
  ["previous block must be the current chain tip 1b, instead got 2c", "inconclusive-not-best-prevblk"],
  ["previous block 1b is not known", "prev-blk-not-found"],
  ["previous block 00ab is unknown", "prev-blk-not-found"],
  ["block hash of ff is higher than expected max of 00", "high-hash"],
  ["block target difficulty of ff is higher than max of 00", "bad-diffbits"],
  ["block difficulty of 1 is not the expected value of 2", "bad-diffbits"],
  ["block timestamp of 2030-01-01 is too far in the future", "time-too-new"],
  ["block timestamp of 2009-01-01 is not after expected 2010-01-01", "time-too-old"],
  ["block's timestamp 1 is too early on diff adjustment block 2", "time-timewarp-attack"],
  ["block 1b has timestamp 1 before last checkpoint timestamp 2", "bad-fork-prior-to-checkpoint"],
  ["block at height 1 does not match checkpoint hash", "bad-fork-prior-to-checkpoint"],
  ["block at height 1 forks the main chain before the previous checkpoint", "bad-fork-prior-to-checkpoint"],
  ["block does not contain any transactions", "bad-blk-length"],
  ["block contains too many transactions - got 2, max 1", "bad-blk-length"],
  ["serialized block is too big - got 2, max 1", "bad-blk-length"],
  ["cannot validate witness commitment of block without transactions", "bad-blk-length"],
  ["block's weight metric is too high - got 2, max 1", "bad-blk-weight"],
  ["first transaction in block is not a coinbase", "bad-cb-missing"],
  ["block contains second coinbase at index 3", "bad-cb-multiple"],
  ["block merkle root is invalid - block header indicates 1b, but calculated value is 2c", "bad-txnmrklroot"],
  ["block contains duplicate transaction 1b", "bad-txns-duplicate"],
  ["block contains too many signature operations - got 2, max 1", "bad-blk-sigops"],
  ["too many signature operations - overflow", "bad-blk-sigops"],
  ["the coinbase signature script for blocks of version 2 or greater must start with the length", "bad-cb-height"],
  ["block contains unfinalized transaction 1b", "bad-txns-nonfinal"],
  ["block contains transaction whose input sequence locks are not met", "bad-txns-nonfinal"],
  ["tried to overwrite transaction 1b at block height 2 that is not fully spent", "bad-txns-BIP30"],
  ["the coinbase for the genesis block is not spendable", "bad-txns-inputs-missingorspent"],
  ["total fees for block overflows accumulator", "bad-txns-accumulated-fee-outofrange"],
  ["coinbase transaction for block pays 2 which is more than expected value of 1", "bad-cb-amount"],
  ["block contains transaction with witness data, yet no witness commitment present", "unexpected-witness"],
  ["coinbase transaction has 2 items in its witness stack when only one is allowed", "bad-witness-nonce-size"],
  ["coinbase transaction has 12 items in its witness stack", "bad-witness-nonce-size"],
  ["coinbase transaction witness nonce has 31 bytes when it must be 32 bytes", "bad-witness-nonce-size"],
  ["witness commitment does not match: computed 1b, coinbase includes 2c", "bad-witness-merkle-match"],
  ["failed to validate input 1b:0 which references output 2c:0", "block-script-verify-flag-failed"],
  ["failed to parse input 1b:0 which references output 2c:0", "block-script-verify-flag-failed"],
];

describe("a transaction that btcd refuses", () => {
  it.each([...ofTransactions, ...ofMempool])("with %s", (text, reason) => {
    expect(rejectionOfTransaction(text)).toEqual({ reason });
    expect(rejectionOfTransaction(`TX rejected: ${text}`)).toEqual({ reason });
  });

  it("for a low fee is told both fees", () => {
    const text = (fee: string) => `transaction 1b has ${fee} fees which is under the required amount of 141`;
    expect(rejectionOfTransaction(text("0"))).toEqual({ reason: "min relay fee not met", details: "0 < 141" });
    expect(rejectionOfTransaction(text("-12"))).toEqual({ reason: "min relay fee not met", details: "-12 < 141" });
  });

  it.each([
    "",
    "what nobody has heard of",
    "tx 1b is too small a thing",
    "transaction version x is not in the valid range",
  ])("with %j is not explained", (text) => expect(rejectionOfTransaction(text)).toBeUndefined());

  it("is reported as Bitcoin Core writes it", () => {
    expect(renderRejection({ reason: "dust" })).toBe("dust");
    expect(renderRejection({ reason: "min relay fee not met", details: "0 < 1" })).toBe("min relay fee not met, 0 < 1");
  });
});

describe("a block that btcd refuses", () => {
  it.each([...ofBlocks, ...ofTransactions])("with %s", (text, reason) => {
    expect(rejectionOfBlock(text)).toBe(reason);
    expect(rejectionOfProposal(`rejected: ${text}`)).toBe(reason);
  });

  it.each([
    ["1", "00000001"],
    ["-1", "ffffffff"],
    ["536870912", "20000000"],
  ])("for its version %s", (version, hex) => {
    expect(rejectionOfBlock(`new blocks with version ${version} are no longer valid`)).toBe(`bad-version(0x${hex})`);
  });

  it("with what nobody has heard of is rejected", () => {
    expect([rejectionOfBlock(""), rejectionOfProposal("rejected: what")]).toEqual(["rejected", "rejected"]);
  });
});

describe("a proposed block", () => {
  // btcd's words next to Bitcoin Core's, which follow BIP 22 and 23.
  it.each([
    ["bad-prevblk", "inconclusive-not-best-prevblk"],
    ["inconclusive-not-best-prvblk", "inconclusive-not-best-prevblk"],
    ["bad-checkpoint", "bad-fork-prior-to-checkpoint"],
    ["fork-too-old", "bad-fork-prior-to-checkpoint"],
    ["checkpoint-time-too-old", "bad-fork-prior-to-checkpoint"],
    ["bad-txns-none", "bad-blk-length"],
    ["bad-txns-noinputs", "bad-txns-vin-empty"],
    ["bad-txns-nooutputs", "bad-txns-vout-empty"],
    ["bad-txns-size", "bad-txns-oversize"],
    ["bad-txns-dupinputs", "bad-txns-inputs-duplicate"],
    ["bad-txns-badinput", "bad-txns-prevout-null"],
    ["bad-txns-missinginput", "bad-txns-inputs-missingorspent"],
    ["bad-txns-unfinalizedtx", "bad-txns-nonfinal"],
    ["bad-txns-overwrite", "bad-txns-BIP30"],
    ["bad-txns-maturity", "bad-txns-premature-spend-of-coinbase"],
    ["bad-txns-highspend", "bad-txns-in-belowout"],
    ["bad-txns-fees", "bad-txns-accumulated-fee-outofrange"],
    ["high-sigops", "bad-blk-sigops"],
    ["bad-txns-nocoinbase", "bad-cb-missing"],
    ["bad-txns-multicoinbase", "bad-cb-multiple"],
    ["bad-cb-value", "bad-cb-amount"],
    ["bad-script-malformed", "block-script-verify-flag-failed"],
    ["bad-script-validate", "block-script-verify-flag-failed"],
    // The same in both, or unknown.
    ["duplicate", "duplicate"],
    ["toString", "toString"],
    ["read /srv/blocks/1", "read (path)"],
  ])("that btcd calls %s is %s", (text, reason) => expect(rejectionOfProposal(text)).toBe(reason));
});
