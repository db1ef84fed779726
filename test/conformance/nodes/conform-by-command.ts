import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Report } from "@nodewright/conformance";
import { root } from "../../support/workspace.ts";

/** What `nodewright conform` ended with. */
export interface ConformRun {
  readonly code: number | null;
  readonly report: Report;
  /** The availability of operations, as `--report methods` writes it: Markdown, and JSON. */
  readonly methods: { readonly markdown: string; readonly json: string };
  /** Everything that it printed. */
  readonly output: string;
}

/** With UPDATE_GOLDEN=1, baselines are written. */
const furtherParameters = process.env["UPDATE_GOLDEN"] === "1" ? ["--update-baseline"] : [];

/** Runs `nodewright conform` as a user does, in a process of its own. Throws with what was printed where no report came. */
export async function conformByCommand(
  url: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ConformRun> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-conform-"));
  const [json, markdown, methods] = ["report.json", "methods.md", "methods.json"].map((name) => join(directory, name));
  const reports = [`json=${json}`, `methods=${markdown}`, `methods=${methods}`].flatMap((one) => ["--report", one]);
  const program = ["--conditions=source", "generators/cli/src/main.ts", "conform", url, ...parameters, ...reports];
  if (parameters.includes("--baseline")) program.push(...furtherParameters);
  const child = spawn(process.execPath, program, { cwd: root, env: { ...process.env, ...environment } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  const read = (name = ""): string => {
    try {
      return readFileSync(name, "utf8");
    } catch {
      throw new Error(`nodewright conform ended with ${code} and wrote no report:\n${output}`);
    }
  };
  try {
    return {
      code,
      report: JSON.parse(read(json)) as Report,
      methods: { markdown: read(markdown), json: read(methods) },
      output,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Each case that fails with what was found, and each entry of a baseline that is not true: nothing is in it where a node is as it is known. */
export function surprisesOf({ cases }: Report): readonly string[] {
  const isListedAsFlaky = (reason = ""): boolean => reason.startsWith("known to be flaky");
  return cases
    .filter(
      ({ verdict, reason }) =>
        verdict === "failed" || verdict === "stale" || (verdict === "flaky" && !isListedAsFlaky(reason)),
    )
    .map(({ id, verdict, reason, findings }) => {
      const found = findings.map(({ rule, message, detail = "" }) => `${rule} ${message} (${detail})`).join("; ");
      return `${id} is ${verdict}: ${reason ?? ""} ${found}`;
    });
}

/** Ids of cases that fail as a baseline says. */
export function knownCases({ cases }: Report): readonly string[] {
  return cases.filter(({ verdict }) => verdict === "known").map(({ id }) => id);
}
