/** Enough for what clients say of a transaction or a call. */
const mostCharacters = 500;

/** Addresses of nodes, as proxies and clients put them into errors: URLs, and hosts with a port. */
const hosts =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|(?:\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}|\[[0-9a-f:]+\]|\blocalhost):[0-9]{1,5}\b/gi;

/** What a node says in an error, as callers may see it: one line, no addresses of machines, not too long. */
export function publicNodeText(message: string): string {
  const [line = ""] = message
    .slice(0, 2 * mostCharacters)
    .trim()
    .split(/[\r\n]/, 1);
  const text = line.replaceAll(hosts, "(address)").trim();
  if (text === "") return "The node answered an error without a text";
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 1)}…`;
}
