import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";

/** Bytes that a document may have; the largest ones that are published have a twentieth of it. */
const maximumBytes: number = 2 ** 28;

export interface TextFile {
  readonly text: string;
  /** Offset in `text` of the first byte that is not UTF-8; undefined when there is none. */
  readonly wrongAt: number | undefined;
  /** Whether the file begins with a byte order mark of UTF-16, as what a Windows shell redirects does. */
  readonly isUtf16: boolean;
}

/**
 * Reads a file that ends: devices and pipes are refused, which a reference of somebody's document can name as well.
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

/** Decoding and encoding again changes nothing before the first wrong byte. */
function invalidOffset(bytes: Buffer, text: string): number {
  const again = Buffer.from(text, "utf8");
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  // A character whose last bytes are missed is held back here, and is where the mistake is.
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
