import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sampleReport, sampleTexts } from "../../testing/sample-report.ts";
import { renderHtml } from "./render-html.ts";

const html = renderHtml(sampleReport(), sampleTexts);

describe("the report's page", () => {
  it("lets its own script and style run and nothing else", () => {
    const [, policy = ""] = /Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
    const [, script = ""] = /<script type="module">([\s\S]*?)<\/script>/.exec(html) ?? [];
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    for (const text of [script, style])
      expect(policy).toContain(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
  });

  it("names nothing outside of itself", () => {
    const [page = ""] = html.split('<script type="application/json"');
    expect(page).not.toMatch(/\b(?:src|href|url)\s*[=(]/);
  });

  it("holds the report so that no tag can end it", () => {
    const report = sampleReport({ notices: ["</script><!--<script>"] });
    const [, data = ""] = /id="report">([\s\S]*?)<\/script>/.exec(renderHtml(report, new Map())) ?? [];
    expect((JSON.parse(data) as { report: { notices: unknown } }).report.notices).toEqual(report.notices);
  });

  it("has a script whose types are right", () => {
    const directory = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
    const page = join(import.meta.dirname, "../../../page");
    const { status, stdout } = spawnSync(process.execPath, [join(directory, "bin/tsc"), "--project", page], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, ""]);
  });
});
