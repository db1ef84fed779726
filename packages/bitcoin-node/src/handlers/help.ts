import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { disabledHeading, renderCommandHelp, renderCommandList } from "../command/help-text.ts";
import { perAccess } from "../command/per-access.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

const commandList = perAccess(renderCommandList);

/** Maximum length of a name that is echoed. */
const echoedLength = 100;

/** Returns the commands, or the description of one of them. */
export const help: BitcoinHandler<"help", BitcoinNodeContext> = (
  { command = "" },
  { commands, methodAccess, redact = String },
) => {
  if (command === "") return commandList(commands, methodAccess);
  const known = commands.commands.get(command);
  // As in Bitcoin Core, a result and no error.
  if (known === undefined) return `help: unknown command: ${redact(command.slice(0, echoedLength))}`;
  const text = renderCommandHelp(known);
  return methodAccess.isEnabled(command) ? text : `${text}\n\n${disabledHeading}\n${methodAccess.enableHint}`;
};
