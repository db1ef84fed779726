import { displayHash, type Transaction, type TransactionId, viewTransaction } from "@nodewright/bitcoin-primitives";
import {
  type MempoolTransactionHead,
  mempoolSpends,
  mempoolTransactionHeads,
  type MempoolTransactionRow,
  mempoolTransactions,
} from "../store/mempool-layout.ts";
import type { Environment } from "../store/environment.ts";
import type { MempoolMember } from "./mempool-queries.ts";

/** Height of the spent outputs of other unconfirmed transactions. */
const unconfirmedHeight = -1;
const maximumVout = 0xffffffff;

/** Returns the transaction with this number, from its current rows and those of its parents and children. */
export function readMember(environment: Environment, number: number): MempoolMember {
  const row = environment.get(mempoolTransactions, number);
  if (row === undefined) throw new Error(`The mempool has no transaction ${number}`);
  const transaction = viewTransaction(row.bytes);
  const txid = displayHash(row.txid);
  return {
    txid,
    wtxid: transaction.hasWitness ? displayHash(transaction.wtxid) : txid,
    fee: BigInt(row.fee),
    size: transaction.size,
    virtualSize: row.virtualSize,
    weight: transaction.weight,
    time: row.time,
    height: row.height,
    parents: parentsOf(transaction, row),
    children: childrenOf(environment, row),
  };
}

/** Returns the parents, each once, in the order of their hex strings. */
function parentsOf(transaction: Transaction, { previousOutputs }: MempoolTransactionRow): readonly TransactionId[] {
  if (!previousOutputs.some(({ height }) => height === unconfirmedHeight)) return none;
  const parents = new Set<TransactionId>();
  for (const [vin, { previousOutput }] of transaction.inputs.entries()) {
    if (previousOutputs[vin]?.height === unconfirmedHeight) parents.add(displayHash(previousOutput.txid));
  }
  return [...parents].sort();
}

/** Returns the children, each once, in the order of their hex strings. */
function childrenOf(environment: Environment, { txid }: MempoolTransactionHead): readonly TransactionId[] {
  const last = mempoolSpends.key(txid, maximumVout);
  const range = { start: mempoolSpends.key(txid, 0), end: Buffer.concat([last, Buffer.of(0)]) };
  const rows = environment.rows(mempoolSpends, range);
  if (rows.length === 0) return none;
  const numbers = new Set(rows.map(({ value }) => mempoolSpends.decode(value).number));
  return Array.from(numbers, (number) => txidOf(environment, number)).sort();
}

function txidOf(environment: Environment, number: number): TransactionId {
  const head = environment.get(mempoolTransactionHeads, number);
  if (head === undefined) throw new Error(`The mempool has no transaction ${number}`);
  return displayHash(head.txid);
}

const none: readonly TransactionId[] = [];
