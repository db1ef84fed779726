import type { Eventually } from "../eventually.ts";
import type { StateReference } from "../state-reference.ts";

/** Where a request finds the states that it has settled on. */
export interface SettledStates {
  headReference(): Eventually<StateReference>;
  referenceByNumber(number: string): Eventually<StateReference>;
}

/** An account and the state it is looked at in, which is settled when the first of its fields needs it. */
export class AccountValue {
  readonly address: string;
  readonly state: (states: SettledStates) => Eventually<StateReference>;

  constructor(address: string, state: (states: SettledStates) => Eventually<StateReference>) {
    this.address = address;
    this.state = state;
  }

  /** In the state after the latest block of whatever request asks; may be kept beyond one. */
  static latest(address: string): AccountValue {
    return new AccountValue(address, afterHead);
  }

  /** In the state after the block at a height, or after the latest block when there is none. */
  static at(address: string, number: string | null | undefined): AccountValue {
    if (number === null || number === undefined) return AccountValue.latest(address);
    return new AccountValue(address, (states) => states.referenceByNumber(number));
  }
}

function afterHead(states: SettledStates): Eventually<StateReference> {
  return states.headReference();
}
