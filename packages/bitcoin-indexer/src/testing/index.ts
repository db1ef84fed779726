export { compareIndexes } from "./compare-indexes.ts";
export { mineRegtestBlock, regtestGenesisBlock } from "./regtest-block.ts";
export type { RegtestBlockContent } from "./regtest-block.ts";
export { RegtestChain } from "./regtest-chain.ts";
export type { RegtestCoin, RegtestPayment, RegtestTip } from "./regtest-chain.ts";
export { withTemporaryDirectory } from "./temporary-directory.ts";
export { blockFileOf } from "./block-file.ts";
