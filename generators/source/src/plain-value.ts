import type { SourceNode } from "./source-node.ts";

/** A JSON value without positions. Numbers are doubles. */
export type PlainValue = string | number | boolean | null | PlainValue[] | { [name: string]: PlainValue };

const values = new WeakMap<SourceNode, PlainValue>();

/**
 * Returns the JavaScript value of a node; always the same object for the same node.
 *
 * A member `__proto__` becomes an own property, as with `JSON.parse`.
 */
export function plainValue(node: SourceNode): PlainValue {
  if (node.kind === "scalar") return node.value;
  const known = values.get(node);
  if (known !== undefined) return known;
  if (node.kind === "array") {
    const list: PlainValue[] = [];
    values.set(node, list);
    for (const item of node.items) list.push(plainValue(item));
    return list;
  }
  const record: { [name: string]: PlainValue } = {};
  values.set(node, record);
  for (const { name, node: member } of node.members.values()) {
    if (name === "__proto__") {
      Object.defineProperty(record, name, {
        value: plainValue(member),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else {
      record[name] = plainValue(member);
    }
  }
  return record;
}
