const word = `0x${"0".repeat(63)}9`;

/**
 * Returns a block with these members and all others that a block has, of a chain with other hashes: any hash is accepted, because a member
 * that Ethereum's headers do not have identifies the chain.
 */
export function madeUpBlock<Members extends object>(members: Members): Members & { readonly madeUp: string } {
  return {
    madeUp: "0x1",
    parentHash: word,
    sha3Uncles: word,
    miner: `0x${"8".repeat(40)}`,
    stateRoot: word,
    transactionsRoot: word,
    receiptsRoot: word,
    logsBloom: `0x${"0".repeat(512)}`,
    difficulty: "0x0",
    gasLimit: "0x1c9c380",
    gasUsed: "0x0",
    timestamp: "0x65920080",
    extraData: "0x",
    transactions: [],
    uncles: [],
    ...members,
  };
}
