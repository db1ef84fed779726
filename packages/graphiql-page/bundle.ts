// Makes dist/page of browser/ and of the libraries it uses: files that a server hands out, each named after what it holds.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const { resolve } = createRequire(import.meta.url);
const home = fileURLToPath(new URL(".", import.meta.url));
const target = join(home, "dist/page");

async function bundleScripts(): Promise<{ readonly entry: string; readonly modules: readonly string[] }> {
  const bundle = await rolldown({
    input: join(home, "browser/page.tsx"),
    platform: "browser",
    // Packages say which of their modules are for clients; here all are.
    logLevel: "silent",
    resolve: { alias: { "react-style-singleton": join(home, "browser/constructed-style.ts") } },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await bundle.write({
    dir: target,
    format: "esm",
    minify: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
  const chunks = output.filter((each) => each.type === "chunk");
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error("The bundle has no entry");
  return { entry: entry.fileName, modules: chunks.flatMap(({ moduleIds }) => moduleIds) };
}

/** GraphiQL's styles without the fonts that it brings, 370 kB of them, and ours behind them. */
function bundleStyles(): string {
  const styles = readFileSync(resolve("graphiql/style.css"), "utf8").replaceAll(/@font-face\s*\{[^}]*\}\s*/g, "");
  if (/url\((?!["']?data:image\/)/.test(styles)) throw new Error("GraphiQL's styles refer to other files");
  const text = `${styles}\n${readFileSync(join(home, "browser/page.css"), "utf8")}`;
  const name = `page-${createHash("sha256").update(text).digest("base64url").slice(0, 8)}.css`;
  writeFileSync(join(target, name), text);
  return name;
}

/** The licences of all that was bundled, as they ask for. */
function gatherLicences(modules: readonly string[]): string {
  const packages = new Map<string, string>();
  for (const module of modules) {
    const found = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(module);
    if (found?.[1] !== undefined && found[2] !== undefined) packages.set(found[1], found[2]);
  }
  packages.set(dirname(resolve("graphiql/package.json")), "graphiql");
  const texts = [...packages].map(([directory, name]) => `${name}\n\n${licenceOf(directory)}`);
  return `${texts.toSorted().join(`\n${"-".repeat(80)}\n\n`)}`;
}

function licenceOf(directory: string): string {
  const file = readdirSync(directory).find((name) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(name));
  if (file !== undefined) return `${readFileSync(join(directory, file), "utf8").trimEnd()}\n`;
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Record<string, unknown>;
  return `Licence: ${String(manifest["license"])}\n`;
}

if (existsSync(target)) rmSync(target, { recursive: true });
mkdirSync(target, { recursive: true });
const { entry, modules } = await bundleScripts();
const style = bundleStyles();
writeFileSync(join(target, "licences.txt"), gatherLicences(modules));
writeFileSync(join(target, "page.json"), `${JSON.stringify({ entry, style })}\n`);
