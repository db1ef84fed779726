import type { MethodAccess } from "../context/context.ts";
import type { Command, CommandReference, CommandValue } from "../description/command-reference.ts";
import { oneLine } from "../description/schema-text.ts";

/** Heading above the methods that are disabled for the client. */
export const disabledHeading = "== Disabled ==";

/** Renders every command, one per line in alphabetical order; those that are disabled for the client last, with where to enable them. */
export function renderCommandList({ commands }: CommandReference, access: MethodAccess): string {
  const sorted = [...commands.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  const enabled = sorted.filter(({ name }) => access.isEnabled(name));
  const disabled = sorted.filter(({ name }) => !access.isEnabled(name));
  const lines = enabled.map(renderUsage);
  if (disabled.length > 0) lines.push("", disabledHeading, access.enableHint, ...disabled.map(renderUsage));
  return lines.join("\n");
}

const helpTexts = new WeakMap<Command, string>();

/** Renders the description, parameters, result, errors and usage of a command. */
export function renderCommandHelp(command: Command): string {
  let text = helpTexts.get(command);
  if (text === undefined) {
    text = writeCommandHelp(command);
    helpTexts.set(command, text);
  }
  return text;
}

function writeCommandHelp(command: Command): string {
  const sections = [
    renderUsage(command),
    command.description,
    servedBy(command),
    section("Parameters", command.parameters.flatMap(renderParameter)),
    section("Result", command.result === undefined ? [] : renderValue(command.result, [])),
    section(
      "Errors",
      command.errors.map(({ code, message }) => `${code}  ${message}`),
    ),
    section("Example", exampleLines(command)),
  ];
  return sections.filter((text) => text !== "").join("\n\n");
}

/** Error code where the interface has no upstream node. */
const noNodeCode = -32601;

function servedBy({ isServedByNode, errors }: Command): string {
  if (!isServedByNode) return "";
  return errors.some(({ code }) => code === noNodeCode)
    ? "Forwarded to the upstream node; without one the call is refused."
    : "Forwarded to the upstream node, where there is one.";
}

/** Returns a line to paste, after inserting the endpoint and the key. None where the document shows no call. */
function exampleLines({ name, parameters, exampleParameters }: Command): readonly string[] {
  if (exampleParameters.length < parameters.filter(({ required }) => required).length) return [];
  const body = JSON.stringify({ jsonrpc: "2.0", id: "1", method: name, params: exampleParameters });
  const quoted = body.replaceAll("'", "'\\''");
  return [`curl -s -H 'content-type: application/json' -d '${quoted}' '<ENDPOINT>/?apikey=<API_KEY>'`];
}

/** Renders the usage of a command: `getblock "blockhash" ( verbosity=1 verbosetx=false )`. */
function renderUsage({ name, parameters }: Command): string {
  const required = parameters.filter((parameter) => parameter.required).map(parameterName);
  const optional = parameters.filter((parameter) => !parameter.required).map(parameterName);
  return [name, ...required, ...(optional.length === 0 ? [] : ["(", ...optional, ")"])].join(" ");
}

function parameterName({ name, types, default: fallback }: CommandValue): string {
  const text = types.length === 1 && types[0] === "string" ? JSON.stringify(name) : name;
  return fallback === undefined ? text : `${text}=${JSON.stringify(fallback)}`;
}

function usageOf({ required, default: fallback }: CommandValue): readonly string[] {
  if (required) return ["required"];
  return fallback === undefined ? ["optional"] : ["optional", `default ${JSON.stringify(fallback)}`];
}

function renderParameter(parameter: CommandValue, position: number): readonly string[] {
  const [first = "", ...others] = renderValue(parameter, usageOf(parameter));
  return [`${position + 1}. ${first}`, ...others];
}

function renderValue(
  { name, facts, description, memberLines }: CommandValue,
  usage: readonly string[],
): readonly string[] {
  return [`${name}  (${[facts, ...usage].join(", ")})  ${oneLine(description)}`.trimEnd(), ...memberLines];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`${title}:`, ...lines].join("\n");
}
