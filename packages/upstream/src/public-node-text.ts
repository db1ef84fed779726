/** Longest text that clients see, in UTF-16 units: the reasons of btcd for a rejected transaction quote scripts, in 600 and more. */
const longestText = 1_024;
/** What stands further behind is not looked at: a node may send megabytes. */
const longestRead = 4 * longestText;

const noText = "The node gave no reason";

/** Where the stack of a program begins: lines of JavaScript, Java, Python, Go and Rust, or frames that were joined into one line. */
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

/** What tells where a node is, where it keeps its files, or what opens it; the first of two that match counts. */
const replacements: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/(?<!\d)(["'`])(?:~?\/|[a-z]:[\\/]|\\\\)[^"'`]*\1/gi, `$1${path}$1`],
  [/\b[a-z][a-z0-9+.-]{0,20}:\/\/\S*/gi, address],
  [/(?<!\S)[^\s:@]*:[^\s@]*@\S+/g, address],
  [/\bauthorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer)\s+)?\S+/gi, credentials],
  [/\b(?:basic|bearer)\s+(?=\S*[\d=])[\w+/=.~-]{8,}/gi, credentials],
  // The name of a password is followed by nothing else; words such as "token" and "secret" stand before a colon in prose, too.
  [/(?:\bpass|[\w-]{0,32}(?:passw(?:or)?d|passphrase))["']?\s*[:=]\s*(?:"[^"]*"|'[^']*'|\S+)/gi, credentials],
  [/[\w-]{0,32}(?:api[-_]?key|token|secret|cookie)["']?=\S+|__cookie__:\S+/gi, credentials],
  // Names of machines that stand alone, where programs put them.
  [
    /\b(tcp[46]?|udp[46]?|ECONN[A-Z]+|ENOTFOUND|EAI_[A-Z]+|ETIMEDOUT|EHOSTUNREACH) [^\s(][^\s,;)]*?(?=:?(?:[\s,;)]|$))/g,
    `$1 ${address}`,
  ],
  [/\b[a-z]:\\[^\s"':]*|\\\\[\w.$-]+\\[^\s"']*/gi, path],
  // Two names at least or one that is known, so that `P2SH/btcd`, `BTC/kvB` and `m/44'/0'/0/0` are none.
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
 * Returns what a node says, as callers may see it: one line without addresses, paths, credentials, stack frames and control
 * characters, of at most 1,024 UTF-16 units. The reasons for which nodes reject transactions and blocks stay as they are, because
 * clients parse them.
 *
 * Everything of a node that is prose goes through here on its way to a caller, on each interface: the messages of its errors, and the
 * members of its results that hold such messages.
 */
export function publicNodeText(message: string): string {
  const read = message.slice(0, longestRead);
  const { index: end } = stackStart.exec(read) ?? { index: read.length };
  let text = oneLine(read.slice(0, end).replaceAll(invisible, ""));
  for (const [pattern, replacement] of replacements) text = text.replaceAll(pattern, replacement);
  if (text === "") return noText;
  if (text.length <= longestText && (read.length === message.length || end < read.length)) return text;
  return `${text.slice(0, longestText - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(controls, " ");
  return (line === text ? line : line.replaceAll(/ {2,}/g, " ")).trim();
}
