import type { MethodAccess } from "../context.ts";
import type { Command, CommandReference, CommandValue } from "./command-reference.ts";

/** Every command, one per line in alphabetical order; those that are off for the caller last, with where to enable them. */
export function renderCommandList({ commands }: CommandReference, access: MethodAccess): string {
  const sorted = [...commands.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  const enabled = sorted.filter(({ name }) => access.isEnabled(name));
  const disabled = sorted.filter(({ name }) => !access.isEnabled(name));
  const lines = enabled.map(renderUsage);
  if (disabled.length > 0) lines.push("", "== Disabled ==", access.enableHint, ...disabled.map(renderUsage));
  return lines.join("\n");
}

/** What a command does, its parameters, its result and its errors. */
export function renderCommandHelp(command: Command): string {
  const sections = [
    renderUsage(command),
    command.description,
    section(
      "Parameters",
      command.parameters.map((parameter, position) => `${position + 1}. ${renderValue(parameter, usageOf(parameter))}`),
    ),
    section("Result", command.result === undefined ? [] : [renderValue(command.result, [])]),
    section(
      "Errors",
      command.errors.map(({ code, message }) => `${code}  ${message}`),
    ),
  ];
  return sections.filter((text) => text !== "").join("\n\n");
}

/** A command as it is called: `getblock "blockhash" ( verbosity=1 verbosetx=false )`. */
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

function renderValue({ name, types, description }: CommandValue, usage: readonly string[]): string {
  const facts = [types.length === 0 ? "any value" : types.join(" or "), ...usage].join(", ");
  return `${name}  (${facts})  ${description.replaceAll(/\s*\n\s*/g, " ")}`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`${title}:`, ...lines].join("\n");
}
