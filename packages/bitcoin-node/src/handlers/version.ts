import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Pattern of semver.org, section 2 with 9 and 10, as the description's version is spelled. */
const versionPattern = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;

/** Returns the version of this interface. */
export const version: BitcoinHandler<"version", BitcoinNodeContext> = (_input, { commands }) => {
  const versionstring = commands.document.info.version;
  const match = versionPattern.exec(versionstring);
  if (match === null) throw new Error(`${versionstring} is not a semantic version`);
  const [, major, minor, patch, prerelease = "", buildmetadata = ""] = match;
  return {
    bitcoinjsonrpc: {
      versionstring,
      major: Number(major),
      minor: Number(minor),
      patch: Number(patch),
      prerelease,
      buildmetadata,
    },
  };
};
