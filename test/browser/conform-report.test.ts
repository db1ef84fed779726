import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { renderHtml } from "../../packages/conformance/src/report/html/render-html.ts";
import type { CaseReport, Report, Verdict } from "../../packages/conformance/src/contract/report.ts";
import { sampleCase, sampleReport, sampleTexts } from "../../packages/conformance/src/testing/sample-report.ts";
import { keepScreenshot, type PageRecord, recordPage, startChromium } from "../support/browser.ts";
import { requireProgram } from "../support/requirement.ts";

const { path: chromium } = requireProgram("chromium");

/** Twenty thousand cases of 400 operations, a twentieth of them failed. */
function largeReport(): Report {
  const [operation] = sampleReport().operations;
  const failing = sampleReport().cases.find(({ verdict }) => verdict === "failed");
  const cases: CaseReport[] = Array.from({ length: 20_000 }, (_, index) =>
    index % 20 === 0
      ? {
          ...sampleCase(`op${index % 400}/random/${index}`, "failed"),
          findings: failing?.findings ?? [],
          exchanges: failing?.exchanges ?? [],
        }
      : sampleCase(`op${index % 400}/random/${index}`, "passed"),
  );
  const operations = Array.from({ length: 400 }, (_, index) => ({
    ...(operation as Report["operations"][number]),
    operation: `op${index}`,
    origin: `GET /op${index}`,
  }));
  const totals = { ...sampleReport().totals, passed: 19_000, failed: 1_000 } satisfies Record<Verdict, number>;
  return sampleReport({ cases, operations, totals });
}

describe.skipIf(chromium === undefined)("the report's page in Chromium", { timeout: 60_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-report-"));
  let browser: Browser;
  let page: Page;
  let record: PageRecord;

  beforeAll(async () => {
    browser = await startChromium(chromium ?? "");
  });
  afterAll(async () => {
    await browser.close();
    rmSync(directory, { recursive: true });
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    record = recordPage(page);
  });
  afterEach(async () => {
    // Nothing but the file itself was asked for, and nothing was complained of.
    expect(record.requests.filter((request) => !request.startsWith("GET file:"))).toEqual([]);
    expect(record.complaints).toEqual([]);
    await page.close();
  });

  async function open(report: Report, hash = ""): Promise<void> {
    const file = join(directory, "report.html");
    writeFileSync(file, renderHtml(report, sampleTexts));
    await page.goto(`${pathToFileURL(file).href}${hash}`);
    await page.locator("main").waitFor();
  }

  const shownCases = () => page.locator("details.case:visible");

  it("tells what failed, with what was sent, what came and what the document says", async () => {
    await open(sampleReport());
    await expect.poll(() => page.locator(".outcome").textContent()).toContain("It does not conform.");
    await page.locator("details.operation:visible > summary").first().click();
    const failed = page.locator('[data-case="listPets/example/all"]');
    await failed.locator("summary").first().click();
    // What stands in a case is made when it is opened.
    await failed.locator(".marked").waitFor();
    const text = await failed.textContent();
    expect(text).toContain("GET http://pets.example/v1/pets?apikey=$API_KEY");
    expect(text).toContain("16 |                   name: { type: string, minLength: 1 }");
    await expect
      .poll(() => failed.locator(".marked").textContent())
      .toContain('"nmae":"Bob \\u001b[31m\\u202egnp.exe"');
    await keepScreenshot(page, "conform-report");
    await page.emulateMedia({ colorScheme: "dark" });
    await keepScreenshot(page, "conform-report-dark");
  });

  it("has the outcome and the first fault on the first screen", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await open(sampleReport());
    const fault = page.locator("details.fault").first();
    for (const part of [
      page.locator(".outcome"),
      fault.locator("summary").first(),
      fault.getByText("GET http://pets.example/v1/pets?apikey=$API_KEY"),
      fault.locator(".marked"),
      fault.locator("pre.frame"),
    ]) {
      const box = await part.boundingBox();
      expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(720);
    }
    await keepScreenshot(page, "conform-report-first-screen");
    expect(await fault.textContent()).toContain("3 cases");
    await fault.getByText("3 cases").last().click();
    await fault.getByRole("link", { name: "listPets/boundary/limit-1", exact: true }).click();
    await expect.poll(() => page.locator('[data-case="listPets/boundary/limit-1"]').getAttribute("open")).toBe("");
  });

  it("is filtered by verdict and by words", async () => {
    await open(sampleReport());
    await page.getByRole("button", { name: "2 warned" }).click();
    await expect.poll(() => page.locator("details.operation:visible").count()).toBe(1);
    await page.locator("details.operation:visible > summary").click();
    await expect.poll(() => shownCases().count()).toBe(2);
    await page.getByRole("button", { name: "2 warned" }).click();
    await page.getByLabel("Search cases, rules and messages").fill("HEAD status");
    await expect.poll(() => page.locator("details.operation:visible").count()).toBe(1);
    await expect.poll(() => page.getByText("1 of 13 cases.").isVisible()).toBe(true);
  });

  it("opens the case that its address names", async () => {
    await open(sampleReport(), `#${encodeURIComponent("getPet/negative/pet-id-text")}`);
    await expect.poll(() => page.locator('[data-case="getPet/negative/pet-id-text"]').getAttribute("open")).toBe("");
  });

  it("has each operation's times and coverage", async () => {
    await open(sampleReport());
    const row = page.locator("tbody tr").first();
    await expect
      .poll(() => row.locator("svg").getAttribute("aria-label"))
      .toBe("median 3 ms, 95 % 12 ms, 99 % 12 ms, most 12 ms");
    await row.locator("summary").click();
    await expect.poll(() => row.textContent()).toContain("statuses never seen: 404");
  });

  it("does nothing that a server says", async () => {
    const nasty = `</script><script>window.owned = 1</script><img src=x onerror="window.owned = 1"><!--<script>`;
    const spoilt = JSON.parse(
      JSON.stringify(sampleReport(), (key, value: unknown) =>
        typeof value === "string" && !["verdict", "level", "outcome", "protocol", "place", "availability"].includes(key)
          ? `${value}${nasty}`
          : value,
      ),
    ) as Report;
    await open(spoilt);
    for (const summary of await page.locator("details.operation > summary").all()) await summary.click();
    for (const summary of await page.locator("details.case:visible > summary").all()) await summary.click();
    expect(await page.evaluate("window.owned")).toBeUndefined();
    await expect.poll(() => page.locator("img, main script").count()).toBe(0);
    await expect.poll(() => page.title()).toContain(nasty);
  });

  it("can be searched with twenty thousand cases", async () => {
    await open(largeReport());
    expect(await page.locator("*").count()).toBeLessThan(20_000);
    await page.getByLabel("Search cases, rules and messages").fill("op7/random/19607");
    await expect.poll(() => page.getByText("1 of 20,000 cases.").isVisible()).toBe(true);
  });

  it("can be used by the keyboard and printed", async () => {
    await open(sampleReport());
    await page.getByRole("button", { name: "4 failed" }).focus();
    await page.keyboard.press("Space");
    await expect.poll(() => page.getByRole("button", { name: "4 failed" }).getAttribute("aria-pressed")).toBe("true");
    const pdf = await page.pdf();
    expect(pdf.length).toBeGreaterThan(10_000);
    expect(await page.locator("details.case.failed[open]").count()).toBeGreaterThan(0);
  });
});
