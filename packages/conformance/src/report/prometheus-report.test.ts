import { describe, expect, it } from "vitest";
import { renderPrometheus } from "./prometheus-report.ts";
import { sampleReport } from "../testing/sample-report.ts";

/** Parses the text format 0.0.4: sample with labels → value. Throws for what a collector would refuse. */
function read(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  const typed = new Set<string>();
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  for (const line of text.slice(0, -1).split("\n")) {
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) gauge$/.exec(line)?.[1];
    if (type !== undefined) {
      if (typed.has(type)) throw new Error(`${type} has two types`);
      typed.add(type);
      continue;
    }
    if (line.startsWith("# HELP ")) continue;
    const match =
      /^([a-zA-Z_:][\w:]*)\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\} (-?\d+(?:\.\d+)?(?:e-?\d+)?)$/.exec(line);
    if (match === null) throw new Error(`no sample: ${line}`);
    const [, name = "", labels = "", value = ""] = match;
    if (!typed.has(name)) throw new Error(`${name} has no type`);
    const key = `${name}{${labels}}`;
    if (samples.has(key)) throw new Error(`${key} stands twice`);
    samples.set(key, Number(value));
  }
  return samples;
}

const labels = 'suite="pets",target="http://pets.example/v1"';

describe("metrics", () => {
  const samples = read(renderPrometheus(sampleReport()));

  it.each([
    [`nodewright_conform_conforms{${labels}}`, 0],
    [`nodewright_conform_conclusive{${labels}}`, 1],
    [`nodewright_conform_cases{${labels},verdict="failed"}`, 4],
    [`nodewright_conform_cases{${labels},verdict="not-sent"}`, 1],
    [`nodewright_conform_requests{${labels}}`, 74],
    [`nodewright_conform_duration_seconds{${labels}}`, 1.834],
    [`nodewright_conform_last_run_timestamp_seconds{${labels}}`, Date.parse("2026-11-22T04:00:00Z") / 1000],
    [`nodewright_conform_target_height{${labels}}`, 120],
    [`nodewright_conform_operation_available{${labels},operation="getOwner"}`, 0],
    [`nodewright_conform_operation_failed_cases{${labels},operation="listPets"}`, 4],
    [`nodewright_conform_operation_latency_seconds{${labels},operation="getPet",quantile="0.95"}`, 0.0118],
  ])("hold %s", (sample, value) => {
    expect(samples.get(sample)).toBe(value);
  });

  it("say nothing of what is not known", () => {
    const text = renderPrometheus(sampleReport({ target: {} }));
    expect(text).not.toContain("target_height");
    expect(text).not.toContain("undefined");
    read(text);
  });

  it("are read whatever a client calls itself", () => {
    const text = renderPrometheus(sampleReport({ target: { client: 'a"b\\c\nd} 1' } }));
    expect([...read(text).keys()].some((key) => key.includes('client="a\\"b\\\\c\\nd} 1"'))).toBe(true);
  });
});
