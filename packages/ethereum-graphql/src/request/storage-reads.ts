import { callIfSupported } from "../node/call-if-supported.ts";
import type { EthereumNode } from "../node/ethereum-node.ts";
import type { PromiseOrValue } from "../basics/promise-or-value.ts";
import type { StateReference } from "../results/state-reference.ts";
import { keyOfState } from "./state-reads.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/** Slots of contracts by address, at one state. */
type Slots = Map<string, Map<string, PromiseWithResolvers<string>>>;

/** Reader of states for a request. */
interface StateReader {
  readonly node: EthereumNode;
  readState(method: string, params: readonly unknown[], state: StateReference): PromiseOrValue<unknown>;
}

/** Pending reads at one state. */
interface Waiting {
  readonly state: StateReference;
  readonly slots: Slots;
}

/** Maximum number of slots that geth accepts in one call. */
const maximumSlots = 1_024;

/**
 * Reads of one request of contracts' storage: the slots of one account that fields request in the same turn are read by one call, where the
 * client has one for it.
 */
export class StorageReads {
  readonly #context: StateReader;
  readonly #waiting = new Map<string, Waiting>();

  constructor(context: StateReader) {
    this.#context = context;
  }

  /** Reads the 32 bytes at a slot. Throws `ServiceError`. */
  read(address: string, slot: string, state: StateReference): PromiseOrValue<string> {
    const known = state === "pending" ? undefined : this.#findKept(address, slot, state.blockHash);
    return known ?? this.#wait(address, slot, state).promise;
  }

  #findKept(address: string, slot: string, blockHash: string): string | undefined {
    const kept = this.#context.node.store.findState(keyOfState("eth_getStorageAt", [address, slot], blockHash));
    return kept === undefined ? undefined : paddedWord(kept.value);
  }

  #wait(address: string, slot: string, state: StateReference): PromiseWithResolvers<string> {
    const key = state === "pending" ? state : state.blockHash;
    // All fields of a turn have made their requests before the next microtask, and the calls of a turn are sent after it.
    if (this.#waiting.size === 0) queueMicrotask(() => this.#flush());
    const { slots } = getOrAdd(this.#waiting, key, (): Waiting => ({ state, slots: new Map() }));
    const ofAccount = getOrAdd(slots, address, () => new Map<string, PromiseWithResolvers<string>>());
    return getOrAdd(ofAccount, slot, () => Promise.withResolvers<string>());
  }

  #flush(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { state, slots } of waiting) {
      const several = new Map([...slots].filter(([, ofAccount]) => ofAccount.size > 1));
      for (const [address, ofAccount] of slots) if (!several.has(address)) this.#readEach(address, ofAccount, state);
      for (const part of inParts(several)) void this.#readTogether(part, state);
    }
  }

  /** Reads by one call for all accounts, otherwise by one call for each, otherwise by one call for each slot. */
  async #readTogether(slots: Slots, state: StateReference): Promise<void> {
    try {
      if (await this.#readValues(slots, state)) return;
    } catch (reason) {
      for (const ofAccount of slots.values()) rejectAll(ofAccount, reason);
      return;
    }
    // The pending state has no trie for geth's proofs.
    if (state === "pending") for (const [address, ofAccount] of slots) this.#readEach(address, ofAccount, state);
    else for (const [address, ofAccount] of slots) void this.#readProof(address, ofAccount, state);
  }

  /** Reads values; returns false when the client does not offer the method. */
  async #readValues(slots: Slots, state: StateReference): Promise<boolean> {
    const wanted = Object.fromEntries([...slots].map(([address, ofAccount]) => [address, [...ofAccount.keys()]]));
    const callNode = () => this.#context.readState("eth_getStorageValues", [wanted], state);
    const result = await callIfSupported("eth_getStorageValues", callNode, this.#context);
    if (result === undefined) return false;
    const byAddress = new Map(
      Object.entries(result ?? {}).map(([address, values]) => [address.toLowerCase(), values as unknown]),
    );
    for (const [address, ofAccount] of slots) this.#settle(address, ofAccount, byAddress.get(address), state);
    return true;
  }

  async #readProof(
    address: string,
    slots: Map<string, PromiseWithResolvers<string>>,
    state: StateReference,
  ): Promise<void> {
    try {
      const callNode = () => this.#context.readState("eth_getProof", [address, [...slots.keys()]], state);
      const result = await callIfSupported("eth_getProof", callNode, this.#context);
      if (result === undefined) this.#readEach(address, slots, state);
      else this.#settle(address, slots, valuesOfProof(result), state);
    } catch (reason) {
      rejectAll(slots, reason);
    }
  }

  #readEach(address: string, slots: Map<string, PromiseWithResolvers<string>>, state: StateReference): void {
    for (const [slot, { resolve, reject }] of slots) {
      Promise.resolve(this.#context.readState("eth_getStorageAt", [address, slot], state))
        .then(paddedWord)
        .then(resolve, reject);
    }
  }

  /** Resolves the slots with values in the same order. */
  #settle(
    address: string,
    slots: Map<string, PromiseWithResolvers<string>>,
    values: unknown,
    state: StateReference,
  ): void {
    const list: readonly unknown[] = Array.isArray(values) && values.length === slots.size ? values : [];
    for (const [position, [slot, { resolve, reject }]] of [...slots].entries()) {
      try {
        const value = paddedWord(list[position]);
        if (state !== "pending") this.#keep(address, slot, state.blockHash, value);
        resolve(value);
      } catch (reason) {
        reject(reason);
      }
    }
  }

  #keep(address: string, slot: string, blockHash: string, value: string): void {
    this.#context.node.store.keepState(keyOfState("eth_getStorageAt", [address, slot], blockHash), value);
  }
}

/** Returns the values of an `eth_getProof` result, which lists each slot as a quantity, in the requested order. */
function valuesOfProof(result: unknown): unknown {
  const { storageProof } = (result ?? {}) as { readonly storageProof?: unknown };
  return Array.isArray(storageProof)
    ? storageProof.map((proof: { readonly value?: unknown } | null) => proof?.value)
    : [];
}

/** Pads a word: some clients omit leading zeros. */
function paddedWord(value: unknown): string {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{0,64}$/.test(value)) {
    throw unexpectedResult("a value that is not a storage slot");
  }
  return `0x${value.slice(2).padStart(64, "0")}`;
}

/** Splits slots into parts that a client accepts. */
function inParts(slots: Slots): readonly Slots[] {
  const parts: Slots[] = [];
  let size = maximumSlots;
  for (const [address, ofAccount] of slots) {
    for (let start = 0; start < ofAccount.size; start += maximumSlots) {
      const some = new Map([...ofAccount].slice(start, start + maximumSlots));
      if (size + some.size > maximumSlots) {
        parts.push(new Map());
        size = 0;
      }
      parts.at(-1)?.set(address, some);
      size += some.size;
    }
  }
  return parts;
}

function rejectAll(slots: Map<string, PromiseWithResolvers<string>>, reason: unknown): void {
  for (const { reject } of slots.values()) reject(reason);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
