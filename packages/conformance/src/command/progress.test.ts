import { describe, expect, it } from "vitest";
import { sampleCase } from "../testing/sample-report.ts";
import { createProgress } from "./progress.ts";

function play(isWanted: boolean, isTTY: boolean): readonly string[] {
  const written: string[] = [];
  let now = 0;
  const stream = { isTTY, columns: 60, write: (text: string) => written.push(text) > 0 };
  const progress = createProgress(stream, isWanted, () => now);
  progress.onCase(sampleCase("b/protocol/not-sent", "not-sent"));
  progress.onStage("bound\u001b[31maries", 40);
  for (let index = 0; index < 20; index += 1) {
    now += 100;
    progress.onCase(sampleCase(`a/example/${index}`, index === 3 ? "failed" : "passed"));
  }
  progress.clear();
  return written;
}

describe("progress", () => {
  it("says what is played, how far it is and how long it takes", () => {
    const written = play(true, true);
    expect(written.at(-2)).toBe("\r\u001b[2Kbound\\u001b[31maries · 20/40 cases · 1 failed · about 2.0 s");
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });

  it("is quiet where nobody looks, or wants to", () => {
    expect(play(true, false)).toEqual([]);
    expect(play(false, true)).toEqual([]);
  });
});
