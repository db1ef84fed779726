// RFC 5321, section 4.1.2, `Mailbox`; RFC 6531, section 3.3, for characters beyond ASCII.
import { isHostname, isIdnHostname } from "./hostname.ts";
import { isIpv4, isIpv6 } from "./ip-address.ts";

const dotString = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+(?:\.[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+)*$/;
const quotedString = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;
const internationalDotString =
  /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u{80}-\u{10ffff}]+(?:\.[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u{80}-\u{10ffff}]+)*$/u;
const internationalQuotedString = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e\u{80}-\u{10ffff}]|\\[\x20-\x7e])*"$/u;

/** Maximum octets of the part before the `@`: RFC 5321, section 4.5.3.1.1. */
const maximumLocalLength = 64;

/** Returns whether text is like `jane@example.com`: RFC 5321, section 4.1.2. */
export function isEmail(text: string): boolean {
  const [local, domain] = partsOf(text);
  return (
    local.length <= maximumLocalLength &&
    (dotString.test(local) || quotedString.test(local)) &&
    (isHostname(domain) || isAddressLiteral(domain))
  );
}

/** Returns the same with letters of any script on both sides: RFC 6531, section 3.3. */
export function isIdnEmail(text: string): boolean {
  const [local, domain] = partsOf(text);
  return (
    (internationalDotString.test(local) || internationalQuotedString.test(local)) &&
    (isIdnHostname(domain) || isAddressLiteral(domain))
  );
}

/** Splits an address. A domain contains no `@`, a quoted local part may. */
function partsOf(text: string): readonly [local: string, domain: string] {
  const at = text.lastIndexOf("@");
  return at < 0 ? ["", ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Returns whether a domain is like `[192.0.2.1]` or `[IPv6:2001:db8::1]`: RFC 5321, section 4.1.3. */
function isAddressLiteral(domain: string): boolean {
  if (!domain.startsWith("[") || !domain.endsWith("]")) return false;
  const address = domain.slice(1, -1);
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address);
}
