import type { HeaderFacts, ParameterFacts } from "../operation.ts";
import { ownMember } from "../own-member.ts";
import { writeParameters } from "../wire/write-parameters.ts";

/** Writes the headers of an answer by lower-case name; what is undefined is left out. Throws `RangeError` for what no header can hold. */
export type HeadersWriter = (values: Readonly<Record<string, unknown>> | undefined) => Readonly<Record<string, string>>;

const none: Readonly<Record<string, string>> = {};

/** Prepares the writing of an answer's headers. Text, which most of them are, is written as it stands. */
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
