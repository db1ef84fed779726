import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

type Handlebars = typeof import("handlebars");

/** What a template is filled with: finished text, flags, and lists of the same. */
export interface TemplateView {
  readonly [name: string]: string | boolean | TemplateView | readonly (string | TemplateView)[];
}

/**
 * The folder of templates: in the package where it is installed, at the root of the repository where it is worked on. `src` and
 * `dist` stand side by side, so the way there is the same from both.
 */
const packedTemplates = new URL("../templates/", import.meta.url);
const templateDirectory = existsSync(packedTemplates)
  ? packedTemplates
  : new URL("../../../templates/", import.meta.url);

const rendererByName = new Map<string, (view: TemplateView) => string>();

/**
 * Fills `templates/<name>.hbs`. Text goes in as it is, and a missing value throws: strict mode, nothing escaped, no helpers but
 * Handlebars' own.
 */
export function renderTemplate(name: string, view: TemplateView): string {
  const known = rendererByName.get(name);
  if (known !== undefined) return known(view);
  const text = readFileSync(fileURLToPath(new URL(`${name}.hbs`, templateDirectory)), "utf8");
  const compiled = loadHandlebars().compile<TemplateView>(text, {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
  });
  const render = (values: TemplateView): string => compiled(values);
  rendererByName.set(name, render);
  return render(view);
}

let loaded: Handlebars | undefined;

function loadHandlebars(): Handlebars {
  loaded ??= createRequire(import.meta.url)("handlebars") as Handlebars;
  return loaded;
}
