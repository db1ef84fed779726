/** The words of a name in any spelling, in small letters: of `bookedFrom` and `booked_from`, `booked` and `from`. */
export function nameWords(name: string): readonly string[] {
  return name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}
