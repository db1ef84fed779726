// The tests, as the README's command runs them. The last line is always `N passed, N failed, N skipped`.
//
//   --checks     also format, lint, unused code and fresh generated code, each counted as a test
//   --no-skips   a skipped test is a failure
//   other words  are handed to vitest: files or name patterns
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const words = process.argv.slice(2);
const hasChecks = words.includes("--checks");
const forbidsSkips = words.includes("--no-skips");
const filters = words.filter((word) => word !== "--checks" && word !== "--no-skips");
const totals: Totals = { passed: 0, failed: 0, skipped: 0 };

function runScript(name: string): void {
  console.log(`\n> npm run ${name}`);
  const { status } = spawnSync("npm", ["run", "--silent", name], { stdio: "inherit" });
  totals[status === 0 ? "passed" : "failed"] += 1;
  if (status !== 0) console.log(`npm run ${name} failed`);
}

function runVitest(): void {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-test-"));
  const reportFile = join(directory, "report.json");
  const { status } = spawnSync(
    "vitest",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`, ...filters],
    { stdio: "inherit" },
  );
  const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, "utf8")) as VitestReport) : undefined;
  rmSync(directory, { recursive: true });
  if (report === undefined) {
    totals.failed += 1;
    return;
  }
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests;
  totals.skipped += report.numPendingTests + report.numTodoTests;
  // A suite that could not be loaded has no tests to count, and vitest says so by its exit code alone.
  if (status !== 0 && report.numFailedTests === 0) totals.failed += Math.max(1, report.numFailedTestSuites);
  for (const { name, assertionResults } of report.testResults) {
    for (const { status: verdict, fullName } of assertionResults) {
      if (verdict === "skipped" || verdict === "pending" || verdict === "todo")
        console.log(`SKIPPED ${name.replace(`${process.cwd()}/`, "")}: ${fullName}`);
    }
  }
}

const checks = hasChecks ? ["format:check", "lint", "unused", "check"] : [];
for (const check of filters.length > 0 ? [] : ["build", "typecheck", ...checks]) runScript(check);
runVitest();
if (forbidsSkips && totals.skipped > 0) {
  console.log(`${totals.skipped} tests were skipped, and none may be.`);
  totals.failed += totals.skipped;
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
