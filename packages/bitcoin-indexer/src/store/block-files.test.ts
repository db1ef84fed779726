import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { BlockFileReader, BlockFileWriter, blockFileName, maximumFileLength, completeBlock } from "./block-files.ts";
import { checksumOf } from "./checksum.ts";
import { readDamageReports } from "./damage-reports.ts";
import { type DataDirectory, dataDirectory } from "./data-directory.ts";
import { firstSourceFile, type SourceFileRow } from "./layout.ts";

const magic = Uint8Array.of(1, 2, 3, 4);
const start = { file: 0, offset: 0 };
const noFile = (): undefined => undefined;

async function withDirectory(action: (directory: DataDirectory) => void): Promise<void> {
  await withTemporaryDirectory((path) => {
    action(dataDirectory(path));
    return Promise.resolve();
  });
}

/** Returns the files of a directory that this process has open. */
function openFilesIn(directory: string): readonly string[] {
  const descriptors = readdirSync("/proc/self/fd").map((name) => `/proc/self/fd/${name}`);
  // The one through which the directory is listed is gone.
  const paths = descriptors.map((path) => (existsSync(path) ? readlinkSync(path) : ""));
  return paths.filter((path) => path.startsWith(directory));
}

function partOf(bytes: Uint8Array, offset = 0, size = bytes.length - offset) {
  return { offset, size, checksum: checksumOf(bytes.subarray(offset, offset + size)) };
}

describe("BlockFileWriter", () => {
  it("writes each block behind the magic and its length, when it is flushed", async () => {
    await withDirectory(({ blocks }) => {
      const writer = new BlockFileWriter(blocks, magic, start);
      const path = join(blocks, "blk00000.dat");
      expect(writer.append(Buffer.from("first"))).toEqual({ file: 0, offset: 8 });
      expect(writer.append(Buffer.alloc(0x102, "x"))).toEqual({ file: 0, offset: 8 + 5 + 8 });
      expect(writer.end).toEqual({ file: 0, offset: 8 + 5 + 8 + 0x102 });
      expect(existsSync(path)).toBe(false);
      writer.flush();
      const expected = Buffer.concat([
        magic,
        Buffer.of(5, 0, 0, 0),
        Buffer.from("first"),
        magic,
        Buffer.of(2, 1, 0, 0),
        Buffer.alloc(0x102, "x"),
      ]);
      expect(readFileSync(path).equals(expected)).toBe(true);
      writer.flush();
      writer.append(Buffer.from("third"));
      writer.flush();
      expect(readFileSync(path).subarray(expected.length).toString("latin1")).toBe(
        "\u0001\u0002\u0003\u0004\u0005\0\0\0third",
      );
    });
  });

  it("cuts off what stands behind the end, in later files too, and fills up what is missing with zeros", async () => {
    await withDirectory(({ blocks }) => {
      mkdirSync(blocks);
      for (const file of [0, 1, 2, 4]) writeFileSync(join(blocks, blockFileName(file)), "0123456789");
      const lengths = (): readonly number[] =>
        [0, 1, 2, 4].map((file) => statSync(join(blocks, blockFileName(file))).size);
      const writer = new BlockFileWriter(blocks, magic, { file: 1, offset: 4 });
      // The fourth file is after a gap: it was never one of these.
      expect(lengths()).toEqual([10, 4, 0, 10]);
      writer.append(Buffer.from("lost"));
      writer.returnTo({ file: 1, offset: 12 });
      writer.flush();
      expect(lengths()).toEqual([10, 12, 0, 10]);
      expect(readFileSync(join(blocks, blockFileName(1))).toString("latin1")).toBe(`0123${"\0".repeat(8)}`);
      expect(writer.append(Buffer.from("new"))).toEqual({ file: 1, offset: 20 });
    });
  });

  it("begins another file behind 128 MiB", async () => {
    await withDirectory(({ blocks }) => {
      const last = { file: 3, offset: maximumFileLength - 1 };
      const writer = new BlockFileWriter(blocks, magic, last);
      expect(maximumFileLength).toBe(134_217_728);
      expect(writer.append(Buffer.from("a"))).toEqual({ file: 3, offset: maximumFileLength + 7 });
      expect(writer.append(Buffer.from("b"))).toEqual({ file: 4, offset: 8 });
      expect(
        new BlockFileWriter(blocks, magic, { file: 7, offset: maximumFileLength }).append(Buffer.from("c")),
      ).toEqual({
        file: 8,
        offset: 8,
      });
      writer.flush();
      expect(statSync(join(blocks, blockFileName(3))).size).toBe(maximumFileLength + 8);
      truncateSync(join(blocks, blockFileName(3)), 0);
      expect(readFileSync(join(blocks, blockFileName(4))).toString("latin1")).toBe(
        "\u0001\u0002\u0003\u0004\u0001\0\0\0b",
      );
    });
  });

  it("names files as Bitcoin Core does", () => {
    expect([0, 42, 99_999, 100_000].map(blockFileName)).toEqual([
      "blk00000.dat",
      "blk00042.dat",
      "blk99999.dat",
      "blk100000.dat",
    ]);
  });
});

describe("BlockFileReader", () => {
  const block = Buffer.from("a block of bytes");

  it("reads parts of blocks and wholes", async () => {
    await withDirectory((directory) => {
      const writer = new BlockFileWriter(directory.blocks, magic, start);
      writer.append(Buffer.from("before"));
      const position = writer.append(block);
      writer.append(Buffer.from("behind"));
      writer.flush();
      const reader = new BlockFileReader(directory, noFile);
      const whole = completeBlock({ size: block.length, checksum: checksumOf(block) });
      expect(whole).toEqual({ offset: 0, size: 16, checksum: checksumOf(block) });
      expect(reader.read(position, whole).toString()).toBe("a block of bytes");
      expect(reader.read(position, partOf(block, 2, 5)).toString()).toBe("block");
      expect(reader.read(position, partOf(block, 16, 0))).toHaveLength(0);
      const into = Buffer.alloc(8, ".");
      reader.readInto(into, 2, position, 11, 3);
      expect(into.toString()).toBe("..byt...");
      reader.close();
    });
  });

  it("takes the mask of a file of the node away, wherever the part begins", async () => {
    await withDirectory((directory) => {
      const mask = Uint8Array.of(7, 1, 9, 3, 5, 2, 8, 6);
      const path = join(directory.path, "node.dat");
      const bytes = Buffer.concat([Buffer.alloc(13), block]);
      writeFileSync(
        path,
        bytes.map((byte, index) => byte ^ (mask[index % 8] ?? 0)),
      );
      const file: SourceFileRow = { path, mask };
      const reader = new BlockFileReader(directory, (number) => (number === firstSourceFile ? file : undefined));
      const position = { file: firstSourceFile, offset: 13 };
      expect(reader.read(position, partOf(block)).toString()).toBe("a block of bytes");
      expect(reader.read(position, partOf(block, 3, 4)).toString()).toBe("lock");
      const other = { file: firstSourceFile + 1, offset: 0 };
      expect(() => reader.read(other, partOf(block))).toThrow(
        expect.objectContaining({
          code: "tables-damaged",
          message: expect.stringContaining(`(the table source-files has no file ${firstSourceFile + 1})`),
        }),
      );
      reader.close();
    });
  });

  it("reports the file and the byte of what is gone, cut or changed, and reads it again when it is back", async () => {
    await withDirectory((directory) => {
      const writer = new BlockFileWriter(directory.blocks, magic, start);
      const position = writer.append(block);
      writer.flush();
      const path = join(directory.blocks, "blk00000.dat");
      const sound = readFileSync(path);
      const reader = new BlockFileReader(directory, noFile);
      const refusal = (reason: string, offset: number) =>
        expect.objectContaining({
          code: "block-unreadable",
          message:
            `The block file ${path} no longer holds a block that the index knows (${reason}): ` +
            "put the file back, or delete the data directory to index anew.",
          place: { file: path, offset },
          retry: true,
        });
      const changed = Buffer.from(sound);
      changed[8 + 4] = 0;
      writeFileSync(path, changed);
      expect(() => reader.read(position, partOf(block, 2, 5))).toThrow(refusal("its bytes 10 to 14 were changed", 10));
      expect(reader.read(position, partOf(block, 7)).toString()).toBe(" of bytes");
      writeFileSync(path, sound.subarray(0, -1));
      expect(() => reader.read(position, partOf(block))).toThrow(
        refusal("it ends before byte 24, where a block ends", 8),
      );
      rmSync(path);
      expect(() => reader.read(position, partOf(block))).toThrow(refusal("ENOENT", 8));
      mkdirSync(path);
      expect(() => reader.read(position, partOf(block))).toThrow(refusal("EISDIR", 8));
      rmSync(path, { recursive: true });
      writeFileSync(path, sound);
      expect(reader.read(position, partOf(block)).toString()).toBe("a block of bytes");
      expect(readDamageReports(directory)).toEqual([
        { position, path, offset: 10, reason: "its bytes 10 to 14 were changed" },
      ]);
      reader.close();
    });
  });

  it("says how a block of its own files is repaired, and what to do about those of a node", async () => {
    await withDirectory((directory) => {
      const path = join(directory.blocks, "of-a-node.dat");
      const row = { path, mask: new Uint8Array(0) };
      let hint: string | undefined = "it is being fetched";
      const reader = new BlockFileReader(
        directory,
        () => row,
        () => hint,
      );
      const read = (file: number) => () => reader.read({ file, offset: 8 }, partOf(block));
      expect(read(0)).toThrow(/\(ENOENT\): it is being fetched\.$/);
      expect(read(firstSourceFile)).toThrow(/\(ENOENT\): put the file back, or delete/);
      hint = undefined;
      expect(read(0)).toThrow(/\(ENOENT\): put the file back, or delete/);
    });
  });

  it("reports each damaged block", async () => {
    await withDirectory((directory) => {
      const reader = new BlockFileReader(directory, noFile);
      for (const offset of [8, 50]) {
        expect(() => reader.read({ file: 0, offset }, partOf(block))).toThrow("ENOENT");
      }
      expect(readDamageReports(directory).map(({ position }) => position.offset)).toEqual([8, 50]);
    });
  });

  it("reads no part that is longer than a block may be", async () => {
    await withDirectory((directory) => {
      const reader = new BlockFileReader(directory, noFile);
      expect([0, 1, 4_000_000].map((length) => reader.checkLength(length))).toEqual([0, 1, 4_000_000]);
      for (const length of [-1, 4_000_001, 2 ** 40]) {
        expect(() => reader.checkLength(length)).toThrow(
          expect.objectContaining({
            code: "tables-damaged",
            message: expect.stringContaining(`(a part of a block has ${length} bytes)`),
          }),
        );
        expect(() => reader.read(start, { offset: 0, size: length, checksum: 0 })).toThrow("a part of a block has");
      }
    });
  });

  it("keeps 128 files open at most, and reads from more", async () => {
    await withDirectory((directory) => {
      mkdirSync(directory.blocks);
      const files = Array.from({ length: 130 }, (_, file) => file);
      for (const file of files) writeFileSync(join(directory.blocks, blockFileName(file)), `${file}`.padStart(16));
      const reader = new BlockFileReader(directory, noFile);
      const text = (file: number): string => {
        const bytes = Buffer.alloc(16);
        reader.readInto(bytes, 0, { file, offset: 0 }, 0, 16);
        return bytes.toString().trim();
      };
      expect(files.map(text)).toEqual(files.map(String));
      // Open files are read although they are deleted; those that were closed meanwhile are not.
      for (const file of files) rmSync(join(directory.blocks, blockFileName(file)));
      expect(text(129)).toBe("129");
      expect(text(128)).toBe("128");
      expect(() => text(127)).toThrow("ENOENT");
      reader.close();
      expect(() => text(129)).toThrow("ENOENT");
    });
  });

  it.runIf(existsSync("/proc/self/fd"))(
    "leaves no file open that was written, or in which something is damaged",
    async () => {
      await withDirectory((directory) => {
        const writer = new BlockFileWriter(directory.blocks, magic, start);
        const position = writer.append(Buffer.from("first"));
        writer.flush();
        expect(openFilesIn(directory.blocks)).toEqual([]);
        const reader = new BlockFileReader(directory, noFile);
        const sound = Buffer.from("first");
        expect(reader.read(position, partOf(sound)).equals(sound)).toBe(true);
        expect(openFilesIn(directory.blocks)).toHaveLength(1);
        expect(() => reader.read(position, partOf(Buffer.from("other")))).toThrow("were changed");
        expect(openFilesIn(directory.blocks)).toEqual([]);
        reader.close();
      });
    },
  );
});
