/** Returns a string of the document for a message; a long one is truncated with an ellipsis. */
export function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

const longest = 60;
