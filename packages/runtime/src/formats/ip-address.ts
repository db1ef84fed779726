const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4Pattern = new RegExp(`^${octet}(?:\\.${octet}){3}$`);
const groupPattern = /^[0-9A-Fa-f]{1,4}$/;

/** Length of the longest spelling: six groups of four digits, then an IPv4 address. */
const maximumIpv6Length = 45;

/** Returns whether text is like `192.0.2.1`: RFC 2673, section 3.2, `dotted-quad`. */
export function isIpv4(text: string): boolean {
  return ipv4Pattern.test(text);
}

/** Returns whether text is like `2001:db8::1`: RFC 4291, section 2.2, without zone and prefix length. */
export function isIpv6(text: string): boolean {
  if (text.length > maximumIpv6Length) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const [head = "", tail] = halves;
  const count = groupsIn(head, tail === undefined) + (tail === undefined ? 0 : groupsIn(tail, true));
  // `::` stands for at least one group.
  return tail === undefined ? count === 8 : count <= 7;
}

/** Returns the number of 16-bit groups in a part of an address, an IPv4 address at its end being two; infinite when it is invalid. */
function groupsIn(part: string, isLast: boolean): number {
  if (part === "") return 0;
  const groups = part.split(":");
  const last = groups.at(-1) ?? "";
  const hasIpv4 = isLast && last.includes(".");
  const plain = hasIpv4 ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => groupPattern.test(group))) return Number.POSITIVE_INFINITY;
  if (hasIpv4 && !isIpv4(last)) return Number.POSITIVE_INFINITY;
  return plain.length + (hasIpv4 ? 2 : 0);
}
