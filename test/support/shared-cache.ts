import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Puts a file or directory into a cache that the processes of several test files may fill at the same time.
 *
 * `produce` gets an empty directory on the cache's file system and returns the path below it that becomes `place`. The first process to
 * finish wins: the others discard their copy and take what is there, which has to be the same.
 */
export async function fillCache(place: string, produce: (work: string) => Promise<string>): Promise<void> {
  mkdirSync(dirname(place), { recursive: true });
  const work = mkdtempSync(join(dirname(place), "fetch-"));
  try {
    const produced = await produce(work);
    try {
      renameSync(produced, place);
    } catch (reason) {
      // rename(2) replaces a file and an empty directory, and refuses a directory that another process has filled meanwhile.
      if (!existsSync(place)) throw reason;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
