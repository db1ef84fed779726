import { createSecretFilter } from "@nodewright/secret-mask";

/** Minimum length of a secret: a shorter password protects nothing, and occurs in any text. */
const minimumSecretLength = 4;
/** Length of path segments and host labels that look like keys. Names, such as `ethereum` and `mainnet`, are shorter. */
const keyLength = 16;
/** Length from which a segment with a digit in it looks like a key. */
const minimumKeyLength = 8;

/** Number of latest secrets kept for each source: a node can still quote a cookie that it has replaced, but no older ones. */
const latestSecrets = 8;

/** Secrets of the nodes of this process, by where they are configured. */
const secretsBySource = new Map<string, readonly string[]>();
let filter: ((text: string) => string) | undefined;

/** Registers secrets that are removed from now on from all texts of nodes: a node may quote those of another one, as a proxy does. */
export function learnNodeSecrets(source: string, secrets: readonly string[]): void {
  const known = secretsBySource.get(source) ?? [];
  const unknown = secrets.filter((secret) => secret.length >= minimumSecretLength && !known.includes(secret));
  if (unknown.length === 0) return;
  secretsBySource.set(source, [...known, ...unknown].slice(-Math.max(latestSecrets, unknown.length)));
  filter = undefined;
}

export function hideNodeSecrets(text: string): string {
  filter ??= createSecretFilter([...new Set([...secretsBySource.values()].flat())], "(credentials)");
  return filter(text);
}

/**
 * Returns the possible secrets in a node's URL: credentials, values of the query, and segments of the path or the host that look like a
 * key.
 */
export function secretsOfUrl(url: URL): readonly string[] {
  const user = decodePercent(url.username);
  const password = decodePercent(url.password);
  const names = [...url.pathname.split("/"), ...url.hostname.split(".")].map(decodePercent);
  const values = url.search.split(/[?&]/).map((parameter) => decodePercent(parameter.replace(/^[^=]*=/, "")));
  return [...(password === "" ? [] : secretsOfPassword(user, password)), ...names.filter(isKeyLike), ...values];
}

/** Returns the secrets of a user and password. A user name alone is not a secret. */
export function secretsOfPassword(user: string, password: string): readonly string[] {
  return [`${user}:${password}`, password];
}

function isKeyLike(name: string): boolean {
  return name.length >= keyLength || (name.length >= minimumKeyLength && /\d/.test(name));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
