import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDiagnosticSink, type Diagnostic } from "./diagnostic.ts";
import { createDocumentSet } from "./document-set.ts";

let directory = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-text-"));
});

afterAll(() => rmSync(directory, { recursive: true }));

function reported(file: string): readonly Diagnostic[] {
  const sink = createDiagnosticSink();
  expect(createDocumentSet(directory, sink).readText(file)).toBeUndefined();
  return sink.diagnostics;
}

describe("a document that is no text", () => {
  it.each([
    ["a device", () => symlinkSync("/dev/zero", join(directory, "a device")), "it is neither a file nor a link to one"],
    [
      "a pipe",
      () => execFileSync("sh", ["-c", 'mkfifo "$0"', join(directory, "a pipe")]),
      "it is neither a file nor a link to one",
    ],
    ["a circle", () => symlinkSync("a circle", join(directory, "a circle")), "its symbolic links lead in a circle"],
    [
      "a giant",
      () => {
        writeFileSync(join(directory, "a giant"), "");
        truncateSync(join(directory, "a giant"), 2 ** 28 + 1);
      },
      "it is larger than 256 MB",
    ],
    [".", () => undefined, "it is a directory"],
    ["nothing", () => undefined, "there is no such file"],
  ])("is refused with the reason: %s", (name, make, reason) => {
    make();
    expect(reported(name).map(({ code, message }) => [code, message])).toEqual([
      ["source/file-not-found", `Cannot read ${name}: ${reason}.`],
    ]);
  });

  it.each([
    ["Latin-1", Buffer.from("a: 1\nb: caf\u00e9s\n", "latin1"), "2:7"],
    ["a character that is cut off", Buffer.from([0x61, 0x0a, 0xe2, 0x82, 0x41]), "2:1"],
    ["a character at the end", Buffer.from([0x61, 0xf0, 0x9f, 0x98]), "1:2"],
    ["UTF-16", Buffer.from("\uFEFFa: 1\n", "utf16le"), "1:1"],
  ])("is told at its first wrong byte: %s", (name, bytes, place) => {
    writeFileSync(join(directory, name), bytes);
    expect(reported(name).map(({ code, source }) => `${code} ${source.line}:${source.column}`)).toEqual([
      `source/not-utf-8 ${place}`,
    ]);
  });
});
