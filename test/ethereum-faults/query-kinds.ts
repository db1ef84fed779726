import { demoAccounts, demoContract } from "../../packages/ethereum-graphql/src/demo/history.ts";

/** A query of each kind that there is, by name; all of them are answered by the demo chain. */
export const queryKinds: Readonly<Record<string, string>> = {
  block: "{ block { number hash timestamp gasUsed } }",
  "full block": `{ block(number: 5) {
    number hash parent { hash timestamp } nonce transactionsRoot transactionCount stateRoot receiptsRoot
    miner { address balance } extraData gasLimit gasUsed baseFeePerGas nextBaseFeePerGas timestamp logsBloom mixHash
    difficulty totalDifficulty ommerCount ommers { hash } ommerHash withdrawalsRoot withdrawals { index amount }
    transactions {
      hash nonce index from { address transactionCount } to { address } value gasPrice maxFeePerGas
      maxPriorityFeePerGas effectiveTip gas inputData status gasUsed cumulativeGasUsed effectiveGasPrice
      createdContract { address code } logs { index topics data account { address } } r s v yParity type
      accessList { address storageKeys } raw rawReceipt
    }
  } }`,
  "raw block": "{ block(number: 4) { rawHeader raw } }",
  "block by hash": "{ block(number: 3) { parent { hash parent { number hash gasLimit } } } }",
  blocks: "{ blocks(from: 2, to: 7) { number hash gasUsed transactionCount } }",
  "blocks with receipts": "{ blocks(from: 4, to: 6) { number transactions { hash status gasUsed logs { data } } } }",
  "logs of a range": `{ logs(filter: { fromBlock: 1, toBlock: 8, addresses: ["${demoContract}"] }) {
    index topics data account { address } transaction { hash index block { number hash } }
  } }`,
  "logs with transactions": `{ logs(filter: { fromBlock: 4, toBlock: 5 }) {
    data transaction { from { address } value status }
  } }`,
  "logs of a block": "{ block(number: 5) { logs(filter: { topics: [] }) { index topics data } } }",
  accounts: `{ block(number: 6) {
    ${Object.entries(demoAccounts)
      .map(([name, address]) => `${name}: account(address: "${address}") { address balance transactionCount }`)
      .join(" ")}
    contract: account(address: "${demoContract}") {
      code zero: storage(slot: "0x${"0".repeat(64)}") one: storage(slot: "0x${"0".repeat(63)}1")
    }
  } }`,
  slot: `{ block { account(address: "${demoContract}") { storage(slot: "0x${"0".repeat(64)}") } } }`,
  call: `{ block(number: 6) {
    good: call(data: { to: "${demoAccounts.ben}", data: "0x" }) { data status }
    bad: call(data: { to: "${demoContract}", data: "0x12345678" }) { data status }
  } }`,
  "call with gas": `{ block(number: 6) { call(data: { to: "${demoAccounts.ben}" }) { data status gasUsed } } }`,
  estimate: `{ block(number: 6) { estimateGas(data: { to: "${demoAccounts.ben}" }) } }`,
  pending: `{ pending {
    transactionCount transactions { hash nonce value from { address } }
    account(address: "${demoAccounts.dan}") { balance transactionCount }
    call(data: { to: "${demoAccounts.ben}" }) { data status }
    estimateGas(data: { to: "${demoAccounts.ben}" })
  } }`,
  "of the node": "{ gasPrice syncing { currentBlock } protocolVersion }",
  several: "{ gasPrice block(number: 2) { hash } blocks(from: 3, to: 4) { hash } head: block { number } }",
};

/** A query for one transaction and its receipt. */
export function transactionQuery(hash: string): string {
  return `{ transaction(hash: "${hash}") {
    hash nonce index value status gasUsed cumulativeGasUsed effectiveTip effectiveGasPrice type r s v
    from { address } block { number hash timestamp } logs { index topics data transaction { hash } }
  } }`;
}
