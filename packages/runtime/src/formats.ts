// Predicates for formats of strings: asserted only where a configuration enables it.
export { isDate, isDateTime, isDuration, isTime } from "./formats/date-time.ts";
export { isBase64, isBase64Url, isInt32Text, isInt64Text, isUint32Text, isUint64Text } from "./formats/encodings.ts";
export { isHostname, isIdnHostname } from "./formats/hostname.ts";
export { isIpv4, isIpv6 } from "./formats/ip-address.ts";
export { isJsonPointer, isRelativeJsonPointer } from "./formats/json-pointers.ts";
export { isEmail, isIdnEmail } from "./formats/mailbox.ts";
export { isRegex } from "./formats/regex.ts";
export { isIri, isIriReference, isUri, isUriReference } from "./formats/uri.ts";
export { isUriTemplate } from "./formats/uri-template.ts";
export { isUuid } from "./formats/uuid.ts";
