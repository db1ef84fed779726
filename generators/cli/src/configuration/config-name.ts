/** The configuration file that is looked for when none is named. */
export const configName = "nodewright.config.ts";
