import type { Withdrawal } from "@nodewright/ethereum-node-api/types";
import type { EthereumContext } from "../request/context.ts";
import type { PromiseOrValue } from "../basics/promise-or-value.ts";
import type { NodeBlock, NodeHeader } from "../results/node-values.ts";
import { quantity } from "../basics/quantity.ts";
import { planOnce, type SelectionInfo } from "../basics/selection.ts";
import { AccountValue } from "../results/account-value.ts";
import { needsBody, needsReceipt } from "./transaction-value.ts";

/** Reference to a block: all that is known of it when nothing else was selected. */
export interface BlockPlace {
  readonly number: string;
  readonly hash: string;
}

/** Loaded content of a block: its place alone, the header of an ommer, or the block with hashes or complete transactions. */
export type BlockContent =
  | { readonly kind: "place" }
  | { readonly kind: "ommer"; readonly header: NodeHeader }
  | { readonly kind: "block"; readonly block: NodeBlock };

const placeFields = new Set(["number", "hash"]);

/**
 * A block as its fields are read: those that need nothing else are properties, named as in the schema.
 *
 * A block of which only the place is loaded must not be read further; see `isPlaceEnough`.
 */
export class BlockValue {
  readonly number: string;
  readonly hash: string;
  readonly content: BlockContent;

  constructor(place: BlockPlace, content: BlockContent) {
    this.number = place.number;
    this.hash = place.hash;
    this.content = content;
  }

  static of(block: NodeBlock): BlockValue {
    return new BlockValue(block, { kind: "block", block });
  }

  static ofOmmer(header: NodeHeader): BlockValue {
    return new BlockValue(header, { kind: "ommer", header });
  }

  static ofPlace(place: BlockPlace): BlockValue {
    return new BlockValue(place, { kind: "place" });
  }

  /** Block; undefined for an ommer, of which only the header is retained. */
  get block(): NodeBlock | undefined {
    return this.content.kind === "block" ? this.content.block : undefined;
  }

  get header(): NodeHeader {
    const { content } = this;
    if (content.kind === "block") return content.block;
    if (content.kind === "ommer") return content.header;
    throw new Error(`Block ${this.hash} was not loaded, although its fields were requested`);
  }

  /** Account of the miner in the latest state. */
  get miner(): AccountValue {
    return AccountValue.latest(this.header.miner);
  }

  get nonce(): string {
    return this.header.nonce ?? "0x0000000000000000";
  }

  get transactionsRoot(): string {
    return this.header.transactionsRoot;
  }

  get transactionCount(): string | null {
    return countOf(this.block?.transactions);
  }

  get stateRoot(): string {
    return this.header.stateRoot;
  }

  get receiptsRoot(): string {
    return this.header.receiptsRoot;
  }

  get extraData(): string {
    return this.header.extraData;
  }

  get gasLimit(): string {
    return this.header.gasLimit;
  }

  get gasUsed(): string {
    return this.header.gasUsed;
  }

  get baseFeePerGas(): string | null {
    return this.header.baseFeePerGas ?? null;
  }

  get timestamp(): string {
    return this.header.timestamp;
  }

  get logsBloom(): string {
    return this.header.logsBloom;
  }

  get mixHash(): string {
    return this.header.mixHash ?? `0x${"0".repeat(64)}`;
  }

  get difficulty(): string {
    return this.header.difficulty ?? "0x0";
  }

  get ommerCount(): string | null {
    return countOf(this.block?.uncles);
  }

  get ommerHash(): string {
    return this.header.sha3Uncles;
  }

  get withdrawalsRoot(): string | null {
    return this.header.withdrawalsRoot ?? null;
  }

  get withdrawals(): readonly Withdrawal[] | null {
    // Some clients return an empty list for blocks before withdrawals.
    if (this.header.withdrawalsRoot === undefined) return null;
    return this.block?.withdrawals ?? null;
  }

  get blobGasUsed(): string | null {
    return this.header.blobGasUsed ?? null;
  }

  get excessBlobGas(): string | null {
    return this.header.excessBlobGas ?? null;
  }

  get slotNumber(): string | null {
    return this.header.slotNumber ?? null;
  }

  get blockAccessListHash(): string | null {
    return this.header.blockAccessListHash ?? null;
  }
}

/** Parts of a block that must be loaded. */
export interface BlockNeeds {
  /** Whether only its number and hash are selected. */
  readonly isPlaceEnough: boolean;
  /** Whether its transactions are needed completely. */
  readonly full: boolean;
  /** Whether its receipts are needed. */
  readonly receipts: boolean;
}

/** Returns the needs of the fields selected below a block. */
export const blockNeeds: (info: SelectionInfo) => BlockNeeds = planOnce((selection) => ({
  isPlaceEnough: !selection.hasOther(placeFields),
  receipts: needsReceipt(selection.below("transactions")) || needsReceipt(selection.below("transactionAt")),
  full:
    selection.has("raw") || needsBody(selection.below("transactions")) || needsBody(selection.below("transactionAt")),
}));

/** Loads a block whose hash is known: its needed parts are requested at once, and not one after the other. */
export function loadBlock(
  hash: string,
  { full, receipts }: BlockNeeds,
  context: EthereumContext,
): PromiseOrValue<NodeBlock> {
  const block = context.namedBlock(hash, full);
  if (receipts && block instanceof Promise) context.prefetchReceipts(hash);
  return block;
}

function countOf(list: readonly unknown[] | undefined): string | null {
  return list === undefined ? null : quantity(list.length);
}
