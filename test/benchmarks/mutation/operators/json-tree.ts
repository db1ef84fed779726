/** A place of a JSON value: where it hangs and what is there. */
export interface Slot {
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string | number;
  readonly value: unknown;
}

export type JsonObject = Record<string, unknown>;

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** All places of a value by their pattern, elements of lists as `*`; the value itself is at `` in a holder of its own. */
export function slotsOf(root: unknown): { readonly holder: { value: unknown }; readonly slots: Map<string, Slot[]> } {
  const holder: { value: unknown } = { value: root };
  const slots = new Map<string, Slot[]>();
  const visit = (pattern: string, slot: Slot): void => {
    const list = slots.get(pattern);
    if (list === undefined) {
      slots.set(pattern, [slot]);
    } else {
      list.push(slot);
    }
    const { value } = slot;
    if (Array.isArray(value)) {
      value.forEach((item, key) => {
        visit(`${pattern}/*`, { parent: value, key, value: item });
      });
    } else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        visit(`${pattern}/${key}`, { parent: value, key, value: item });
      }
    }
  };
  visit("", { parent: holder, key: "value", value: root });
  return { holder, slots };
}

/** Puts another value into a place. */
export function setSlot(slot: Slot, value: unknown): void {
  (slot.parent as Record<string | number, unknown>)[slot.key] = value;
}

/** Takes the member or the element away. */
export function dropSlot(slot: Slot): void {
  if (Array.isArray(slot.parent)) {
    slot.parent.splice(Number(slot.key), 1);
  } else {
    delete slot.parent[slot.key];
  }
}

/** A copy that shares nothing. */
export function copyJson<Value>(value: Value): Value {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);
}

/** The JSON kind of a value. */
export function kindOf(value: unknown): "null" | "boolean" | "number" | "string" | "list" | "object" {
  return value === null
    ? "null"
    : Array.isArray(value)
      ? "list"
      : (typeof value as "boolean" | "number" | "string" | "object");
}
