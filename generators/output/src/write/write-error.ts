/**
 * A write that the system refused, or that would have lost somebody's change. The message is for users; the files are as `message`
 * describes.
 */
export class WriteError extends Error {
  override readonly name = "WriteError";
  /** Path of the file that could not be written. */
  readonly path: string;

  constructor(message: string, path: string, cause?: unknown) {
    super(message, { cause });
    this.path = path;
  }
}

/** Returns the error of the system in words; its own message for rare errors. */
export function systemProblem(reason: unknown): string {
  const code = reason instanceof Error && "code" in reason ? String(reason.code) : "";
  const known = problems[code];
  if (known !== undefined) return known;
  return reason instanceof Error ? reason.message : String(reason);
}

const problems: Readonly<Record<string, string>> = {
  EACCES: "it may not be written (permission denied)",
  EPERM: "it may not be written (operation not permitted)",
  EROFS: "the file system is read-only",
  ENOSPC: "there is no space left on the device",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it is larger than this user may write",
  EISDIR: "it is a directory",
  ENOTDIR: "a file stands where a directory of its path has to be",
  EEXIST: "a file stands where a directory of its path has to be",
  ENOTEMPTY: "it is a directory that is not empty",
  ENAMETOOLONG: "its name is too long for the file system",
  EMFILE: "too many files are open",
  EIO: "the device failed",
  EBUSY: "another program holds it",
};
