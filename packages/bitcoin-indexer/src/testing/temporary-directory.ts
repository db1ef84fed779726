import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `action` with a directory of its own, which is deleted afterwards. */
export async function withTemporaryDirectory<Result>(action: (path: string) => Promise<Result>): Promise<Result> {
  const path = mkdtempSync(join(tmpdir(), "nodewright-"));
  try {
    return await action(path);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}
