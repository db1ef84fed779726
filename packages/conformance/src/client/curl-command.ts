import type { RecordedRequest } from "../contract/exchange.ts";

/** Headers that curl sets itself. */
const ownHeaders: ReadonlySet<string> = new Set(["accept-encoding", "content-length", "host", "connection"]);

/** Returns a shell command that sends a recorded request again, with keys as variables: `$API_KEY`. */
export function curlCommand({ method, url, headers, body }: RecordedRequest): string {
  const words = ["curl", "-sS", ...methodWords(method, body !== undefined)];
  for (const [name, value] of Object.entries(headers)) {
    if (!ownHeaders.has(name)) words.push("-H", quote(value === "" ? `${name};` : `${name}: ${value}`));
  }
  if (body !== undefined) words.push("--data-binary", quote(body.startsWith("@") ? ` ${body}` : body));
  return [...words, quote(url)].join(" ");
}

function methodWords(method: string, hasBody: boolean): readonly string[] {
  if (method === "HEAD") return ["--head"];
  if (method === (hasBody ? "POST" : "GET")) return [];
  return ["-X", method];
}

/** Quotes a string for a shell: in single quotes, with only variables in double quotes. */
function quote(text: string): string {
  if (text === "") return "''";
  return text
    .split(/(\$[A-Z][A-Z0-9_]{3,})/)
    .map((part, index) => {
      if (part === "") return "";
      return index % 2 === 1 ? `"${part}"` : `'${part.replaceAll("'", `'\\''`)}'`;
    })
    .join("");
}
