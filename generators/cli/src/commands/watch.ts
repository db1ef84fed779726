import { join, resolve } from "node:path";
import type { LoadedConfig, RefusedConfig } from "../configuration/load-config.ts";
import { describeFailure, type ExitCode } from "../generation/failure.ts";
import { createFileWatcher } from "./file-watcher.ts";
import type { GenerationResult } from "../generation/generate.ts";
import { generatorDigest } from "../generation/generator-digest.ts";
import { readRenameDecision } from "../renames/rename-decision.ts";
import { counted } from "@nodewright/terminal-text";
import { visible } from "../report/paint.ts";
import type { CommandEnd, GenOptions } from "./command-options.ts";
import { generate, reportRefused } from "./gen.ts";
import { openConfig, openOnly, openRun } from "./open-run.ts";

/** Exit codes of the signals that end a watching run: 128 plus the signal number. */
const endings = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const satisfies Record<string, ExitCode>;

/** Runs `nodewright gen --watch`: generates again whenever an input has changed, until a signal ends it. */
export async function watch(options: GenOptions): Promise<CommandEnd> {
  const session = new WatchSession(options);
  return session.run();
}

class WatchSession {
  readonly #options: GenOptions;
  readonly #digest = generatorDigest();
  readonly #inputs = new Map<number, readonly string[]>();
  readonly #changed = new Set<string>();
  #loaded: LoadedConfig | RefusedConfig | undefined;
  #wake: () => void = () => undefined;
  #ending: ExitCode | undefined;

  constructor(options: GenOptions) {
    this.#options = options;
  }

  async run(): Promise<CommandEnd> {
    const watcher = createFileWatcher((changed) => {
      for (const path of changed) this.#changed.add(path);
      this.#wake();
    });
    const handlers = Object.entries(endings).map(([signal, code]) => {
      const handler = (): void => {
        this.#ending = code;
        this.#wake();
      };
      process.on(signal, handler);
      return [signal, handler] as const;
    });
    try {
      let readAt = Date.now();
      await this.#generate(undefined);
      watcher.watch(this.#watched(), readAt);
      this.#say(`Watching ${counted(this.#watched().size, "place")}. Ctrl-C ends.`);
      for (;;) {
        if (this.#changed.size === 0 && this.#ending === undefined)
          await new Promise<void>((wake) => {
            this.#wake = wake;
          });
        if (this.#ending !== undefined) return { exitCode: this.#ending };
        const changed = new Set(this.#changed);
        this.#changed.clear();
        readAt = Date.now();
        await this.#generate(changed);
        watcher.watch(this.#watched(), readAt);
      }
    } finally {
      watcher.close();
      for (const [signal, handler] of handlers) process.off(signal, handler);
    }
  }

  /** Generates what the changed files affect; everything when they are unknown. */
  async #generate(changed: ReadonlySet<string> | undefined): Promise<void> {
    const started = performance.now();
    try {
      const isFirst = this.#loaded === undefined;
      if (isFirst || this.#loaded?.files.some((file) => changed?.has(file)) === true) {
        this.#loaded = await openConfig(this.#options);
        await this.#generateAll(this.#loaded, { isWarmingUp: isFirst });
      } else if (this.#loaded !== undefined && "config" in this.#loaded) {
        const concerned = this.#concerned(this.#loaded, changed ?? new Set());
        if (concerned.size === 0) return;
        await this.#generatePart(this.#loaded, concerned);
      }
    } catch (reason) {
      console.error(visible(describeFailure(reason, this.#options.verbose).message));
    }
    this.#say(`${Math.round(performance.now() - started)} ms.`);
  }

  async #generateAll(
    loaded: LoadedConfig | RefusedConfig,
    { isWarmingUp }: { readonly isWarmingUp: boolean },
  ): Promise<void> {
    if (!("config" in loaded)) {
      reportRefused(loaded, this.#options);
      return;
    }
    this.#inputs.clear();
    await this.#generatePart(loaded, undefined, isWarmingUp);
  }

  async #generatePart(
    loaded: LoadedConfig,
    documents: ReadonlySet<number> | undefined,
    isWarmingUp = false,
  ): Promise<void> {
    const options = this.#options;
    const only = openOnly(options, loaded);
    await generate(loaded, options, {
      run: openRun(options),
      started: performance.now(),
      choice: readRenameDecision(options.applyRenames, options.renames),
      generatorDigest: this.#digest,
      // A first run that does all the work has everything loaded and compiled for the first save.
      isEverythingRead: isWarmingUp,
      only: documents === undefined ? only : { ...only, documents },
      onResult: (result) => this.#remember(result),
    });
  }

  #remember({ inputs }: GenerationResult): void {
    for (const [index, files] of inputs) this.#inputs.set(index, files);
  }

  #concerned(loaded: LoadedConfig, changed: ReadonlySet<string>): ReadonlySet<number> {
    const only = openOnly(this.#options, loaded).documents;
    return new Set(
      loaded.config.documents.flatMap((_document, index) => {
        if (only?.has(index) === false) return [];
        return this.#placesOf(loaded, index).some((path) => changed.has(path)) ? [index] : [];
      }),
    );
  }

  /** Returns the absolute paths of everything that a document's output depends on. */
  #placesOf({ root, config }: LoadedConfig, index: number): readonly string[] {
    const document = config.documents[index];
    if (document === undefined) return [];
    const { source, operationDocuments, handlers, package: directory } = document;
    const named = [source, ...(this.#inputs.get(index) ?? []), join(directory, "package.json")];
    const directories = [operationDocuments, handlers?.directory].filter((path) => path !== undefined);
    return [...named, ...directories].map((path) => resolve(root, path));
  }

  #watched(): ReadonlySet<string> {
    const loaded = this.#loaded;
    if (loaded === undefined) return new Set([resolve(this.#options.config)]);
    if (!("config" in loaded)) return new Set(loaded.files);
    const places = loaded.config.documents.flatMap((_document, index) => this.#placesOf(loaded, index));
    return new Set([...loaded.files, ...places]);
  }

  #say(sentence: string): void {
    if (this.#options.json) return;
    console.log(`[${new Date().toTimeString().slice(0, 8)}] ${sentence}`);
  }
}
