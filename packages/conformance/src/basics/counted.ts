/** `1 case`, `1,204 cases`. */
export function counted(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}
