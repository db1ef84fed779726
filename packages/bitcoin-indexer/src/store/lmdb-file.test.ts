import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { Environment } from "./environment.ts";
import { assertLmdbFile } from "./lmdb-file.ts";

const table = { name: "any" };
const program = fileURLToPath(new URL("../testing/committing-process.ts", import.meta.url));

/** In one of 50 the file is changed between two steps of a look. */
const looks = 20_000;

async function makeDatabase(directory: string): Promise<void> {
  const environment = new Environment(directory, "write", { tables: [table] });
  environment.write(() => {
    for (let row = 0; row < 9; row += 1) environment.putBytes(table, Buffer.of(row), Buffer.alloc(3_000), false);
  });
  await environment.close();
}

it("takes a database for whole whatever another process commits while it is looked at", async () => {
  await withTemporaryDirectory(async (directory) => {
    await makeDatabase(directory);
    const path = join(directory, "data.mdb");
    const child = spawn(process.execPath, ["--conditions=source", program, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "close");
    try {
      await once(child.stdout, "data");
      for (let look = 0; look < looks; look += 1) assertLmdbFile(directory, false);
    } finally {
      child.kill("SIGKILL");
      await closed;
    }
  });
}, 60_000);

it("takes an empty file for one that is to be made, where it may be", async () => {
  await withTemporaryDirectory(async (directory) => {
    writeFileSync(join(directory, "data.mdb"), "");
    expect(() => assertLmdbFile(directory, false)).toThrow("no whole database");
    const environment = new Environment(directory, "write", { tables: [table] });
    environment.write(() => environment.putBytes(table, Buffer.of(1), Buffer.of(2), false));
    expect(environment.getBytes(table, Buffer.of(1))?.[0]).toBe(2);
    await environment.close();
  });
});
