import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Function that colours a string, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** Returns every string unchanged. */
export const plainPaint: Paint = (_, text) => text;

/** Creates the colours of a stream: enabled for a terminal; never with `NO_COLOR`, always with `FORCE_COLOR`. */
export function createPaint(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  const { NO_COLOR: no = "", FORCE_COLOR: force, TERM: terminal } = environment;
  const isForced = force !== undefined && force !== "0" && force !== "false";
  const isColoured = isForced || (no === "" && force === undefined && stream.isTTY === true && terminal !== "dumb");
  return isColoured ? (style, text) => styleText(style, text, { validateStream: false }) : plainPaint;
}
