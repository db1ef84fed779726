/** All report formats, in the order of the help. */
export const reportFormats = [
  { name: "terminal", description: "for people" },
  { name: "json", description: "the complete report, according to its JSON Schema" },
  { name: "ndjson", description: "a line of JSON for the start, each case as it ends, and the end" },
  { name: "junit", description: "XML for continuous integration: a test case for each case" },
  { name: "html", description: "one page for a browser, which needs nothing else" },
  { name: "github", description: "annotations of GitHub Actions at the lines of the document" },
  { name: "har", description: "the complete traffic as an HTTP archive 1.2, without the key" },
  { name: "methods", description: "which operations there are: Markdown, or JSON where the file ends in .json" },
  { name: "prometheus", description: "metrics in the text format of Prometheus" },
] as const;

export type ReportFormatName = (typeof reportFormats)[number]["name"];
