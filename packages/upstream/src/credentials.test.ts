import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { createCredentialsReader } from "./credentials.ts";

const basic = (text: string): string => `Basic ${Buffer.from(text, "utf8").toString("base64")}`;

describe("credentials", () => {
  it("may be none, or a password: there is nothing that could have changed", async () => {
    const none = createCredentialsReader({ kind: "none" });
    expect([await none.authorization(), none.forget()]).toEqual([undefined, false]);
    const password = createCredentialsReader({ kind: "password", user: "änn", password: "a:b" });
    expect([await password.authorization(), password.forget()]).toEqual([basic("änn:a:b"), false]);
    expect(inspect(password, { showHidden: true, depth: 9 })).not.toContain("a:b");
  });
});

describe("a cookie file", () => {
  const directories: string[] = [];
  afterEach(async () => {
    for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
  });

  async function write(text: string): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "cookie-"));
    directories.push(directory);
    const path = join(directory, ".cookie");
    await writeFile(path, text);
    return path;
  }

  it("is read once, until it is forgotten", async () => {
    const path = await write("__cookie__:one\n");
    const reader = createCredentialsReader({ kind: "cookie-file", path });
    expect(await reader.authorization()).toBe(basic("__cookie__:one"));
    await writeFile(path, "__cookie__:two");
    expect(await reader.authorization()).toBe(basic("__cookie__:one"));
    expect(reader.forget()).toBe(true);
    expect(await reader.authorization()).toBe(basic("__cookie__:two"));
  });

  it.each(["", "\n", "nothing", "a b"])("of %j holds no user and no password, and is read again", async (text) => {
    const path = await write(text);
    const reader = createCredentialsReader({ kind: "cookie-file", path });
    await expect(reader.authorization()).rejects.toMatchObject({
      code: "upstream_unavailable",
      kind: "denied",
      message: "The node's cookie file does not hold a user and a password",
      mayHaveArrived: false,
    });
    await writeFile(path, "__cookie__:one");
    expect(await reader.authorization()).toBe(basic("__cookie__:one"));
  });

  it("that is not there is requested again", async () => {
    const path = await write("");
    await rm(path);
    const reader = createCredentialsReader({ kind: "cookie-file", path });
    await expect(reader.authorization()).rejects.toMatchObject({
      kind: "denied",
      message: "The node's cookie file cannot be read",
      mayHaveArrived: false,
      cause: { code: "ENOENT" },
    });
    await writeFile(path, "a:b");
    expect(await reader.authorization()).toBe(basic("a:b"));
  });
});
