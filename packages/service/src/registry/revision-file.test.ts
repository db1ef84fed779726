import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openRevisionFile, type RevisionFile } from "./revision-file.ts";

let directory: string;
let files: RevisionFile[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "nodewright-revision-"));
  const path = join(directory, "revision");
  files = [openRevisionFile(path), openRevisionFile(path)];
});

afterEach(async () => await rm(directory, { recursive: true }));

function opened(): readonly [RevisionFile, RevisionFile] {
  const [own, other] = files;
  if (own === undefined || other === undefined) throw new Error("There are two");
  return [own, other];
}

it("is a file for its owner alone, and reads as zero until somebody writes", async () => {
  const [own] = opened();
  expect(own.read()).toBe(0);
  expect((await stat(join(directory, "revision"))).mode & 0o777).toBe(0o600);
});

it("sees what another has written with the next turn of the event loop", async () => {
  const [own, other] = opened();
  expect(own.read()).toBe(0);
  other.write(2 ** 40 + 1);
  expect(own.read()).toBe(0);
  await nextTimeSlice();
  expect(own.read()).toBe(2 ** 40 + 1);
  other.write(7);
  await nextTimeSlice();
  expect(own.read()).toBe(7);
});

it("sees what it has written itself at once", () => {
  const [own] = opened();
  expect(own.read()).toBe(0);
  own.write(3);
  expect(own.read()).toBe(3);
});

it("can't be read when it is closed", () => {
  const [own] = opened();
  own.close();
  expect(() => own.read()).toThrow("EBADF");
});
