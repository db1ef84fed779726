import { ServiceError } from "@nodewright/runtime";
import type { NodeHeader } from "../node-values.ts";
import { rawHeader } from "../raw-block.ts";

/** Members of a block that its hash covers or that are told beside it; another one may be part of a header of a later time. */
const knownMembers: ReadonlySet<string> = new Set([
  "author",
  "baseFeePerGas",
  "blobGasUsed",
  "blockAccessListHash",
  "difficulty",
  "excessBlobGas",
  "extraData",
  "gasLimit",
  "gasUsed",
  "hash",
  "logsBloom",
  "miner",
  "mixHash",
  "nonce",
  "number",
  "parentBeaconBlockRoot",
  "parentHash",
  "receiptsRoot",
  "requestsHash",
  "sha3Uncles",
  "size",
  "slotNumber",
  "stateRoot",
  "timestamp",
  "totalDifficulty",
  "transactions",
  "transactionsRoot",
  "uncles",
  "withdrawals",
  "withdrawalsRoot",
]);

/**
 * Holds blocks against their hashes, where the chain's headers are those of Ethereum.
 *
 * Chains that make their hashes in another way are recognised by the first block, and taken at their word; so is a chain whose headers
 * hold something from some block on that is unknown here.
 */
export class HeaderCheck {
  #hasKnownForm: boolean | undefined;

  /** False for a chain whose headers can't be checked; undefined before the first block. */
  get hasKnownForm(): boolean | undefined {
    return this.#hasKnownForm;
  }

  /** Throws `upstream_unavailable` for a block that is not the one its hash names. */
  check(header: NodeHeader): void {
    if (this.#hasKnownForm === false) return;
    if (rawHeader(header) !== undefined) this.#hasKnownForm = true;
    else if (this.#hasKnownForm === undefined || hasUnknownMember(header)) this.#hasKnownForm = false;
    else throw new ServiceError("upstream_unavailable", "The node answered a block that does not have its hash");
  }
}

function hasUnknownMember(header: NodeHeader): boolean {
  return Object.keys(header).some((name) => !knownMembers.has(name));
}
