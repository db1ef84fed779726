import type { WorldBench } from "../scoring/score.ts";

/** What a tool found in a sample of one world's mutants. */
export interface PeerScore {
  readonly tool: string;
  readonly world: string;
  readonly mutants: number;
  readonly found: number;
  /** True: it found something wrong with the correct server. */
  readonly alarm: boolean;
  /** Of a run against the correct server. */
  readonly requests: number;
  readonly seconds: number;
}

export async function comparePeers(_bench: WorldBench, _seed: string): Promise<readonly PeerScore[]> {
  return [];
}
