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

/** Shorter texts stand in answers by chance. */
const shortestToldSecret = 8;
/** Shorter ones would tear up everything. */
const shortestMaskedSecret = 3;
/** A part of a secret at an edge where a text was cut, from this length on. */
const shortestPart = 6;

/**
 * Creates a mask that knows secrets as they are, percent-encoded, in a form, in JSON, in HTML and in base64, alone and cut off by a
 * `…`.
 */
export function createSecretMask(secrets: readonly Secret[]): SecretMask {
  const forms = secrets
    .filter(({ value }) => value.length >= shortestMaskedSecret)
    .flatMap((secret) => formsOf(secret.value).map((form) => ({ form, secret })))
    .sort((one, other) => other.form.length - one.form.length);
  return {
    mask: (text) => {
      let masked = text;
      for (const { form, secret } of forms) masked = masked.replaceAll(form, () => secret.placeholder);
      for (const { form, secret } of forms) masked = maskParts(masked, form, secret.placeholder);
      return masked;
    },
    holdsSecret: (text) =>
      forms.some(({ form, secret }) => secret.value.length >= shortestToldSecret && text.includes(form)),
  };
}

function formsOf(value: string): readonly string[] {
  const percentEncoded = encodeURIComponent(value);
  const strictlyEncoded = percentEncoded.replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const base64 = Buffer.from(value).toString("base64");
  return [
    ...new Set([
      value,
      percentEncoded,
      strictlyEncoded,
      strictlyEncoded.replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()),
      strictlyEncoded.replaceAll("%20", "+"),
      new URLSearchParams([["", value]]).toString().slice(1),
      JSON.stringify(value).slice(1, -1),
      JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/"),
      value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
      Buffer.from(value).toString("hex"),
      base64,
      base64.replaceAll("=", ""),
      Buffer.from(value).toString("base64url"),
    ]),
  ];
}

/** Texts are shortened with `…`: what is left of a secret before or behind it goes too. */
function maskParts(text: string, form: string, placeholder: string): string {
  if (form.length <= shortestPart || !text.includes("…")) return text;
  const pieces = text.split("…");
  return pieces
    .map((piece, index) => {
      const withoutEnd = index < pieces.length - 1 ? withoutPrefixAtEnd(piece, form, placeholder) : piece;
      return index > 0 ? withoutSuffixAtStart(withoutEnd, form, placeholder) : withoutEnd;
    })
    .join("…");
}

function withoutPrefixAtEnd(piece: string, form: string, placeholder: string): string {
  for (let length = Math.min(form.length, piece.length); length >= shortestPart; length -= 1) {
    if (piece.endsWith(form.slice(0, length))) return `${piece.slice(0, -length)}${placeholder}`;
  }
  return piece;
}

function withoutSuffixAtStart(piece: string, form: string, placeholder: string): string {
  for (let length = Math.min(form.length, piece.length); length >= shortestPart; length -= 1) {
    if (piece.startsWith(form.slice(-length))) return `${placeholder}${piece.slice(length)}`;
  }
  return piece;
}
