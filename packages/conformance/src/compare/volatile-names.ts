import { walkType } from "@nodewright/api-model";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** Names of members that change while the object stays the same, without separators and in lower case. */
const volatileName = new RegExp(
  `^(?:${[
    "confirmations?",
    "(?:num|number(?:of)?)?confirmations",
    "depth",
    "next.*hash",
    "next(?:block|header)",
    "(?:last|latest|best|tip|head|current)(?:seen|block|height|update|updated|updatedat|modified|access(?:ed)?|ping|blockhash|hash|time)",
    "(?:up|down)time",
    "(?:.*)?(?:updated|modified|accessed|refreshed|fetched|cached|generated|served|retrieved)(?:at|on|time)",
    "age",
    "ttl",
    "now",
    "(?:server|current|response|request|system|local)(?:time|timestamp|date)",
    "(?:request|trace|correlation|span|session|response)id",
    "(?:expires|expiry|expiration)(?:in|at)?",
    "took|tookms|elapsed(?:ms)?|latency(?:ms)?|durationms|querytime|responsetimems",
    "etag",
  ].join("|")})$`,
);

/** Returns a name without separators and in lower case, for comparison: `last_seen`, `last-seen` and `lastSeen` are equal. */
export function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** Whether a member is volatile, by its name. */
export function isVolatileName(name: string): boolean {
  return volatileName.test(plainName(name));
}

/** Names of times, and of counts that change. */
const movingName =
  /(?:count|total|height|tip|balance|supply|available|remaining|views|hits|visits|likes|difficulty|hashrate|load|usage|used|free|pending|queue|mempool|peers|connections|inventory|stock|time|timestamp|seconds|uptime|seq|sequence|unconfirmed|blocks|headers)$|(?:At|_at|date|Date)$/;

/** Whether a name is that of a time, or of a count that changes. */
export function isMovingName(name: string): boolean {
  return movingName.test(plainName(name)) || movingName.test(name) || isVolatileName(name);
}

const marked = new WeakMap<SuiteTypes, boolean>();

/** Whether the description itself marks volatile members: then their names are not considered. */
export function marksVolatileMembers(types: SuiteTypes): boolean {
  const found = marked.get(types) ?? Object.values(types).some(hasMark);
  marked.set(types, found);
  return found;
}

function hasMark(type: SuiteType): boolean {
  const parts = [...walkType(type)];
  return parts.some((part) => part.kind === "record" && part.members.some(({ isVolatile }) => isVolatile === true));
}
