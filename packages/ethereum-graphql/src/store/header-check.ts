import type { NodeHeader } from "../results/node-values.ts";
import { rawHeader } from "../raw/raw-block.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/** Members of a block that its hash covers or that accompany it; another one may be part of a header of a later time. */
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
 * Checker of blocks against their hashes, where the chain's headers are those of Ethereum.
 *
 * Chains that compute their hashes in another way are recognized by the first blocks, and trusted; so is a chain whose headers contain
 * something unknown here from some block on.
 */
export class HeaderCheck {
  #hasKnownForm: boolean | undefined;
  #mismatches = 0;

  /** Whether the chain's headers can be checked; undefined before the first block. */
  get hasKnownForm(): boolean | undefined {
    return this.#hasKnownForm;
  }

  /** Throws `upstream_unavailable` for a block that does not match its hash. */
  check(header: NodeHeader): void {
    if (this.#hasKnownForm === false) return;
    if (rawHeader(header) !== undefined) this.#hasKnownForm = true;
    else if (this.#isOfUnknownForm(header)) this.#hasKnownForm = false;
    else throw unexpectedResult("a block that does not have its hash");
  }

  #isOfUnknownForm(header: NodeHeader): boolean {
    if (hasUnknownMember(header)) return true;
    this.#mismatches += 1;
    return this.#hasKnownForm === undefined && this.#mismatches >= maximumMismatches;
  }
}

/** Number of blocks without their hashes, and none with its own, that do not indicate a mistake of the node. */
const maximumMismatches = 3;

function hasUnknownMember(header: NodeHeader): boolean {
  return Object.keys(header).some((name) => !knownMembers.has(name));
}
