import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleReport } from "../testing/sample-report.ts";
import { createOutputs, type Outputs, writeCompletely } from "./outputs.ts";
import type { WantedReport } from "./conform-arguments.ts";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-outputs-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function outputs(wanted: readonly WantedReport[], printed: string[] = [], isQuiet = false): Outputs {
  const stream = { write: (text: string): boolean => printed.push(text) > 0 };
  return createOutputs(wanted, {
    streams: { stdout: stream, stderr: stream },
    environment: {},
    isVerbose: false,
    isQuiet,
    texts: new Map(),
  });
}

describe("a file that is written whole", () => {
  it("stays a link where it is one", () => {
    writeFileSync(join(directory, "real"), "old");
    symlinkSync(join(directory, "real"), join(directory, "link"));
    writeCompletely(join(directory, "link"), "new");
    expect(lstatSync(join(directory, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(directory, "real"), "utf8")).toBe("new");
  });

  it("is not put in the place of a device", () => {
    symlinkSync("/dev/null", join(directory, "nothing"));
    writeCompletely(join(directory, "nothing"), "new");
    expect(statSync(join(directory, "nothing")).isCharacterDevice()).toBe(true);
    expect(readdirSync(directory)).toEqual(["nothing"]);
  });
});

describe("reports", () => {
  it.runIf(process.platform === "linux")("are refused before anything is sent where no file can be made", () => {
    expect(() => outputs([{ format: "html", file: "/proc/report.html" }])).toThrow(
      "The report /proc/report.html can't be written (ENOENT).",
    );
    outputs([{ format: "html", file: join(directory, "new", "report.html") }]);
    expect(readdirSync(join(directory, "new"))).toEqual([]);
  });

  it("name the directory that they made", () => {
    const printed: string[] = [];
    const wanted = [{ format: "html", file: join(directory, "new", "report.html") }] as const;
    outputs(wanted, printed);
    outputs(wanted, printed);
    outputs([{ format: "html", file: join(directory, "quiet", "report.html") }], printed, true);
    expect(printed).toEqual([`Created the directory ${join(directory, "new")} for the report.\n`]);
  });

  // Each write to it fails as on a full disk.
  it.runIf(process.platform === "linux")("are written though one before them can't be", () => {
    const last = join(directory, "last.json");
    const full = outputs([
      { format: "ndjson", file: "/dev/full" },
      { format: "html", file: "/dev/full" },
      { format: "json", file: last },
    ]);
    expect(() => full.end(sampleReport())).toThrow("The report /dev/full can't be written (ENOSPC).");
    expect(JSON.parse(readFileSync(last, "utf8"))).toMatchObject({ format: 2 });
  });
});
