/** A text of the document as a message shows it: what is long ends with an ellipsis. */
export function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

const longest = 60;
