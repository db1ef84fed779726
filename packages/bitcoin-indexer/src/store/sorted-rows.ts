/** Bytes of a key that fit into a number without loss. */
const leadLength = 6;

/**
 * Sorts rows ascending by key, keys of equal length.
 *
 * The engine appends sorted rows several times faster than it inserts scattered ones. Compares numbers made of the keys' first bytes,
 * which nearly always decide.
 */
export function sortedRows<Row extends { readonly key: Buffer }>(rows: readonly Row[]): readonly Row[] {
  const led = rows.map((row) => ({ lead: row.key.readUIntBE(0, Math.min(leadLength, row.key.length)), row }));
  led.sort((left, right) => left.lead - right.lead || left.row.key.compare(right.row.key));
  return led.map(({ row }) => row);
}
