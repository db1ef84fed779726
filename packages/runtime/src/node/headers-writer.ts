import type { HeaderFacts, ParameterFacts } from "../operations/operation.ts";
import { ownMember } from "../json/own-member.ts";
import { writeParameters } from "../wire/write-parameters.ts";

/**
 * Function that writes the headers of a response by lower-case name; undefined ones are omitted. Throws `RangeError` for a value that no
 * header can contain.
 */
export type HeadersWriter = (values: Readonly<Record<string, unknown>> | undefined) => Readonly<Record<string, string>>;

const none: Readonly<Record<string, string>> = {};

/** Creates the writer of a response's headers. Text, as in most of them, is written unchanged. */
export function createHeadersWriter(facts: readonly HeaderFacts[]): HeadersWriter {
  if (facts.length === 0) return () => none;
  return (values = {}) => {
    const headers: Record<string, string> = {};
    for (const header of facts) {
      const value = ownMember(values, header.property);
      if (typeof value === "string" && isHeaderText(value)) headers[header.name] = value;
      else if (value !== undefined) Object.assign(headers, writeParameters("", [parameterOf(header)], values).headers);
    }
    return headers;
  };
}

function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

function parameterOf(facts: HeaderFacts): ParameterFacts {
  return { ...facts, location: "header" };
}
