import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import {
  claimDirectory,
  type DataDirectory,
  dataDirectory,
  describeDirectory,
  finishDirectory,
  hasIndex,
  hasUnfinishedBulk,
  keepsAddresses,
  prepareDirectory,
} from "./data-directory.ts";
import { layoutVersion } from "./layout.ts";

const signet = { layout: layoutVersion, network: "signet", addressSearch: false };

/** Runs `action` with the data directory at a path that does not exist yet. */
async function withDirectory(action: (directory: DataDirectory) => void): Promise<void> {
  await withTemporaryDirectory((path) => {
    action(dataDirectory(join(path, "a", "b")));
    return Promise.resolve();
  });
}

/** Renames a file to another name and back, again and again, in another thread. */
function renameInTurns(name: string, other: string): { readonly begun: Promise<unknown>; end(): Promise<unknown> } {
  const program = `
    const { renameSync } = require("node:fs");
    const { parentPort, workerData: [name, other] } = require("node:worker_threads");
    parentPort.postMessage("begun");
    for (;;) {
      renameSync(name, other);
      renameSync(other, name);
    }`;
  const thread = new Worker(program, { eval: true, workerData: [name, other] });
  return { begun: once(thread, "message"), end: () => thread.terminate() };
}

/** Runs `action` with a complete directory whose description is this text. */
async function withDescription(text: string, action: (directory: DataDirectory) => void): Promise<void> {
  await withDirectory((directory) => {
    mkdirSync(directory.path, { recursive: true });
    writeFileSync(directory.description, text);
    action(directory);
  });
}

describe("a data directory", () => {
  it("has its parts below its path", () => {
    expect(dataDirectory("/data")).toEqual({
      path: "/data",
      description: "/data/layout.json",
      index: "/data/index",
      blocks: "/data/blocks",
      bulk: "/data/bulk",
      damage: "/data/damage",
    });
  });

  it("can be looked at while another thread finishes it", async () => {
    await withTemporaryDirectory(async (path) => {
      const directory = dataDirectory(path);
      writeFileSync(directory.description, JSON.stringify(signet));
      const renaming = renameInTurns(directory.description, `${directory.description}.unfinished`);
      const seen = new Set<boolean>();
      try {
        await renaming.begun;
        // Both results are right at any moment; an error about a file that has just been renamed must not happen.
        for (let looks = 0; looks < 20_000 || seen.size < 2; looks += 1) seen.add(hasIndex(directory, "signet"));
      } finally {
        await renaming.end();
      }
      expect(seen).toEqual(new Set([false, true]));
    });
  });

  it("holds no index before it is finished, and that of its network then", async () => {
    await withDirectory((directory) => {
      expect(hasIndex(directory, "signet")).toBe(false);
      expect(describeDirectory(directory)).toBeUndefined();
      prepareDirectory(directory, "signet", true);
      expect(existsSync(directory.index) && existsSync(directory.blocks)).toBe(true);
      expect(existsSync(directory.bulk) || existsSync(directory.damage)).toBe(false);
      expect(hasIndex(directory, "signet")).toBe(false);
      expect(describeDirectory(directory)).toBeUndefined();
      finishDirectory(directory);
      expect(hasIndex(directory, "signet")).toBe(true);
      expect(describeDirectory(directory)).toEqual({ ...signet, addressSearch: true });
      expect(readFileSync(directory.description, "utf8")).toBe(
        `{"layout":${layoutVersion},"network":"signet","addressSearch":true}\n`,
      );
    });
  });

  it("of another network is refused, finished or not", async () => {
    await withDirectory((directory) => {
      const refusal = expect.objectContaining({
        code: "directory-network",
        message:
          `The data directory ${directory.path} holds the index of signet, not of mainnet: ` +
          "choose another directory, or serve signet.",
      });
      prepareDirectory(directory, "signet", false);
      expect(() => hasIndex(directory, "mainnet")).toThrow(refusal);
      finishDirectory(directory);
      expect(() => hasIndex(directory, "mainnet")).toThrow(refusal);
    });
  });

  it("of another layout is refused", async () => {
    await withDescription(JSON.stringify({ ...signet, layout: 1 }), (directory) => {
      expect(() => hasIndex(directory, "signet")).toThrow(
        expect.objectContaining({
          code: "directory-layout",
          message:
            `The data directory ${directory.path} has layout 1, this version needs ${layoutVersion}: ` +
            "delete the directory to index anew, or choose another.",
        }),
      );
    });
  });

  it.each([
    "",
    "{",
    "null",
    "5",
    "{}",
    '{"layout":3}',
    '{"network":"signet"}',
    '{"layout":"3","network":"signet"}',
    '{"layout":3,"network":5}',
  ])("whose description is %j is refused", async (text) => {
    await withDescription(text, (directory) => {
      expect(() => hasIndex(directory, "signet")).toThrow(
        expect.objectContaining({
          code: "directory-layout",
          message: `${directory.description} can't be understood: delete the data directory to index anew, or choose another.`,
        }),
      );
    });
  });

  it("is prepared without anything that an unfinished start left, and never over files of others", async () => {
    await withDirectory((directory) => {
      prepareDirectory(directory, "signet", false);
      for (const part of [directory.bulk, directory.damage]) mkdirSync(part);
      for (const part of [directory.index, directory.blocks, directory.bulk, directory.damage]) {
        writeFileSync(join(part, "left"), "");
      }
      prepareDirectory(directory, "signet", false);
      expect(existsSync(directory.bulk) || existsSync(directory.damage)).toBe(false);
      for (const part of [directory.index, directory.blocks]) expect(existsSync(join(part, "left"))).toBe(false);
    });
    for (const part of ["index", "blocks"] as const) {
      await withDirectory((directory) => {
        mkdirSync(directory[part], { recursive: true });
        const refusal = expect.objectContaining({
          code: "directory-unusable",
          message: `The directory ${directory.path} holds other files under index or blocks: choose another data directory.`,
        });
        expect(() => claimDirectory(directory)).toThrow(refusal);
        expect(() => prepareDirectory(directory, "signet", false)).toThrow(refusal);
        writeFileSync(directory.description, JSON.stringify(signet));
        expect(() => claimDirectory(directory)).not.toThrow();
      });
    }
  });

  it("that can't be written is refused", async () => {
    await withTemporaryDirectory((path) => {
      writeFileSync(join(path, "file"), "");
      const directory = dataDirectory(join(path, "file", "data"));
      expect(() => claimDirectory(directory)).toThrow(
        expect.objectContaining({
          code: "directory-unusable",
          message: `The data directory ${directory.path} can't be written: check its permissions and the free space, or choose another directory.`,
          cause: expect.objectContaining({ code: "ENOTDIR" }),
        }),
      );
      return Promise.resolve();
    });
  });
});

describe("addresses", () => {
  it("are kept as the directory was made", async () => {
    await withDirectory((directory) => {
      expect([keepsAddresses(directory), keepsAddresses(directory, false), keepsAddresses(directory, true)]).toEqual([
        false,
        false,
        true,
      ]);
    });
    await withDescription(JSON.stringify({ ...signet, addressSearch: true }), (directory) => {
      expect([keepsAddresses(directory), keepsAddresses(directory, false), keepsAddresses(directory, true)]).toEqual([
        true,
        true,
        true,
      ]);
    });
    for (const description of [signet, { ...signet, addressSearch: undefined }, { ...signet, addressSearch: 1 }]) {
      await withDescription(JSON.stringify(description), (directory) => {
        expect([keepsAddresses(directory), keepsAddresses(directory, false)]).toEqual([false, false]);
        expect(() => keepsAddresses(directory, true)).toThrow(
          expect.objectContaining({
            code: "directory-layout",
            message:
              `The data directory ${directory.path} was made without address search: ` +
              "delete the directory to index anew, or go on without address search.",
          }),
        );
      });
    }
  });
});

describe("an unfinished bulk index", () => {
  it("is one of the same layout, network and settings", async () => {
    await withDirectory((directory) => {
      expect(hasUnfinishedBulk(directory, "signet", true)).toBe(false);
      prepareDirectory(directory, "signet", true);
      expect(hasUnfinishedBulk(directory, "signet", true)).toBe(false);
      mkdirSync(directory.bulk);
      expect(hasUnfinishedBulk(directory, "signet", true)).toBe(true);
      expect(hasUnfinishedBulk(directory, "signet", false)).toBe(false);
      expect(hasUnfinishedBulk(directory, "mainnet", true)).toBe(false);
      const unfinished = `${directory.description}.unfinished`;
      writeFileSync(unfinished, JSON.stringify({ ...signet, addressSearch: true, layout: layoutVersion - 1 }));
      expect(hasUnfinishedBulk(directory, "signet", true)).toBe(false);
      writeFileSync(unfinished, "{");
      expect(hasUnfinishedBulk(directory, "signet", true)).toBe(false);
      finishDirectory(directory);
      expect(hasUnfinishedBulk(directory, "signet", true)).toBe(false);
    });
  });
});
