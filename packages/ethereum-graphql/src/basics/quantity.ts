/** Returns 0x-prefixed hexadecimal without leading zeros. */
export function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
