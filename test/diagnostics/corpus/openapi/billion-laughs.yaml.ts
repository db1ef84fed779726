/** Aliases that repeat aliases: a billion properties, if they were written out. */
const levels = Array.from({ length: 9 }, (_, level) => {
  const repeated = Array.from({ length: 10 }, () => `*l${level}`).join(", ");
  return `    L${level + 1}: &l${level + 1} { allOf: [${repeated}] }`;
});

export const text: string = [
  "openapi: 3.1.0",
  "info: { title: Laughs, version: 1.0.0 }",
  "paths: {}",
  "components:",
  "  schemas:",
  "    L0: &l0 { type: strng }",
  ...levels,
  "",
].join("\n");
