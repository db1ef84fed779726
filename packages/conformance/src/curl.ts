import type { RecordedExchange } from "./report.ts";

/** A shell command that sends a recorded request again; the key is taken from the variable `API_KEY`. */
export function curlCommand({ method, url, headers, body }: RecordedExchange): string {
  const words = ["curl", "-sS", ...(method === "GET" ? [] : ["-X", method])];
  for (const [name, value] of Object.entries(headers)) words.push("-H", quote(`${name}: ${value}`));
  if (body !== undefined) words.push("--data-binary", quote(body));
  return [...words, quote(url)].join(" ");
}

/** Single quotes keep everything; the key's variable alone stands in double ones. */
function quote(text: string): string {
  if (text === "") return "''";
  return text
    .split("$API_KEY")
    .map((part) => (part === "" ? "" : `'${part.replaceAll("'", `'\\''`)}'`))
    .join('"$API_KEY"');
}
