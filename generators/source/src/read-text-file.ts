import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";

/** Maximum size of a document in bytes; twenty times the largest published ones. */
const maximumBytes: number = 2 ** 28;

export interface TextFile {
  readonly text: string;
  /** Offset in `text` of the first byte that is not valid UTF-8; undefined for valid UTF-8. */
  readonly wrongAt: number | undefined;
  /** Whether the file starts with a byte order mark of UTF-16, as files redirected from a Windows shell do. */
  readonly isUtf16: boolean;
}

/**
 * Reads a regular file. Rejects devices and pipes, which have no end and which a reference in a third-party document may name.
 *
 * @throws Error with the reason, as the end of a sentence.
 */
export function readTextFile(path: string): TextFile {
  const bytes = readBytes(path);
  const text = bytes.toString("utf8");
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return { text, wrongAt: isUtf8(bytes) ? undefined : invalidOffset(bytes, text), isUtf16 };
}

function readBytes(path: string): Buffer {
  try {
    const stats = statSync(path);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error("it is neither a file nor a link to one");
    if (stats.size > maximumBytes) throw new Error(`it is larger than ${maximumBytes / 2 ** 20} MB`);
    return readFileSync(path);
  } catch (reason) {
    throw new Error(fileProblem(reason), { cause: reason });
  }
}

/** Returns the offset of the first invalid byte: up to there, decoding and encoding again gives the same bytes. */
function invalidOffset(bytes: Buffer, text: string): number {
  const again = Buffer.from(text, "utf8");
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  // In stream mode the decoder holds back an incomplete character, so the length is the offset of the error.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, at), { stream: true }).length;
}

function fileProblem(reason: unknown): string {
  if (!(reason instanceof Error)) return "it could not be read";
  const code = "code" in reason ? String(reason.code) : "";
  return problems[code] ?? (code === "" ? reason.message : code);
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "it may not be read",
  EPERM: "it may not be read",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "its name is longer than the file system allows",
};
