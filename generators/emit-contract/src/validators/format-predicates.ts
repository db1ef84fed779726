/** Format → function of `@nodewright/runtime/formats` that checks it. */
export const formatPredicates: ReadonlyMap<string, string> = new Map([
  ["date-time", "isDateTime"],
  ["date", "isDate"],
  ["time", "isTime"],
  ["duration", "isDuration"],
  ["email", "isEmail"],
  ["idn-email", "isIdnEmail"],
  ["hostname", "isHostname"],
  ["idn-hostname", "isIdnHostname"],
  ["ipv4", "isIpv4"],
  ["ipv6", "isIpv6"],
  ["uri", "isUri"],
  ["uri-reference", "isUriReference"],
  ["iri", "isIri"],
  ["iri-reference", "isIriReference"],
  ["uri-template", "isUriTemplate"],
  ["uuid", "isUuid"],
  ["json-pointer", "isJsonPointer"],
  ["relative-json-pointer", "isRelativeJsonPointer"],
  ["regex", "isRegex"],
  ["byte", "isBase64"],
  ["base64", "isBase64"],
  ["base64url", "isBase64Url"],
  ["int32", "isInt32Text"],
  ["int64", "isInt64Text"],
  ["uint32", "isUint32Text"],
  ["uint64", "isUint64Text"],
]);

/** Placeholder among asserted formats for patterns that a backtracking engine must not match; no format has a name with a space. */
export const linearPatterns = "linear pattern";
