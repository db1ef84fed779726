import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import {
  configFromCommandLine,
  type LoadedConfig,
  loadConfig,
  type RefusedConfig,
} from "../configuration/load-config.ts";
import type { GenerationResult } from "../generation/generate.ts";
import { type Only, readOnly } from "../jobs/only.ts";
import { createPhases, type Phases } from "../jobs/phases.ts";
import { createProgress, type Progress } from "./progress.ts";
import { counted, UsageError } from "@nodewright/terminal-text";
import { visible } from "../report/paint.ts";
import type { CommandOptions } from "./command-options.ts";

/** Everything that a command needs during a run. */
export interface Run {
  readonly phases: Phases;
  readonly progress: Progress;
  /** Prints a line for the user during the run. */
  notice(sentence: string): void;
  /** Called with each document when the run reaches it. */
  readonly onDocument: (source: string, path: string) => void;
}

/** Size in bytes above which a document takes long enough that progress is shown at once. */
const longBytes = 300_000;

export function openRun({ json }: CommandOptions): Run {
  const progress = createProgress(process.stderr, !json);
  let document = "nodewright";
  const phases = createPhases((name) => progress.show(visible(`${document}: ${phaseWords[name] ?? name} …`)));
  return {
    onDocument(source, path) {
      document = source;
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > longBytes) progress.expectLong();
    },
    phases,
    progress,
    notice(sentence) {
      progress.clear();
      console.error(visible(sentence));
    },
  };
}

const phaseWords: Readonly<Record<string, string>> = {
  look: "reading existing files",
  load: "loading",
  read: "reading",
  model: "reading",
  "hold values": "validating examples",
  write: "writing",
};

/**
 * Returns the configuration file that the command line names, or the configuration that the command line describes, with the reference
 * folders of the command line added.
 */
export async function openConfig(options: CommandOptions): Promise<LoadedConfig | RefusedConfig> {
  const loaded = await loadNamedConfig(options);
  const allowed = options.referenceFolders.map((folder) => resolve(folder));
  if (allowed.length === 0 || !("config" in loaded)) return loaded;
  const documents = loaded.config.documents.map((document) => ({
    ...document,
    referenceFolders: [...(document.referenceFolders ?? []), ...allowed],
  }));
  return { ...loaded, config: { ...loaded.config, documents } };
}

async function loadNamedConfig(options: CommandOptions): Promise<LoadedConfig | RefusedConfig> {
  const { config, documents, output, isConfigNamed } = options;
  if (output !== undefined) {
    const [source, ...others] = documents;
    if (source === undefined)
      throw new UsageError("--output goes with a document: nodewright gen openapi.yaml --output ./petstore");
    if (others.length > 0)
      throw new UsageError(
        "--output takes one document. Describe several in nodewright.config.ts: each has a package of its own.",
      );
    if (isConfigNamed)
      throw new UsageError("--output is for runs without a configuration: leave --config or --output out.");
    return configFromCommandLine(source, output);
  }
  if (documents.length > 0 && !existsSync(config) && !isConfigNamed) {
    throw new UsageError(
      `Say where to write what is made from ${documents[0]}: nodewright gen ${documents[0]} --output ./petstore`,
    );
  }
  return loadConfig(config);
}

/** Returns the part of the configuration that the run covers: the documents named together with a configuration. */
export function openOnly({ only, documents, output }: CommandOptions, loaded: LoadedConfig): Only {
  return readOnly(output === undefined ? [...only, ...documents] : only, loaded.config);
}

/** Returns an invalid configuration as the result of a run. */
export function refusedResult({ diagnostics, texts }: RefusedConfig): GenerationResult {
  return { diagnostics, texts, plans: [], upToDate: [], failed: [], recoveries: [], inputs: new Map() };
}

/** Prints the time of each phase and the memory that the run used. */
export function printTimes({ times, notes }: Phases, started: number): void {
  for (const note of notes) console.error(visible(note));
  const parts = [...times].map(([name, time]) => `${name} ${milliseconds(time)}`);
  const whole = milliseconds(performance.now() - started);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  console.error(`Times: ${parts.join(", ")}; ${whole} in total; peak memory ${counted(peak, "MB").replace(/s$/, "")}.`);
}

function milliseconds(time: number): string {
  return time < 1000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(2)} s`;
}
