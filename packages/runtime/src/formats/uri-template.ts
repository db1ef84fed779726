// RFC 6570, section 2.

const variable = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?::[1-9][0-9]{0,3}|\\*)?";
const expressionPattern = new RegExp(`^[+#./;?&=,!@|]?${variable}(?:,${variable})*$`);
/** Characters that are not allowed outside expressions (section 2.1). */
const notLiteral = /[\p{Cc} "'<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/u;

/** Returns whether text is like `/users/{id}{?fields*}`: RFC 6570. */
export function isUriTemplate(text: string): boolean {
  let end = 0;
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", end)) {
    const close = text.indexOf("}", start);
    if (close < 0 || notLiteral.test(text.slice(end, start))) return false;
    if (!expressionPattern.test(text.slice(start + 1, close))) return false;
    end = close + 1;
  }
  return !notLiteral.test(text.slice(end));
}
