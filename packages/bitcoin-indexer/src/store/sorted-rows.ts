/** Bytes of a key that fit into a number without loss. */
const leadLength = 6;

/**
 * Sorts rows ascending by key, keys of equal length; rows with equal keys keep their order.
 *
 * The engine appends sorted rows several times faster than it inserts scattered ones. Compares numbers of the keys' first bytes, which
 * nearly always decide.
 */
export function sortedRows<Row extends { readonly key: Buffer }>(rows: readonly Row[]): readonly Row[] {
  const leads = new Float64Array(rows.length);
  const order = new Uint32Array(rows.length);
  for (const [index, { key }] of rows.entries()) {
    leads[index] = key.readUIntBE(0, Math.min(leadLength, key.length));
    order[index] = index;
  }
  order.sort((left, right) => {
    const difference = (leads[left] ?? 0) - (leads[right] ?? 0);
    return difference === 0 ? compareKeys(rows[left], rows[right]) || left - right : difference;
  });
  return Array.from(order, (index) => rows[index]).filter((row) => row !== undefined);
}

function compareKeys(left: { readonly key: Buffer } | undefined, right: { readonly key: Buffer } | undefined): number {
  return left === undefined || right === undefined ? 0 : left.key.compare(right.key);
}
