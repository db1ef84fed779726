/** All report formats, in the order of the help. */
export const reportFormats = [
  { name: "terminal", description: "for the terminal" },
  { name: "json", description: "the complete report, according to its JSON Schema" },
  { name: "ndjson", description: "a line of JSON for the start, for each case when it ends, and for the end" },
  { name: "junit", description: "JUnit XML for continuous integration: a test case per case" },
  { name: "html", description: "one self-contained page for a browser" },
  { name: "github", description: "annotations of GitHub Actions at the lines of the document" },
  { name: "har", description: "the complete traffic as an HTTP archive 1.2, without the key" },
  {
    name: "methods",
    description: "operations that the target offers: Markdown, or JSON if the file name ends in .json",
  },
  { name: "prometheus", description: "metrics in the text format of Prometheus" },
] as const;

export type ReportFormatName = (typeof reportFormats)[number]["name"];
