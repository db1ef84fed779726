import type { Slot } from "./txid-table.ts";

const none: readonly Slot[] = [];

/** One-directional relations of many transactions to some others: little memory where it is one other, as for most. */
export class Relations {
  readonly #others = new Map<Slot, Slot | Set<Slot>>();

  of(slot: Slot): Iterable<Slot> {
    const others = this.#others.get(slot);
    if (others === undefined) return none;
    return typeof others === "number" ? [others] : others;
  }

  has(slot: Slot): boolean {
    return this.#others.has(slot);
  }

  add(slot: Slot, other: Slot): void {
    const others = this.#others.get(slot);
    if (others === undefined) this.#others.set(slot, other);
    else if (typeof others === "object") others.add(other);
    else if (others !== other) this.#others.set(slot, new Set([others, other]));
  }

  remove(slot: Slot, other: Slot): void {
    const others = this.#others.get(slot);
    if (others === other) this.#others.delete(slot);
    else if (typeof others === "object" && others.delete(other) && others.size === 0) this.#others.delete(slot);
  }

  forget(slot: Slot): void {
    this.#others.delete(slot);
  }
}
