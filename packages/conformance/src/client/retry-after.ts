/**
 * Milliseconds that an answer asks to wait: seconds or an HTTP date (RFC 9110, section 10.2.3); 0 for a date that has passed.
 * `undefined` when it does not say, or not so that it can be read.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
