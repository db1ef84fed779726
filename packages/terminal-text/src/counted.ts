/** Returns a number with its noun: `1 case`, `1,204 cases`. */
export function counted(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}

/** Returns names, only the first of them when there are more: `getBlock, getTx and 3 more`. */
export function listed(names: readonly string[], most: number): string {
  const left = names.length - most;
  return `${names.slice(0, most).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
