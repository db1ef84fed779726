import {
  isAddress,
  isData,
  isHash,
  isQuantity,
  listOf,
  type MemberForms,
  members,
  objectOf,
} from "./response-forms.ts";

/** Forms of a header of a block that is not pending. */
export const headerForms: MemberForms = [
  ...members("required", isHash, "hash", "parentHash", "sha3Uncles", "stateRoot", "transactionsRoot", "receiptsRoot"),
  ...members("required", isQuantity, "number", "gasLimit", "gasUsed", "timestamp"),
  ...members("required", isData, "logsBloom", "extraData"),
  ...members("required", isAddress, "miner"),
  ...members("optional", isData, "nonce"),
  ...members("optional", isHash, "mixHash", "withdrawalsRoot", "parentBeaconBlockRoot", "requestsHash"),
  ...members("optional", isHash, "blockAccessListHash"),
  ...members("optional", isQuantity, "difficulty", "totalDifficulty", "baseFeePerGas", "blobGasUsed", "excessBlobGas"),
  ...members("optional", isQuantity, "slotNumber"),
];

const withdrawalForms: MemberForms = [
  ...members("required", isQuantity, "index", "validatorIndex", "amount"),
  ...members("required", isAddress, "address"),
];

/** Forms of a block that is not pending; of its transactions, that they are a list. */
export const blockForms: MemberForms = [
  ...headerForms,
  ...members("required", Array.isArray, "transactions"),
  ...members("required", listOf(isHash), "uncles"),
  ...members("optional", listOf(objectOf(withdrawalForms)), "withdrawals"),
];

const accessForms: MemberForms = [
  ...members("required", isAddress, "address"),
  ...members("required", listOf(isHash), "storageKeys"),
];

const authorizationForms: MemberForms = [
  ...members("required", isAddress, "address"),
  ...members("required", isQuantity, "chainId", "nonce", "r", "s"),
];

/** Forms of a transaction, mined or pending. */
export const transactionForms: MemberForms = [
  ...members("required", isHash, "hash"),
  ...members("required", isQuantity, "nonce", "value", "gas", "r", "s"),
  ...members("required", isAddress, "from"),
  ...members("required", isData, "input"),
  ...members("nullable", isAddress, "to"),
  ...members("nullable", isHash, "blockHash"),
  ...members("nullable", isQuantity, "blockNumber", "transactionIndex"),
  ...members("optional", isQuantity, "type", "chainId", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"),
  ...members("optional", isQuantity, "maxFeePerBlobGas", "v", "yParity"),
  ...members("optional", listOf(isHash), "blobVersionedHashes"),
  ...members("optional", listOf(objectOf(accessForms)), "accessList"),
  ...members("optional", listOf(objectOf(authorizationForms)), "authorizationList"),
];

/** Forms of a log of a mined transaction. */
export const logForms: MemberForms = [
  ...members("required", isAddress, "address"),
  ...members("required", listOf(isHash), "topics"),
  ...members("required", isData, "data"),
  ...members("required", isHash, "blockHash", "transactionHash"),
  ...members("required", isQuantity, "blockNumber", "transactionIndex", "logIndex"),
];

/** Forms of the receipt of a mined transaction. */
export const receiptForms: MemberForms = [
  ...members("required", isHash, "transactionHash", "blockHash"),
  ...members("required", isQuantity, "transactionIndex", "blockNumber", "cumulativeGasUsed", "gasUsed"),
  ...members("required", isData, "logsBloom"),
  ...members("required", listOf(objectOf(logForms)), "logs"),
  ...members("nullable", isAddress, "contractAddress"),
  ...members("optional", isHash, "root"),
  ...members("optional", isQuantity, "type", "status", "effectiveGasPrice", "blobGasUsed", "blobGasPrice"),
];
