export { addressOfScript, scriptOfAddress } from "./address.ts";
export type { AddressProblem, AddressResult } from "./address.ts";
export { parseBlock, serializeBlock } from "./block.ts";
export type { Block, BlockContent } from "./block.ts";
export { basicBlockFilter, blockFilterHeader, makeBasicBlockFilter } from "./block-filter.ts";
export { blockHeaderLength, parseBlockHeader, serializeBlockHeader } from "./block-header.ts";
export type { BlockHeader, BlockHeaderContent } from "./block-header.ts";
export { blockSubsidy } from "./block-subsidy.ts";
export { ByteReader } from "./byte-reader.ts";
export { ByteWriter } from "./byte-writer.ts";
export { bogoSizeOf, serializeCoin } from "./coin.ts";
export type { Coin } from "./coin.ts";
export { compactSizeAt, compactSizeLength } from "./compact-size.ts";
export { concatBytes, equalBytes, fromHex, toHex } from "./bytes.ts";
export { displayHash, doubleSha256, hash160, hashLength, hashScript, isZeroHash, sha256, wireHash } from "./hash.ts";
export type { BlockHash, BlockHashBytes, HashBytes, TransactionId, TransactionIdBytes } from "./hash.ts";
export { encodePrivateKey, parsePrivateKey } from "./private-key.ts";
export type { PrivateKey } from "./private-key.ts";
export { isPublicKey, liftedKey, publicKeyOfPrivateKey } from "./public-key.ts";
export { recoverMessageKey } from "./message-signature.ts";
export { tapBranchHash, tapLeafHash, taprootOutputKey, tapscriptVersion } from "./taproot.ts";
export { ExtendedKey, hardenedIndex } from "./extended-key.ts";
export { aggregateKeys } from "./key-aggregation.ts";
export { locateBech32Errors } from "./locate-bech32-errors.ts";
export type { Bech32Problem, LocatedBech32Problem } from "./locate-bech32-errors.ts";
export { isMalformedBytesError, MalformedBytesError } from "./malformed-bytes-error.ts";
export { createMerkleBlock, parseMerkleBlock, extractMerkleProof, serializeMerkleBlock } from "./merkle-block.ts";
export type { MerkleBlock, MerkleProof } from "./merkle-block.ts";
export { growMerkleTree, merkleBranch, merkleRoot, merkleRootOfBranch, merkleTree } from "./merkle-tree.ts";
export type { MerkleTree } from "./merkle-tree.ts";
export { MuHash, muHashDigest, muHashLength } from "./muhash.ts";
export { networks } from "./network.ts";
export type { ExtendedKeyVersions, Network, NetworkName } from "./network.ts";
export {
  bitsOfTarget,
  difficultyOfBits,
  medianTimePast,
  meetsProofOfWork,
  numberOfHash,
  targetOfBits,
  workOfBits,
} from "./proof-of-work.ts";
export { renderCoreAsm, renderCoreAsmInSteps, renderEsploraAsm } from "./script-assembly.ts";
export type { CoreAssemblyOptions } from "./script-assembly.ts";
export { coreOpcodeNames, esploraOpcodeNames, opcodes } from "./opcode.ts";
export { scriptNumber } from "./script-number.ts";
export { signatureHashName } from "./signature-encoding.ts";
export { numberPush, pushOf } from "./script-writer.ts";
export { lastPushOf, lengthBytesOf, pushLength, scriptOperations } from "./script-reader.ts";
export type { ScriptOperation } from "./script-reader.ts";
export {
  isUnspendable,
  publicKeyHashOf,
  publicKeyOf,
  scriptHashOf,
  scriptType,
  witnessProgramOf,
} from "./script-type.ts";
export type { CoreScriptType, EsploraScriptType, ScriptType, WitnessProgram } from "./script-type.ts";
export { parseTransaction, serializeTransaction } from "./transaction.ts";
export type {
  Outpoint,
  Transaction,
  TransactionContent,
  TransactionFormat,
  TransactionInput,
  TransactionOutput,
} from "./transaction.ts";
export { readTransactionText } from "./transaction-text.ts";
export {
  isNullOutpoint,
  partsOfTransaction,
  strippedSizeOf,
  uint32At,
  valueAt,
  viewTransaction,
} from "./transaction-view.ts";
export type { TransactionParts } from "./transaction-view.ts";
export { hasValidWitnessCommitment, witnessCommitmentOf } from "./witness-commitment.ts";
