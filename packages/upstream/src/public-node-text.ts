import { hideNodeSecrets } from "./node-secrets.ts";

/**
 * Maximum length of a message that clients see, in UTF-16 units: the reasons of btcd for a rejected transaction quote scripts, in 600 and
 * more.
 */
const maximumTextLength = 1_024;
/** Length beyond which a message is not examined: a node may send megabytes. */
const maximumExaminedLength = 4 * maximumTextLength;

const noText = "The node gave no reason";

/** Pattern of the beginning of a stack trace: lines of JavaScript, Java, Python, Go and Rust, or frames that were joined into one line. */
const stackStart = new RegExp(
  [
    String.raw`[\r\n][^\S\r\n]*at\s`,
    String.raw`[\r\n][^\S\r\n]*(?:Traceback \(|File ["']|goroutine \d+ \[|stack (?:backtrace|trace):)`,
    String.raw`(?:^|\s)at (?:async |new )?[\w$.<>[\]/@~-]+(?: \[as [\w$.]+\])? ?\((?:[^()\s]*(?:[/\\]|:\d)[^()]*|native|<?anonymous>?|Unknown Source|\.\.\.|…)\)`,
    String.raw`(?:^|\s)at (?:[a-z]+:)?/\S*:\d+:\d+`,
  ].join("|"),
  "i",
);

const invisible = /\p{Cf}/gu;
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu;

const address = "(address)";
const path = "(path)";
const credentials = "(credentials)";

/** Patterns of what reveals where a node is, where it stores its files, or its credentials. The first of two that match counts. */
const replacements: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----(?:(?!-----).)*(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?/g, credentials],
  [/(?<!\d)(["'`])(?:~?\/|[a-z]:[\\/]|\\\\)[^"'`]*\1/gi, `$1${path}$1`],
  // Also directly after a digit or a letter that is no part of it.
  [/[a-z][a-z0-9+.-]{0,20}:\/\/\S*/gi, address],
  [/(?<!\S)[^\s:@]*:[^\s@]*@\S+/g, address],
  [/\bauthorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer)\s+)?\S+/gi, credentials],
  [/\b(?:basic|bearer)\s+(?=\S*[\d=])[\w+/=.~-]{8,}/gi, credentials],
  // Only a password's name needs no further condition: words such as "token" and "secret" stand before a colon in prose, too.
  [/(?:\b(?:pass|pwd)|[\w-]{0,32}(?:passw(?:or)?d|passphrase))["']?\s*[:=]\s*(?:"[^"]*"|'[^']*'|\S+)/gi, credentials],
  // Other words may follow a password's name: they are neither quoted nor contain a digit.
  [/\b(?:pwd|passw(?:or)?d)(?: is)? (?:"[^"]*"|'[^']*'|(?=[^\s\d]*\d)\S{4,})/gi, credentials],
  [/\bsecret(?:[-_]?key)?["']?: ?(?:"[^"]*"|'[^']*'|[^\s"']{6,})/gi, credentials],
  // Headers that gateways quote, and JSON Web Tokens (RFC 7519) wherever they occur.
  [/[\w-]{0,32}(?:api[-_]?key|(?:auth|access)[-_]token)["']?\s*:\s*(?:"[^"]*"|'[^']*'|\S+)/gi, credentials],
  [/\b(?:set-)?cookie:\s*[^\s=;]{1,64}=\S+/gi, credentials],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, credentials],
  [/[\w-]{0,32}(?:api[-_]?key|token|secret|cookie)["']?=\S+|__cookie__:\S+/gi, credentials],
  // Private keys: the wallet import format of mainnet and test networks, and BIP 32 with SLIP 132.
  [
    /\b(?:[59][1-9A-HJ-NP-Za-km-z]{50}|[KLc][1-9A-HJ-NP-Za-km-z]{51}|[t-vx-z]prv[1-9A-HJ-NP-Za-km-z]{50,120})\b/g,
    credentials,
  ],
  // Host names without a URL, where programs print them.
  [
    /\b(tcp[46]?|udp[46]?|ECONN[A-Z]+|ENOTFOUND|EAI_[A-Z]+|ETIMEDOUT|EHOSTUNREACH) [^\s(][^\s,;)]*?(?=:?(?:[\s,;)]|$))/g,
    `$1 ${address}`,
  ],
  // Names with spaces before the last backslash are Windows paths. So is what begins with a backslash, a dot, a tilde or a variable.
  [
    /\b[a-z]:\\(?:[^\\"':]{0,255}\\)*[^\s"':]*|\\\\[\w.$?-]+\\[^\s"']*|(?<![\w\\.~%])(?:\.{1,2}|~|%\w{1,64}%)\\[^\s"':]*/gi,
    path,
  ],
  [/\b[a-z]:(?:\/[^\s/"'`:;,()<>[\]{}|=?&]+)+/gi, path],
  // At least two names or one that is known, so that `P2SH/btcd`, `BTC/kvB` and `m/44'/0'/0/0` do not match.
  [
    /(?<![\w/)\]<}]|\d')(?:(?:~|\.{1,2})(?=\/)(?:\/[^\s/"'`:;,()<>[\]{}|=?&]+)+|(?:\/[^\s/"'`:;,()<>[\]{}|=?&]+){2,}|\/(?:home|root|etc|var|srv|opt|usr|tmp|mnt|data|dev|run|app|Users)\b|\/[\w-]+\.\w+)\/?(?::\d+){0,2}/g,
    path,
  ],
  [/\[(?=[\da-f.]{0,15}:[\da-f.]{0,15}:)[\da-f:.]+(?:%\w+)?\](?::\d{1,5})?/gi, address],
  [/(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)(?::\d{1,5})?/g, address],
  [/(?<![\w.-])localhost(?::\d{1,5})?(?![\w-])/gi, address],
  [/(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.[a-z][\w-]*:\d{2,5}\b/gi, address],
  [/(?<![\w:.])(?:(?=[\da-f:]*::)[\da-f:]{3,39}|(?:[\da-f]{1,4}:){7}[\da-f]{1,4})(?:%\w+)?(?![\w:])/gi, address],
];

/**
 * Returns a node's message as clients may see it: one line without addresses, paths, credentials, stack frames and control characters, of
 * at most 1,024 UTF-16 units. Secrets of the nodes of this process are removed however they are encoded; other credentials are recognized
 * by their form. The reasons for which nodes reject transactions and blocks stay unchanged, because clients parse them.
 *
 * All prose of a node passes through here on its way to a client, on each interface: the messages of its errors, and the members of its
 * results that hold such messages.
 */
export function publicNodeText(message: string): string {
  const read = message.slice(0, maximumExaminedLength);
  const { index: end } = stackStart.exec(read) ?? { index: read.length };
  // This comes first: a pattern could remove a part of a secret and leave the rest.
  let text = hideNodeSecrets(oneLine(read.slice(0, end).replaceAll(invisible, "")));
  for (const [pattern, replacement] of replacements) text = text.replaceAll(pattern, replacement);
  if (text === "") return noText;
  if (text.length <= maximumTextLength && (read.length === message.length || end < read.length)) return text;
  return `${text.slice(0, maximumTextLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(controls, " ");
  return (line === text ? line : line.replaceAll(/ {2,}/g, " ")).trim();
}
