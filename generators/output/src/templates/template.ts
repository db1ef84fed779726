import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { runInThisContext } from "node:vm";
import { type TemplateProgram, templatePrograms } from "./template-programs.ts";
import { digestOf } from "../write/digest.ts";

type Handlebars = typeof import("handlebars");

type TemplateSpecification = Parameters<Handlebars["template"]>[0];

/** Input of a template: finished text, flags, and lists of the same. */
export interface TemplateView {
  readonly [name: string]: string | boolean | TemplateView | readonly (string | TemplateView)[];
}

/**
 * Folder of templates: in the package where it is installed, at the root of the repository during development. `src` and `dist` are
 * siblings, so the relative path is the same from both.
 */
const packedTemplates = new URL("../../templates/", import.meta.url);
const templateDirectory = existsSync(packedTemplates)
  ? packedTemplates
  : new URL("../../../../templates/", import.meta.url);

const compileOptions = { noEscape: true, strict: true, knownHelpersOnly: true };

const rendererByName = new Map<string, (view: TemplateView) => string>();

/**
 * Renders `templates/<name>.hbs`. Text is inserted unchanged, and a missing value throws: strict mode, no escaping, only Handlebars' own
 * helpers.
 */
export function renderTemplate(name: string, view: TemplateView): string {
  const known = rendererByName.get(name);
  if (known !== undefined) return known(view);
  const text = readTemplate(name);
  const program = templatePrograms[name];
  // Loading Handlebars and compiling takes a tenth of a small run.
  const compiled =
    program?.digest === digestOf(text)
      ? load("handlebars/runtime").template<TemplateView>(
          runInThisContext(`(${program.code})`) as TemplateSpecification,
        )
      : load("handlebars").compile<TemplateView>(text, compileOptions);
  const render = (values: TemplateView): string => compiled(values);
  rendererByName.set(name, render);
  return render(view);
}

/** Returns the program of each template, ordered by name: the content of `template-programs.ts`. */
export function compileTemplates(): Readonly<Record<string, TemplateProgram>> {
  const names = readdirSync(templateDirectory)
    .filter((file) => file.endsWith(".hbs"))
    .map((file) => file.slice(0, -".hbs".length));
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const text = readTemplate(name);
      return [name, { digest: digestOf(text), code: String(load("handlebars").precompile(text, compileOptions)) }];
    }),
  );
}

function readTemplate(name: string): string {
  return readFileSync(fileURLToPath(new URL(`${name}.hbs`, templateDirectory)), "utf8");
}

function load(part: "handlebars" | "handlebars/runtime"): Handlebars {
  return createRequire(import.meta.url)(part) as Handlebars;
}
