import { endOfJsonString } from "./json-depth.ts";

/**
 * How many values the lists and objects of a JSON text have, about: one for each of its commas, lists and objects. Text that is no
 * JSON is counted somehow.
 */
export function countJsonValues(text: string): number {
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfJsonString(text, index);
    else if (character === "," || character === "[" || character === "{") values += 1;
  }
  return values;
}
