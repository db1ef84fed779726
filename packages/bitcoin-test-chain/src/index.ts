export { buildChain } from "./build-chain.ts";
export type { ChainOptions, MempoolOptions, StaleBranchOptions } from "./chain-options.ts";
export type { ChainSummary, HotScript } from "./chain-summary.ts";
export { playInto, playStep } from "./play-into.ts";
export type { NodeRpc } from "./play-into.ts";
export type { ScriptKind } from "./script-kind.ts";
export type { ChainBlock, MempoolStep, MempoolTransaction, StaleBranch, TestChain } from "./test-chain.ts";
export { writeBlockFiles } from "./write-block-files.ts";
export type { BlockFileOptions, WrittenBlockFiles } from "./write-block-files.ts";
