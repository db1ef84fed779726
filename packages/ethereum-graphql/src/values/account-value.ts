import type { EthereumContext } from "../context.ts";
import type { Eventually } from "../eventually.ts";
import type { StateReference } from "../node-values.ts";

/** An account and the state it is looked at in, which is settled when the first of its fields needs it. */
export class AccountValue {
  readonly address: string;
  readonly state: () => Eventually<StateReference>;

  constructor(address: string, state: () => Eventually<StateReference>) {
    this.address = address;
    this.state = state;
  }

  /** In the state after the block at a height, or after the latest block when there is none. */
  static at(address: string, number: string | null | undefined, context: EthereumContext): AccountValue {
    if (number === null || number === undefined) return new AccountValue(address, () => context.headReference());
    return new AccountValue(address, () => context.referenceByNumber(number));
  }
}
