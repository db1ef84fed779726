import type { ConformanceSuite } from "../suite/suite.ts";
import { type BaseUrl, readBaseUrl } from "../client/base-url.ts";
import type { RunOptions } from "../contract/options.ts";

/**
 * Takes the base URL of a run apart.
 *
 * @throws {TypeError} for a suite of another format, which would be read wrongly, and for an address that is none.
 */
export function readTarget(suite: ConformanceSuite, { baseUrl }: Pick<RunOptions, "baseUrl">): BaseUrl {
  if (suite.format !== 2)
    throw new TypeError(`The suite is of format ${String(suite.format)}; this runner plays format 2`);
  const read = readBaseUrl(baseUrl);
  if (read === undefined) throw new TypeError("The base URL has to be an http or https address");
  return read;
}
