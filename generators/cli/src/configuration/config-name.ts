/** Name of the configuration file that is looked up when none is named. */
export const configName = "nodewright.config.ts";
