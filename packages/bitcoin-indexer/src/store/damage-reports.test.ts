import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import {
  type DamagedBlock,
  damagedBlocks,
  damageStamp,
  maximumReports,
  readDamageReports,
  removeDamageReport,
  reportDamage,
} from "./damage-reports.ts";
import { dataDirectory } from "./data-directory.ts";

function damageAt(file: number, offset: number, reason = "it is gone"): DamagedBlock {
  return { position: { file, offset }, path: `/blocks/${file}`, offset: offset + 5, reason };
}

it("keeps one report of each block, in the order of their positions", async () => {
  await withTemporaryDirectory((path) => {
    const directory = dataDirectory(path);
    expect(readDamageReports(directory)).toEqual([]);
    for (const damage of [damageAt(2, 8), damageAt(1, 90), damageAt(1, 100), damageAt(1, 90, "again")]) {
      reportDamage(directory, damage);
    }
    expect(readDamageReports(directory)).toEqual([damageAt(1, 90, "again"), damageAt(1, 100), damageAt(2, 8)]);
    expect(damagedBlocks(path)).toEqual(readDamageReports(directory));
    removeDamageReport(directory, { file: 1, offset: 90 });
    removeDamageReport(directory, { file: 7, offset: 7 });
    expect(readDamageReports(directory)).toEqual([damageAt(1, 100), damageAt(2, 8)]);
    return Promise.resolve();
  });
});

it("has a stamp from the first report on", async () => {
  await withTemporaryDirectory((path) => {
    expect(damageStamp(path)).toBeUndefined();
    reportDamage(dataDirectory(path), damageAt(1, 8));
    expect(damageStamp(path)).toBeGreaterThan(0);
    return Promise.resolve();
  });
});

it("leaves out what is no report", async () => {
  await withTemporaryDirectory((path) => {
    const directory = dataDirectory(path);
    mkdirSync(directory.damage);
    const sound = damageAt(1, 2);
    const files: Readonly<Record<string, unknown>> = {
      "1-2.json": sound,
      "1-3.json.77": damageAt(1, 3),
      "2.json": {},
      "3.json": { ...sound, position: { file: "1", offset: 2 } },
      "4.json": { ...sound, position: { file: 1 } },
      "5.json": { ...sound, path: 5 },
      "6.json": { ...sound, offset: "6" },
      "7.json": { ...sound, reason: undefined },
      "8.json": null,
    };
    for (const [name, value] of Object.entries(files)) {
      writeFileSync(join(directory.damage, name), JSON.stringify(value));
    }
    writeFileSync(join(directory.damage, "9.json"), "{");
    expect(readDamageReports(directory)).toEqual([sound]);
    return Promise.resolve();
  });
});

it("keeps a thousand reports and no more", async () => {
  await withTemporaryDirectory((path) => {
    const directory = dataDirectory(path);
    mkdirSync(directory.damage);
    for (let index = 1; index < maximumReports; index += 1) writeFileSync(join(directory.damage, String(index)), "");
    reportDamage(directory, damageAt(1, 1));
    reportDamage(directory, damageAt(1, 2));
    expect(readDamageReports(directory)).toEqual([damageAt(1, 1)]);
    expect(readdirSync(directory.damage)).toHaveLength(maximumReports);
    return Promise.resolve();
  });
});

it("reports nothing where the directory can't be written", async () => {
  await withTemporaryDirectory((path) => {
    const directory = dataDirectory(path);
    writeFileSync(directory.damage, "a file in its place");
    expect(() => reportDamage(directory, damageAt(1, 1))).not.toThrow();
    expect(readDamageReports(directory)).toEqual([]);
    rmSync(directory.damage);
    return Promise.resolve();
  });
});
