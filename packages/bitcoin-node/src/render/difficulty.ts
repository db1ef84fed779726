import { difficultyOfBits, targetOfBits } from "@nodewright/bitcoin-primitives";
import { roundDouble } from "./double.ts";

/** A decoded compact target, in Bitcoin Core's words. */
export interface RenderedDifficulty {
  readonly bits: string;
  readonly target: string;
  readonly difficulty: number;
}

/** Renders a compact target, its expanded target, and its difficulty. */
export function renderDifficulty(bits: number): RenderedDifficulty {
  return {
    bits: bits.toString(16).padStart(8, "0"),
    target: (targetOfBits(bits) ?? 0n).toString(16).padStart(64, "0"),
    difficulty: roundDouble(difficultyOfBits(bits)),
  };
}
