/**
 * Memory that the joining thread shares with a scanning thread: slots, each for the blocks of one batch, and the scanner's own region.
 *
 * A slot holds the blocks' bytes and, in columns of fixed width, what is needed of them. No object exists for a transaction, an input or an
 * output. Its regions are as long as the densest bytes would need: untouched pages take no physical memory.
 */
import { type SharedMemory, webAssembly } from "./web-assembly.ts";
import { roundConstantsLength } from "./sha256-lanes.ts";

/** Number of 32-bit words of one block's row; the columns follow. */
export const blockWords = 6;
export const blockColumn = {
  /** Byte address of its first byte, from the start of the memory. */
  address: 0,
  length: 1,
  strippedSize: 2,
  transactions: 3,
  /** 1: the block is valid. 0: it is not, and the words above have no meaning. */
  isGood: 4,
  checksum: 5,
} as const;

/** Number of words of one transaction's row. The txid comes first: eight little-endian words of its wire order. */
export const transactionWords = 13;
export const transactionColumn = { offset: 8, size: 9, inputs: 10, outputs: 11, checksum: 12 } as const;

/** Number of words of one input's row: the txid as above, and the output's number. Coinbases have no row here. */
export const inputWords = 9;
export const inputColumn = { vout: 8 } as const;

/**
 * Number of words of one output's row: its value, its script as rows encode it, and the first four big-endian words of the script's hash.
 */
export const outputWords = 8;
export const outputColumn = {
  valueLow: 0,
  valueHigh: 1,
  /** Byte address from the start of the memory. */
  scriptAddress: 2,
  /** 0: the output is unspendable, and the words below have no meaning. */
  scriptLength: 3,
  hash: 4,
} as const;

/** Bytes of blocks in a slot, with the 8 before each. Consensus: a block has at most 4,000,000. */
const slotLength: number = 4_000_008;

/** Start addresses of the regions of a slot, in bytes from the start of the memory. */
export interface Slot {
  readonly raw: number;
  readonly blocks: number;
  readonly transactions: number;
  readonly inputs: number;
  readonly outputs: number;
  readonly scripts: number;
}

/** Regions of the scanner itself. */
interface ScannerMemory {
  readonly constants: number;
  readonly lanes: number;
  readonly merkle: number;
}

export interface BatchMemory {
  readonly memory: SharedMemory;
  readonly pages: { readonly initial: number; readonly maximum: number };
  readonly slots: readonly Slot[];
  readonly scanner: ScannerMemory;
}

/** Bytes of each of the hasher's four lanes for the messages that it gathers. */
export const laneLength: number = 4096 + 192;

const pageLength = 65_536;

/** Minimum length in bytes: magic, length, header and one byte for the count. */
const minimumBlockLength = 8 + 81;
const minimumTransactionLength = 10;
const minimumInputLength = 41;
const minimumOutputLength = 9;

/** Reserves the memory. Every thread receives the same `BatchMemory`. */
export function createBatchMemory(slotCount: number): BatchMemory {
  const layout = layOut(slotCount);
  const pages = { initial: layout.pages, maximum: layout.pages };
  return { ...layout, pages, memory: new webAssembly.Memory({ ...pages, shared: true }) };
}

function layOut(slotCount: number): Pick<BatchMemory, "slots" | "scanner"> & { readonly pages: number } {
  let end = 0;
  const take = (bytes: number): number => {
    const start = end;
    end += Math.ceil(bytes / 64) * 64;
    return start;
  };
  const scanner = {
    constants: take(roundConstantsLength),
    // The four states, two constant blocks, and the gathered message of each lane.
    lanes: take(128 + 128 + 4 * laneLength),
    // One hash for each transaction, and one that is repeated.
    merkle: take((slotLength / minimumTransactionLength + 2) * 32),
  };
  const raw = slotLength;
  const slots = Array.from({ length: slotCount }, () => ({
    raw: take(raw),
    blocks: take((raw / minimumBlockLength + 1) * blockWords * 4),
    transactions: take((raw / minimumTransactionLength + 1) * transactionWords * 4),
    inputs: take((raw / minimumInputLength + 1) * inputWords * 4),
    outputs: take((raw / minimumOutputLength + 1) * outputWords * 4),
    // A script's length may take five bytes where a block has one.
    scripts: take(raw + (raw / minimumOutputLength) * 4),
  }));
  return { slots, scanner, pages: Math.ceil(end / pageLength) };
}
