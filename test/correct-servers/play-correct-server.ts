import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FindingReport, playSuite, type Report } from "@nodewright/conformance";
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from "graphql";
import { readSuite } from "../../generators/cli/src/conform/read-suite.ts";
import { createPhases } from "../../generators/cli/src/jobs/phases.ts";
import { findFreePort } from "../support/free-port.ts";
import { startNodeProgram } from "../support/node-program.ts";
import { buildServer, type CorrectServer, type ExpectedFinding, readOwnDocument } from "./correct-servers.ts";

/** Starts a server, plays the suite of its document once for each seed, and stops it. */
export async function playCorrectServer(
  server: CorrectServer,
  cache: string,
  seeds: readonly string[],
): Promise<readonly Report[]> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const program = await startNodeProgram({
    ...buildServer(server, cache, port),
    isReady: async () => (await fetch(`${origin}/`)).status > 0,
  });
  const directory = mkdtempSync(join(tmpdir(), "nodewright-correct-server-"));
  try {
    const { fileName, text } = await readDocument(server, origin);
    writeFileSync(join(directory, fileName), text);
    const { suite, diagnostics } = await readSuite({ spec: join(directory, fileName), operations: [] }, createPhases());
    if (suite === undefined) throw new Error(diagnostics.map(({ message }) => message).join("; "));
    const reports: Report[] = [];
    for (const seed of seeds)
      reports.push(
        await playSuite(suite, {
          baseUrl: `${origin}${server.endpoint ?? ""}`,
          seed,
          rate: 100_000,
          concurrency: 4,
        }),
      );
    return reports;
  } finally {
    await program.stop();
    rmSync(directory, { recursive: true });
  }
}

/** Returns a line for each case that failed, or was flaky, with a finding that is not expected. */
export function falseAlarmsIn(
  { cases, outcome, inconclusiveBecause = "" }: Report,
  server: CorrectServer,
): readonly string[] {
  const alarms = cases
    .filter(({ verdict }) => verdict === "failed" || verdict === "flaky")
    .flatMap(({ id, verdict, findings }) => {
      const broken = findings.filter((found) => found.level === "MUST" && expectedFor(found, server) === undefined);
      if (broken.length === 0 && verdict === "failed") return [];
      return `${id} is ${verdict}: ${broken.map(({ rule, message, detail = "" }) => `${rule} ${message} (${detail})`).join("; ")}`;
    });
  return outcome === "inconclusive" ? [...alarms, inconclusiveBecause] : alarms;
}

/** Returns the expected findings of a server that none of its reports has: the framework, or its manifest, has to be looked at. */
export function missingFindings(reports: readonly Report[], server: CorrectServer): readonly ExpectedFinding[] {
  const found = reports.flatMap(({ cases }) => cases.flatMap(({ findings }) => findings));
  const seen = new Set(found.map((one) => expectedFor(one, server)));
  return (server.expected ?? []).filter((one) => !seen.has(one));
}

function expectedFor({ rule, message }: FindingReport, { expected = [] }: CorrectServer): ExpectedFinding | undefined {
  return expected.find((one) => one.rule === rule && message.includes(one.message));
}

async function readDocument(
  server: CorrectServer,
  origin: string,
): Promise<{ readonly fileName: string; readonly text: string }> {
  const { document, endpoint = "" } = server;
  if (document.startsWith("/")) {
    const response = await fetch(`${origin}${document}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${document} is answered with ${response.status}: ${text}`);
    return { fileName: text.startsWith("{") ? "document.json" : "schema.graphql", text };
  }
  if (document !== "introspection") return { fileName: document, text: readOwnDocument(server) };
  const response = await fetch(`${origin}${endpoint}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const { data } = (await response.json()) as { readonly data: IntrospectionQuery };
  return { fileName: "schema.graphql", text: printSchema(buildClientSchema(data)) };
}
