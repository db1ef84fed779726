/** Ten levels of ten aliases each: ten thousand million values when every alias is followed. */
const levels = Array.from({ length: 10 }, (_, level) =>
  level === 0 ? '  - &l0 ["lol"]' : `  - &l${level} [${Array.from({ length: 10 }, () => `*l${level - 1}`).join(", ")}]`,
);

export const text: string = ["openapi: 3.1.0", "info: { title: T, version: '1' }", "x-laughs:", ...levels, "paths: { bad: *l9 }", ""].join(
  "\n",
);
