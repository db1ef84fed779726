import { readText } from "../basics/read-text.ts";
import type { RunOptions } from "../contract/options.ts";
import { readBaseUrl } from "../client/base-url.ts";
import { keyPlaceholder, secretsOf } from "../client/credentials.ts";
import type { Secret } from "@nodewright/secret-mask";
import type { ConformArguments } from "./conform-arguments.ts";
import { suggestion, UsageError } from "@nodewright/terminal-text";

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Access of a run to its target, and its secrets. */
export interface Access {
  readonly options: Pick<RunOptions, "baseUrl" | "apiKey" | "headers" | "basic" | "against">;
  /** URL of another interface, with the key inserted. */
  readonly acrossUrl?: string | undefined;
  readonly secrets: readonly Secret[];
}

/** Placeholders of the key in a URL: written by hand, or copied from a report. */
const keyParameter = /\{key\}|%7Bkey%7D|\$API_KEY/gi;

/**
 * Assembles the URL, the key and the headers of a run.
 *
 * @throws {UsageError} for an invalid URL or header, and a key that can't be read.
 */
export function readAccess(given: ConformArguments, environment: Environment): Access {
  const key = readKey(given, environment);
  const baseUrl = readTarget(given.url, key);
  const against = given.against === undefined ? undefined : readTarget(given.against, key);
  const acrossUrl = given.across === undefined ? undefined : readTarget(given.across.url, key);
  const headers = (given.header ?? []).map((header) => readHeader(header, environment));
  const basic = readBasic(given, environment);
  // A key in the URL is not sent a second time.
  const isKeyInAddress = given.url.search(keyParameter) !== -1;
  const options = {
    baseUrl,
    apiKey: isKeyInAddress ? undefined : key,
    headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
    basic,
    against,
  };
  const parts = [baseUrl, against, acrossUrl].flatMap((url) => (url === undefined ? [] : (readBaseUrl(url) ?? [])));
  return {
    options,
    acrossUrl,
    secrets: [
      ...(key === undefined ? [] : [{ value: key, placeholder: keyPlaceholder }]),
      ...parts.flatMap((part) => secretsOf(options, part)),
    ],
  };
}

function readTarget(text: string, key: string | undefined): string {
  if (key === undefined && text.search(keyParameter) !== -1)
    throw new UsageError(
      "The URL contains {key}, and no key is given: give it by NODEWRIGHT_API_KEY, --key-file or --key.",
    );
  const filled = text.replaceAll(keyParameter, () => encodeURIComponent(key ?? ""));
  const url = URL.parse(filled);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new UsageError(
      `"${withoutCredentials(text)}" is not a target's URL: the form is https://host/path.${schemeHint(text)}`,
    );
  if (url.hash !== "")
    throw new UsageError('The URL has a fragment, which is never sent to a server: omit the part after "#".');
  if (filled.includes("$URL_KEY"))
    throw new UsageError("$URL_KEY in a report replaces a secret part of the URL: give the complete URL.");
  return filled;
}

function readKey({ key, keyFile }: ConformArguments, environment: Environment): string | undefined {
  const text = keyFile === undefined ? (key ?? environment["NODEWRIGHT_API_KEY"]) : readKeyFile(keyFile);
  if (text === undefined || text === "") return undefined;
  if (/[^\x21-\x7e]/.test(text))
    throw new UsageError(
      "The key holds white space or a character that no key has: it would not get through a header.",
    );
  return text;
}

function readKeyFile(file: string): string {
  const text = readText(file === "-" ? 0 : file, `The key's file ${file} can't be read.`).trim();
  if (text === "") throw new UsageError(`The key's file ${file} is empty.`);
  return text;
}

function readBasic({ basic, url }: ConformArguments, environment: Environment): RunOptions["basic"] {
  const text = basic ?? environment["NODEWRIGHT_BASIC"];
  if (text === undefined || text === "") return undefined;
  if (readBaseUrl(url)?.basic !== undefined)
    throw new UsageError(
      "The URL holds a user and a password and so does --basic or NODEWRIGHT_BASIC: leave one of them out.",
    );
  const colon = text.indexOf(":");
  if (colon <= 0) throw new UsageError("--basic needs the user and the password with a colon between: USER:PASSWORD.");
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function readHeader(text: string, environment: Environment): readonly [name: string, value: string] {
  const [, name = "", written = ""] = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*(.*?)[ \t]*$/.exec(text) ?? [];
  if (name === "")
    throw new UsageError("--header needs a name and a value with a colon between: --header 'NAME: VALUE'.");
  const variable = /^\$([A-Za-z_]\w*)$/.exec(written)?.[1];
  const value = variable === undefined ? written : environment[variable];
  if (value === undefined)
    throw new UsageError(
      `--header ${name} takes its value from $${variable}, which is not set${suggestion(variable ?? "", Object.keys(environment))}.`,
    );
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new UsageError(`--header ${name} holds a character that no header can have.`);
  return [name.toLowerCase(), value];
}

function withoutCredentials(text: string): string {
  return text
    .replace(/\/\/[^/@]*@/, "//…@")
    .replace(/[?#].*$/s, "")
    .slice(0, 100);
}

function schemeHint(text: string): string {
  const host = /^([\w.-]+(?::\d+)?)(?:\/|$)/.exec(text)?.[1];
  return host === undefined ? "" : ` Did you mean http://${host}?`;
}
