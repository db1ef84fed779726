/** Returns the words of a name in any naming convention, in lower case: `booked` and `from` for `bookedFrom` and `booked_from`. */
export function nameWords(name: string): readonly string[] {
  return name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}
