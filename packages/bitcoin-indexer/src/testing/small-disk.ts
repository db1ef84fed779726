import { spawnSync } from "node:child_process";
import { mkdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryDirectory } from "./temporary-directory.ts";

/** A disk in memory that can be made so small that it is full. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves this many bytes free. */
  leave(bytes: number): void;
}

/** Whether this process may mount disks: one of root may, and one with a mount namespace of its own (`unshare -rm`). */
export const canMakeDisks: boolean =
  spawnSync("sh", [
    "-c",
    `directory=$(mktemp -d) && mount -t tmpfs tmpfs "$directory" 2> /dev/null && umount "$directory"; status=$?; rmdir "$directory"; exit $status`,
  ]).status === 0;

/** Mounts a disk during `action`. In a mount namespace of its own, nothing is left mounted if the process is killed. */
export async function withSmallDisk(action: (disk: SmallDisk) => Promise<void>): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const path = join(directory, "disk");
    mkdirSync(path);
    run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", path);
    try {
      await action({
        path,
        leave(bytes) {
          const { blocks, bfree, bsize } = statfsSync(path);
          run("mount", "-o", `remount,size=${(blocks - bfree) * bsize + bytes}`, path);
        },
      });
    } finally {
      run("umount", "-l", path);
    }
  });
}

function run(program: string, ...words: readonly string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")}: ${stderr}`);
}
