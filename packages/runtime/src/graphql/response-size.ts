import { limitPassed } from "./document-limits.ts";

/**
 * Writes a response as JSON. Throws `ServiceError`, `invalid_input`, for one that is longer than `maximumBytes`; where it `mayBeLong`,
 * before the memory for its text is allocated: a single value in memory may be selected under hundreds of names. The check takes about half
 * as long as the writing.
 */
export function writeResponse(response: object, maximumBytes: number, mayBeLong: boolean): string {
  if (mayBeLong && maximumBytes < Number.POSITIVE_INFINITY) {
    const length = lengthAtLeast(response, maximumBytes);
    if (length > maximumBytes) throw responseTooLong(maximumBytes, length);
  }
  const text = JSON.stringify(response);
  // Few responses are near the limit: every character is examined only in those.
  if (text.length * 3 > maximumBytes) {
    const bytes = Buffer.byteLength(text);
    if (bytes > maximumBytes) throw responseTooLong(maximumBytes, bytes);
  }
  return text;
}

function responseTooLong(maximum: number, actual: number) {
  const message = `The response is longer than ${maximum} bytes, the limit; request less at once`;
  return limitPassed("responseBytes", maximum, actual, message);
}

/** Minimum length around a value: a comma, or the quotes and the comma. */
const perValue = 1;
const perText = 3;

/** Returns a lower bound of the JSON's length; characters to be escaped count once. Ends once it is beyond `enough`. */
function lengthAtLeast(value: unknown, enough: number): number {
  if (typeof value === "string") return value.length + perText;
  if (typeof value !== "object" || value === null) return perValue;
  // One for the brackets, because no comma follows the last.
  let length = 1;
  if (Array.isArray(value)) {
    for (const element of value) {
      length += lengthAtLeast(element, enough - length);
      if (length > enough) return length;
    }
    return length;
  }
  for (const name in value) {
    length +=
      name.length + perText + lengthAtLeast((value as Readonly<Record<string, unknown>>)[name], enough - length);
    if (length > enough) return length;
  }
  return length;
}
