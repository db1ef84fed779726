import { type DecodedText, decodeRepeatedly } from "./decoded-text.ts";

/** A text that nothing may show, and what stands in its place. */
export interface Secret {
  readonly value: string;
  /** A shell variable, so that a curl line can be used: `$API_KEY`. */
  readonly placeholder: string;
}

/** Keeps secrets out of what is shown. */
export interface SecretMask {
  /** The text without secrets, in whatever way they are written. */
  mask(text: string): string;
  /** True when a secret of at least eight characters stands in the text. */
  holdsSecret(text: string): boolean;
}

/** Shorter texts stand in responses by chance. */
const shortestToldSecret = 8;
/** Shorter ones would tear up everything. */
const shortestMaskedSecret = 3;
/** A part of a secret at an edge where a text was cut, from this length on. */
const shortestPart = 6;
/** In base64, a text of this length is not there by chance. */
const shortestBase64 = 8;

/**
 * Creates a mask that knows secrets as they are, in hex and in base64, however often and in whatever way they are percent-encoded or escaped
 * for JSON or HTML, alone and cut off by a `…`.
 */
export function createSecretMask(secrets: readonly Secret[]): SecretMask {
  const known = secrets
    .filter(({ value }) => value.length >= shortestMaskedSecret)
    .toSorted((one, other) => other.value.length - one.value.length)
    .map(({ value, placeholder }) => ({ value, placeholder, forms: formsOf(value) }));
  return {
    mask: (text) => {
      const levels = decodeRepeatedly(text);
      const places = known.flatMap(({ forms, placeholder }) =>
        levels.flatMap((level) =>
          forms.flatMap((form) => placesOf(form, level).map((place) => ({ ...place, placeholder }))),
        ),
      );
      return replacePlaces(text, places);
    },
    holdsSecret: (text) => {
      const levels = decodeRepeatedly(text);
      return known.some(
        ({ value, forms }) =>
          value.length >= shortestToldSecret && levels.some((level) => forms.some((form) => level.text.includes(form))),
      );
    },
  };
}

/** How a secret may stand in a text without escapes. */
function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const base64 = bytes.toString("base64").replaceAll("=", "");
  const forms = [
    value,
    // What looks like an escape in the secret itself is decoded as well when the rest of it is.
    decodeRepeatedly(value).at(-1)?.text ?? value,
    value.replaceAll(" ", "+"),
    bytes.toString("hex"),
    base64,
    bytes.toString("base64url"),
    ...[1, 2].map((before) => base64Within(bytes, before)).filter(({ length }) => length >= shortestBase64),
  ];
  return [...new Set(forms)].filter(({ length }) => length >= shortestMaskedSecret);
}

/** What stays of a secret in the base64 of a longer text that has so many bytes (modulo 3) in front: both edges mix with other bytes. */
function base64Within(value: Buffer, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), value]);
  const whole = bytes.toString("base64").replaceAll("=", "");
  return whole.slice(before + 1, bytes.length % 3 === 0 ? undefined : -1);
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Where in the source a form stands, and what is left of it before or behind a `…`: texts are shortened with it. */
function placesOf(form: string, { text, starts, ends }: DecodedText): readonly Place[] {
  const found: Place[] = [];
  const add = (start: number, length: number): void => {
    const last = start + length - 1;
    found.push({ start: starts?.[start] ?? start, end: ends?.[last] ?? last + 1 });
  };
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) add(at, form.length);
  for (let cut = text.indexOf("…"); cut !== -1; cut = text.indexOf("…", cut + 1)) {
    const before = lengthOfPart(form.length, (length) => text.endsWith(form.slice(0, length), cut));
    if (before > 0) add(cut - before, before);
    const behind = lengthOfPart(form.length, (length) => text.startsWith(form.slice(-length), cut + 1));
    if (behind > 0) add(cut + 1, behind);
  }
  return found;
}

/** Length of the longest part of a secret that stands there; 0 when none does that is long enough. */
function lengthOfPart(longest: number, stands: (length: number) => boolean): number {
  for (let length = longest - 1; length >= shortestPart; length -= 1) if (stands(length)) return length;
  return 0;
}

/** Replaces places; those that overlap are one. */
function replacePlaces(text: string, places: readonly (Place & { readonly placeholder: string })[]): string {
  let replaced = "";
  let end = 0;
  for (const place of places.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (place.start >= end) replaced += text.slice(end, place.start) + place.placeholder;
    end = Math.max(end, place.end);
  }
  return replaced + text.slice(end);
}
