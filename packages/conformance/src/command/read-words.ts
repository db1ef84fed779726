import { parseArgs } from "node:util";
import type { ConformOption, ConformProgram } from "./conform-option.ts";
import { conformOptions } from "./conform-options.ts";
import { suggestion } from "../basics/suggestion.ts";
import { UsageError } from "../basics/usage-error.ts";

/** What words name, each value of its option's type but still as text. */
export interface ReadWords {
  readonly positionals: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** The options of a program, by name. */
export function optionsOf(program: ConformProgram): ReadonlyMap<string, ConformOption> {
  return new Map(
    conformOptions
      .filter((option) => option.program === undefined || option.program === program)
      .map((option) => [option.name, option]),
  );
}

/**
 * Reads the words behind a program's name.
 *
 * @throws {UsageError} for an option that does not exist, lacks its value, stands twice or contradicts another one.
 */
export function readWords(words: readonly string[], program: ConformProgram): ReadWords {
  const options = optionsOf(program);
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries([...options.values()].map((option) => [option.name, argumentOf(option)])),
  });
  const positionals: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = options.get(token.name);
    if (option === undefined) throw unknownOption(token.rawName, program);
    const value = readValue(option, token.value, token.inlineValue === true);
    if (option.type === "flag") flags.add(option.name);
    else if (option.type === "list") lists.set(option.name, [...(lists.get(option.name) ?? []), value]);
    else if (values.has(option.name)) throw new UsageError(`--${option.name} stands twice: leave one of them out.`);
    else values.set(option.name, value);
  }
  const given = new Set([...flags, ...values.keys(), ...lists.keys()]);
  for (const name of given) checkCompany(options.get(name), given);
  return { positionals, flags, values, lists };
}

function argumentOf({ type, short }: ConformOption): {
  readonly type: "boolean" | "string";
  readonly multiple: true;
  readonly short?: string;
} {
  return {
    type: type === "flag" ? "boolean" : "string",
    multiple: true,
    ...(short === undefined ? {} : { short }),
  };
}

function readValue(
  { name, type, value: placeholder = "VALUE" }: ConformOption,
  value: string | undefined,
  isInline: boolean,
): string {
  if (type === "flag") {
    if (value !== undefined) throw new UsageError(`--${name} takes no value: leave out what stands behind "=".`);
    return "";
  }
  // A value may begin with a dash only behind "=": otherwise the value was forgotten.
  if (value === undefined || value === "" || (!isInline && value.startsWith("--")))
    throw new UsageError(`--${name} needs a value: --${name} ${placeholder}.`);
  return value;
}

function unknownOption(rawName: string, program: ConformProgram): UsageError {
  const name = rawName.replace(/^-+/, "");
  const other = conformOptions.find((option) => option.name === name);
  if (other !== undefined)
    return new UsageError(
      `${rawName} is an option of ${other.program}: ${program} plays the suites of generated packages, --api PACKAGE.`,
    );
  const near = suggestion(name, optionsOf(program).keys()).replace(/"(.*)"/, '"--$1"');
  return new UsageError(`There is no option ${rawName}${near}. ${program} --help says what there is.`);
}

function checkCompany(option: ConformOption | undefined, given: ReadonlySet<string>): void {
  if (option === undefined) return;
  const { name, conflicts = [], needs = [] } = option;
  for (const other of conflicts)
    if (given.has(other))
      throw new UsageError(`--${name} and --${other} contradict each other: leave one of them out.`);
  if (needs.length > 0 && !needs.some((other) => given.has(other)))
    throw new UsageError(`--${name} needs ${needs.map((other) => `--${other}`).join(" or ")}.`);
}
