import type { PageConfiguration } from "./page-configuration.ts";

/** Names of the files that the document loads or points to. */
export interface PageParts {
  readonly entry: string;
  readonly style: string;
  readonly licences: string;
}

/** The document: no script and no style of its own, so that a policy may forbid both. */
export function renderPage(configuration: PageConfiguration, { entry, style, licences }: PageParts): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GraphQL</title>
    <link rel="icon" href="data:," />
    <link rel="license" href="docs/assets/${licences}" />
    <link rel="stylesheet" href="docs/assets/${style}" />
    <script type="module" src="docs/assets/${entry}"></script>
  </head>
  <body>
    <div id="page" data-configuration="${escapeAttribute(JSON.stringify(configuration))}">
      <noscript>GraphiQL needs JavaScript. Without it: POST {"query": "{ block { number } }"} to the node's endpoint.</noscript>
    </div>
  </body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
