/** One series of a plot over the size of a document. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  /** Values at the sizes of the plot, in their order. */
  readonly values: readonly number[];
}

/**
 * A plot in text of how series grow with the size of a document. Each series is drawn against its own straight line from zero
 * through its first value: what ends at the mark `|` grows as the document does, what passes it grows faster.
 */
export function renderGrowthPlot(sizes: readonly number[], series: readonly Series[]): string {
  const width = 60;
  const largest = Math.max(...sizes);
  return series
    .map(({ name, unit, values }) => {
      const perSize = (values[0] ?? 0) / (sizes[0] ?? 1);
      const scale = width / (perSize * largest);
      const lines = sizes.map((size, index) => {
        const value = values[index] ?? 0;
        const mark = Math.round(perSize * size * scale);
        const bar = "#".repeat(Math.max(1, Math.round(value * scale)));
        const line = bar.padEnd(mark).split("");
        line[mark] = "|";
        return `${`${size}x`.padStart(4)} ${Array.from(line, (character) => character ?? " ").join("")} ${format(value)} ${unit}, ${format(value / size)} for each x`;
      });
      return [name, ...lines].join("\n");
    })
    .join("\n\n");
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
