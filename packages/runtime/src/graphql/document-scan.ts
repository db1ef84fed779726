/** Counts of a document's parts, before it is parsed. */
export interface DocumentScan {
  /** Number of lexical tokens, without comments. */
  readonly tokens: number;
  readonly directives: number;
  /** Length of the longest name or number, in characters. */
  readonly longestToken: number;
  /** Number of comments and line ends between tokens, which the parser tracks, too. */
  readonly ignored: number;
  /** Number of backslashes in all strings: the parser stores each piece between two of them separately. */
  readonly escapes: number;
  /** Maximum nesting depth of brackets, braces and parentheses. */
  readonly nesting: number;
}

/**
 * Counts the lexical parts of a document (GraphQL specification, section 2.1) without storing them. The parser allocates memory for each token
 * and comment, and is recursive, so that too many tokens or levels must be detected before. Counts of text that is not GraphQL are
 * meaningless; the parser rejects it.
 */
export function scanDocument(text: string): DocumentScan {
  let tokens = 0;
  let directives = 0;
  let longestToken = 0;
  let ignored = 0;
  let escapes = 0;
  let depth = 0;
  let nesting = 0;
  for (let position = 0; position < text.length; ) {
    const code = text.charCodeAt(position);
    if (code === lineFeed || code === carriageReturn) {
      ignored += 1;
      position += 1;
    } else if (code === hash) {
      ignored += 1;
      position = endOfLine(text, position);
    } else if (code === space || code === tab || code === comma || code === byteOrderMark) {
      position += 1;
    } else if (code === quote) {
      tokens += 1;
      const end = endOfString(text, position);
      ignored += countBetween(text, position, end, lineFeed) + countBetween(text, position, end, carriageReturn);
      escapes += countBetween(text, position, end, backslash);
      position = end;
    } else if (isNameCharacter(code)) {
      tokens += 1;
      const end = endOfWord(text, position);
      longestToken = Math.max(longestToken, end - position);
      position = end;
    } else if (code === dot && text.startsWith("...", position)) {
      tokens += 1;
      position += 3;
    } else {
      tokens += 1;
      position += 1;
      if (code === at) directives += 1;
      if (isOpening(code)) depth += 1;
      else if (isClosing(code)) depth -= 1;
      if (depth > nesting) nesting = depth;
    }
  }
  return { tokens, directives, longestToken, ignored, escapes, nesting };
}

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const hash = 0x23;
const comma = 0x2c;
const dot = 0x2e;
const at = 0x40;
const backslash = 0x5c;
const byteOrderMark = 0xfeff;
const blockQuote = '"""';

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x28 || code === 0x5b;
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x29 || code === 0x5d;
}

/** Returns whether a character belongs to a name or a number: letters, digits, underscores, and what may stand inside of numbers. */
function isNameCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d
  );
}

/**
 * Returns the end of a word. A number continues after a dot, a plus or a minus; a name contains none of them, and three dots are a token of
 * their own.
 */
function endOfWord(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    const continues = isNameCharacter(code) || code === 0x2b || (code === dot && text.charCodeAt(end + 1) !== dot);
    if (!continues) return end;
    end += 1;
  }
  return end;
}

function endOfLine(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === lineFeed || code === carriageReturn) return end;
    end += 1;
  }
  return end;
}

function endOfString(text: string, start: number): number {
  if (text.startsWith(blockQuote, start)) return endOfBlockString(text, start + 3);
  for (let position = start + 1; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === backslash) position += 1;
    else if (code === quote) return position + 1;
    // The parser rejects a string that does not end on its line.
    else if (code === lineFeed || code === carriageReturn) return position;
  }
  return text.length;
}

function endOfBlockString(text: string, start: number): number {
  let end = text.indexOf(blockQuote, start);
  while (end > 0 && text.charCodeAt(end - 1) === backslash) end = text.indexOf(blockQuote, end + 3);
  return end < 0 ? text.length : end + 3;
}

/** Counts no further than `end`: a search would scan the rest of the text for each string. */
function countBetween(text: string, start: number, end: number, code: number): number {
  let count = 0;
  for (let position = start; position < end; position += 1) {
    if (text.charCodeAt(position) === code) count += 1;
  }
  return count;
}
