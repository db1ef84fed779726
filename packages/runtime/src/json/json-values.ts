import { endOfJsonString } from "./json-depth.ts";

/**
 * Returns the approximate number of values in the lists and objects of a JSON text: one for each of its commas, lists and objects. Text
 * that is not JSON has an arbitrary count.
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
