import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { renderCommandHelp, renderCommandList } from "../command/help-text.ts";
import type { BitcoinNodeContext } from "../context.ts";

/** Longer names are not sent back. */
const echoedLength = 100;

/** The commands, or what one of them does. */
export const help: BitcoinHandler<"help", BitcoinNodeContext> = ({ command = "" }, { commands, methodAccess }) => {
  if (command === "") return renderCommandList(commands, methodAccess);
  const known = commands.commands.get(command);
  // As Bitcoin Core has it, an answer and no error.
  return known === undefined ? `help: unknown command: ${command.slice(0, echoedLength)}` : renderCommandHelp(known);
};
