import type { PromiseOrValue } from "../basics/promise-or-value.ts";
import type { StateReference } from "./state-reference.ts";

/** States that a request has resolved. */
export interface SettledStates {
  headReference(): PromiseOrValue<StateReference>;
  referenceByNumber(number: string): PromiseOrValue<StateReference>;
}

/** An account with its state, which is resolved when the first of its fields needs it. */
export class AccountValue {
  readonly address: string;
  readonly state: (states: SettledStates) => PromiseOrValue<StateReference>;

  constructor(address: string, state: (states: SettledStates) => PromiseOrValue<StateReference>) {
    this.address = address;
    this.state = state;
  }

  /** Returns an account in the state after the latest block of any request; may be cached beyond one. */
  static latest(address: string): AccountValue {
    return new AccountValue(address, afterHead);
  }

  /** Returns an account in the state after the block at a height, or after the latest block when there is none. */
  static at(address: string, number: string | null | undefined): AccountValue {
    if (number === null || number === undefined) return AccountValue.latest(address);
    return new AccountValue(address, (states) => states.referenceByNumber(number));
  }
}

function afterHead(states: SettledStates): PromiseOrValue<StateReference> {
  return states.headReference();
}
