import { credentialHeaders } from "../client/credentials.ts";
import type { ReceivedResponse, SendOptions } from "../contract/exchange.ts";
import { type Finding, finding } from "../contract/finding.ts";
import type { CaseDraft, CasePlay } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import type { Session } from "../session/session.ts";
import type { Place } from "../suite/suite-type.ts";
import { propertyRules } from "./property-rules.ts";

/** Outcome of a call without the right key. */
interface KeyOutcome {
  readonly response: ReceivedResponse;
  /** Whether the response has a result. */
  readonly hasResult: boolean;
  /** Findings about the response itself. */
  readonly findings: readonly Finding[];
}

/** A call that has a result with the key of the run. */
export interface KeyedCall {
  readonly session: Pick<Session, "options" | "random">;
  /** Whether the description declares that the call needs a key. */
  readonly isDescribed: boolean;
  /** Whether there is a registered authentication scheme for this type of key, which a challenge would name. */
  readonly hasScheme: boolean;
  readonly place?: Place | undefined;
  call(play: CasePlay, key: NonNullable<SendOptions["key"]>): Promise<KeyOutcome>;
}

type Way = readonly [name: string, key: NonNullable<SendOptions["key"]>];

/**
 * Returns ways to call without the right key: with none, with an unrelated one, and with one that differs only in its last character. Wrong
 * passwords and other credentials are random and share no part with the right ones, so that no report shows a part of these.
 */
function waysOf({ options, random }: KeyedCall["session"]): readonly Way[] {
  const { apiKey } = options;
  if (apiKey === undefined) {
    const isGiven = Object.keys(credentialHeaders(options)).length > 0;
    const source = random.fork("wrong credentials");
    const other = Array.from({ length: otherLength }, () => source.pick([...letters])).join("");
    return isGiven
      ? [
          ["no-key", "none"],
          ["wrong-key", { value: other }],
        ]
      : [];
  }
  const almostRight = `${apiKey.slice(0, -1)}${apiKey.endsWith("a") ? "b" : "a"}`;
  return [
    ["no-key", "none"],
    ["wrong-key", { value: "not-a-key" }],
    ["almost-right-key", { value: almostRight }],
  ];
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
const otherLength = 16;

/** Plans calls without the right key, which must not have a result. */
export function planKeyCases(keyed: KeyedCall): readonly CaseDraft[] {
  const { isDescribed, call } = keyed;
  const ways = waysOf(keyed.session);
  // A target that needs no key need not check one.
  let needsKey = isDescribed;
  return ways.map(([name, key]) => ({
    group: "key",
    name,
    rule: isDescribed || key !== "none" ? propertyRules.key : propertyRules.keyGiven,
    expected: "status 401 with WWW-Authenticate, and no result",
    play: async (play) => {
      const outcome = await call(play, key);
      const isNeeded = needsKey;
      if (key === "none") needsKey ||= !outcome.hasResult;
      return keyFindings(keyed, outcome, name.replaceAll("-", " "), isNeeded);
    },
  }));
}

function keyFindings(
  { hasScheme, place }: KeyedCall,
  { response: { status, headers }, hasResult, findings }: KeyOutcome,
  what: string,
  isNeeded: boolean,
): readonly Finding[] {
  const found = (rule: Rule, message: string): Finding => finding(rule, message, `status ${status}`, { place });
  if (hasResult)
    return [found(isNeeded ? propertyRules.key : propertyRules.keyGiven, `a call with ${what} has a result`)];
  if (status >= 500 && findings.length > 0) return findings;
  if (status !== 401 && status !== 403)
    return [
      ...findings,
      found(propertyRules.keyStatus, `a call with ${what} is refused with another status than 401 and 403`),
    ];
  if (status === 403 || headers.has("www-authenticate")) return findings;
  const rule = hasScheme ? propertyRules.challenge : propertyRules.challengeOfKey;
  return [...findings, found(rule, "the 401 has no WWW-Authenticate")];
}
