import { createSecretFilter } from "./secret-filter.ts";

/** A shorter password protects nothing, and is a part of any text. */
const shortestSecret = 4;
/** Segments of paths and labels of hosts that are as long as keys. Names, such as `ethereum` and `mainnet`, are shorter. */
const keyLength = 16;
/** With a digit among them. */
const shortestKeyLength = 8;

/** Of each source: a cookie that a node has replaced can still be quoted in its texts, those before it no more. */
const latestSecrets = 8;

/** What opens the nodes of this process, by where it is configured. */
const secretsBySource = new Map<string, readonly string[]>();
let filter: ((text: string) => string) | undefined;

/** Hides secrets from now on in all texts of nodes: a node may quote those of another one, as a proxy does. */
export function learnNodeSecrets(source: string, secrets: readonly string[]): void {
  const known = secretsBySource.get(source) ?? [];
  const unknown = secrets.filter((secret) => secret.length >= shortestSecret && !known.includes(secret));
  if (unknown.length === 0) return;
  secretsBySource.set(source, [...known, ...unknown].slice(-Math.max(latestSecrets, unknown.length)));
  filter = undefined;
}

export function hideNodeSecrets(text: string): string {
  filter ??= createSecretFilter([...new Set([...secretsBySource.values()].flat())], "(credentials)");
  return filter(text);
}

/** Lists what may open a node in its URL: credentials, values of the query, and what looks like a key in the path or the host. */
export function secretsOfUrl(url: URL): readonly string[] {
  const user = decodePercent(url.username);
  const password = decodePercent(url.password);
  const names = [...url.pathname.split("/"), ...url.hostname.split(".")].map(decodePercent);
  const values = url.search.split(/[?&]/).map((parameter) => decodePercent(parameter.replace(/^[^=]*=/, "")));
  return [...(password === "" ? [] : secretsOfPassword(user, password)), ...names.filter(isKeyLike), ...values];
}

/** A user's name alone is no secret. */
export function secretsOfPassword(user: string, password: string): readonly string[] {
  return [`${user}:${password}`, password];
}

function isKeyLike(name: string): boolean {
  return name.length >= keyLength || (name.length >= shortestKeyLength && /\d/.test(name));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
