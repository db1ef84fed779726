import { decodeAnywhere, type DecodedPart, decodeRepeatedly, lengthOfBeginning } from "./decoded-text.ts";

/** A string that must not be shown, and its placeholder. */
export interface Secret {
  readonly value: string;
  /** Shell variable, so that a curl command can be used: `$API_KEY`. */
  readonly placeholder: string;
}

/** Removes secrets from output. */
export interface SecretMask {
  /** Returns the string without secrets, in any encoding. */
  mask(text: string): string;
  /** Returns whether a string contains a secret of at least eight characters. */
  holdsSecret(text: string): boolean;
}

/** Minimum length of a secret that is detected and matched in any case: shorter strings occur in responses by chance. */
const minimumDetectedLength = 8;
/** Minimum length of a masked secret: shorter ones would make output unreadable. */
const minimumMaskedLength = 3;
/** Minimum length of a masked part of a secret at the edge of a cut string. */
const minimumPartLength = 6;
/** Minimum length of a secret in base64 that does not occur by chance. */
const minimumBase64Length = 8;

/**
 * Creates a mask that finds secrets in plain form, in hex and in base64, with any number and kind of percent-encodings and of escapes for
 * JSON or HTML, in upper or lower case, complete or cut off by a `…`.
 */
export function createSecretMask(secrets: readonly Secret[]): SecretMask {
  const unique = secrets.filter(({ value }, at) => secrets.findIndex((one) => one.value === value) === at);
  const known = unique
    .filter(({ value }) => value.length >= minimumMaskedLength)
    .toSorted((one, other) => other.value.length - one.value.length)
    .map(({ value, placeholder }) => ({ value, placeholder, forms: formsOf(value) }));
  const beginnings = new Set(
    known.flatMap(({ forms }) => forms.map(({ text }) => fold(text.slice(0, lengthOfBeginning)))),
  );
  const longest = Math.max(0, ...known.flatMap(({ forms }) => forms.map(({ text }) => text.length)));
  const levelsOf = (text: string): readonly Level[] =>
    decodeAnywhere(text, beginnings, longest).map((level) => ({ ...level, folded: fold(level.text) }));
  return {
    mask: (text) => {
      const levels = levelsOf(text);
      const places = known.flatMap(({ forms, placeholder }) =>
        levels.flatMap((level) =>
          forms.flatMap((form) => placesOf(form, level).map((place) => ({ ...place, placeholder }))),
        ),
      );
      return replacePlaces(text, places);
    },
    holdsSecret: (text) => {
      const levels = levelsOf(text);
      return known.some(
        ({ value, forms }) =>
          value.length >= minimumDetectedLength &&
          levels.some((level) => forms.some((form) => textFor(form, level).includes(form.text))),
      );
    },
  };
}

/** A form of a secret that is searched. */
interface Form {
  readonly text: string;
  /** Whether the form is in lower case, and matches any case. Base64 and short secrets are case-sensitive. */
  readonly isFolded: boolean;
}

/** A decoded string, and the same with ASCII letters in lower case. */
interface Level extends DecodedPart {
  readonly folded: string;
}

/** Converts ASCII letters to lower case: positions do not change. */
function fold(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function textFor({ isFolded }: Form, { text, folded }: Level): string {
  return isFolded ? folded : text;
}

/** Returns the forms of a secret in a decoded string; also without its last character, which a run sends as an invalid key. */
function formsOf(value: string): readonly Form[] {
  const values = value.length < minimumDetectedLength ? [value] : [value, value.slice(0, -1)];
  const isFolded = value.length >= minimumDetectedLength;
  const forms = values.flatMap((one) => [
    ...plainForms(one).map((text): Form => ({ text: isFolded ? fold(text) : text, isFolded })),
    ...base64Forms(Buffer.from(one)).map((text): Form => ({ text, isFolded: false })),
  ]);
  return [...new Map(forms.map((form) => [`${form.isFolded} ${form.text}`, form])).values()].filter(
    ({ text }) => text.length >= minimumMaskedLength,
  );
}

function plainForms(value: string): readonly string[] {
  return [
    value,
    // An escape within the secret itself is decoded as well when the rest of it is.
    decodeRepeatedly(value).at(-1)?.text ?? value,
    // Forms (WHATWG URL, section 5) write a space as a plus, and read a plus as a space.
    value.replaceAll(" ", "+"),
    value.replaceAll("+", " "),
    // CSV and SQL double a quotation mark.
    value.replaceAll('"', '""'),
    value.replaceAll("'", "''"),
    Buffer.from(value).toString("hex"),
    // UTF-8 that is read as ISO 8859-1, and a percent-encoding of ISO 8859-1.
    Buffer.from(value).toString("latin1"),
    value.replaceAll(/[\x80-\xff]/g, (character) => `%${character.charCodeAt(0).toString(16)}`),
  ];
}

function base64Forms(value: Buffer): readonly string[] {
  return [
    value.toString("base64").replaceAll("=", ""),
    value.toString("base64url"),
    ...[1, 2].map((before) => base64Within(value, before)).filter(({ length }) => length >= minimumBase64Length),
  ];
}

/**
 * Returns the part of a secret's base64 that is constant within a longer string with this number of preceding bytes (modulo 3): both edges
 * mix with other bytes.
 */
function base64Within(value: Buffer, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), value]);
  const whole = bytes.toString("base64").replaceAll("=", "");
  return whole.slice(before + 1, bytes.length % 3 === 0 ? undefined : -1);
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** An escape that a `…` cuts. */
const cutEscape = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&[#\w]{0,8})$/i;

/** Returns the source positions of a form, and of its parts next to a `…`, which marks shortened strings. */
function placesOf(form: Form, level: Level): readonly Place[] {
  const { starts, ends, at: base } = level;
  const text = textFor(form, level);
  const found: Place[] = [];
  const add = (start: number, length: number): void => {
    const last = start + length - 1;
    found.push({ start: base + (starts?.[start] ?? start), end: base + (ends?.[last] ?? last + 1) });
  };
  for (let at = text.indexOf(form.text); at !== -1; at = text.indexOf(form.text, at + 1)) add(at, form.text.length);
  for (let cut = text.indexOf("…"); cut !== -1; cut = text.indexOf("…", cut + 1)) {
    const partial = cutEscape.exec(text.slice(Math.max(0, cut - 10), cut))?.[0].length ?? 0;
    for (const end of new Set([cut, cut - partial])) {
      const before = lengthOfPart(form.text.length, (length) => text.endsWith(form.text.slice(0, length), end));
      if (before > 0) add(end - before, before);
    }
    const behind = lengthOfPart(form.text.length, (length) => text.startsWith(form.text.slice(-length), cut + 1));
    if (behind > 0) add(cut + 1, behind);
  }
  return found;
}

/** Returns the length of the longest matching part of a secret; 0 when none is long enough. */
function lengthOfPart(longest: number, stands: (length: number) => boolean): number {
  for (let length = longest - 1; length >= minimumPartLength; length -= 1) if (stands(length)) return length;
  return 0;
}

/** Replaces places; overlapping ones are merged. */
function replacePlaces(text: string, places: readonly (Place & { readonly placeholder: string })[]): string {
  let replaced = "";
  let end = 0;
  for (const place of places.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (place.start >= end) replaced += text.slice(end, place.start) + place.placeholder;
    end = Math.max(end, place.end);
  }
  return replaced + text.slice(end);
}
