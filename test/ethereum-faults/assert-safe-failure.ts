import { expect } from "vitest";
import type { GraphqlReply } from "./served-service.ts";

/** What nobody may see of a node: addresses, credentials, stacks, and words of our own programs. */
export const secrets: RegExp =
  /127\.0\.0\.1|10\.0\.0\.7|localhost|secret|goroutine|\.js:|\.ts:|node_modules|Internal error|undefined|\[object/i;

/**
 * Holds the answer of a service whose node is faulty against what it would be: the same, or a failure of the node that says so, with
 * nothing in it that would not be there otherwise. Gives what it is, in a word.
 */
export function assertSafeFailure(
  { status, data, errors, text }: GraphqlReply,
  healthy: unknown,
  what: string,
): string {
  if (status === 200) {
    expect(errors, what).toEqual([]);
    expect(data, what).toEqual(healthy);
    return "right";
  }
  expect(text, what).not.toMatch(secrets);
  expect([400, 503, 504], `${what}: ${text}`).toContain(status);
  const codes = new Set(errors.map(({ extensions: { code } }) => code));
  for (const code of codes) expect(["UPSTREAM_UNAVAILABLE", "UPSTREAM_TIMEOUT"], `${what}: ${text}`).toContain(code);
  expect(errors.length, what).toBeGreaterThan(0);
  if (data !== undefined && data !== null)
    assertPartOf(
      data,
      healthy,
      errors.map(({ path = [] }) => path.join(".")),
      "",
      what,
    );
  return `${status} ${[...codes].join(" and ")}`;
}

/** Whatever is there is right, and what is not there is where an error says so. */
function assertPartOf(part: unknown, whole: unknown, failed: readonly string[], path: string, what: string): void {
  if (part === null && whole !== null) {
    const isReported = failed.some((other) => other === path || other.startsWith(path === "" ? path : `${path}.`));
    expect(isReported, `${what}: null at ${path} without an error`).toBe(true);
    return;
  }
  if (typeof part !== "object" || part === null || typeof whole !== "object" || whole === null) {
    expect(part, `${what}: ${path}`).toEqual(whole);
    return;
  }
  expect(Object.keys(part), `${what}: ${path}`).toEqual(Object.keys(whole));
  for (const [name, member] of Object.entries(part)) {
    const below = path === "" ? name : `${path}.${name}`;
    assertPartOf(member, (whole as Readonly<Record<string, unknown>>)[name], failed, below, what);
  }
}
