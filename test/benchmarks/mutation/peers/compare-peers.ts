import { chooseMutants, type MutantScore, scoreMutant, type WorldBench, withMutant } from "../scoring/score.ts";
import type { ProvenMutant } from "../scoring/prepare.ts";
import { type Complaints, installPeers, type Peer, peers } from "./tools.ts";

/** What a tool found in a sample of one world's mutants. */
export interface PeerScore {
  readonly tool: string;
  readonly world: string;
  readonly mutants: number;
  readonly found: number;
  /** True: it found something wrong with the correct server; undefined: it could not run. */
  readonly alarm: boolean | undefined;
  /** Of a run against the correct server. */
  readonly requests: number;
  readonly seconds: number;
}

/** One mutant of each so many-th operator: the tools take from a second to half a minute each. */
const stride = 6;

/** Plays other tools against a sample of a world's mutants, and this one against the same. */
export async function comparePeers(bench: WorldBench, seed: string): Promise<readonly PeerScore[]> {
  installPeers();
  const sample: ProvenMutant[] = [];
  for await (const proven of chooseMutants(bench, { seed, sample: 1, stride })) {
    sample.push(proven);
  }
  const scores = [...(await ownScores(bench, sample))];
  for (const peer of peers.filter((candidate) => candidate.fits(bench))) {
    scores.push(await peerScore(bench, peer, sample));
  }
  return scores;
}

const correct = {
  note: "the correct server",
  proof: "rule" as const,
  wrap: <Dispatch>(dispatch: Dispatch) => dispatch,
};

/** This tool with its defaults, and with `--strict`. */
async function ownScores(bench: WorldBench, sample: readonly ProvenMutant[]): Promise<readonly PeerScore[]> {
  const own = await scoreMutant(bench, {
    world: bench.world,
    operator: "",
    operation: "",
    seed: "peers",
    mutant: correct,
  });
  const scores: MutantScore[] = [];
  for (const proven of sample) {
    scores.push(await scoreMutant(bench, proven));
  }
  const { failed, outcome, requests, milliseconds } = own.verdict;
  const shared = { world: bench.world.name, mutants: sample.length, requests, seconds: milliseconds / 1000 };
  const countOf = (isIn: (score: MutantScore) => boolean): number => scores.filter(isIn).length;
  return [
    {
      ...shared,
      tool: "nodewright conform",
      found: countOf(({ isFoundByDefault }) => isFoundByDefault),
      alarm: failed.length > 0,
    },
    {
      ...shared,
      tool: "nodewright conform --strict",
      found: countOf(({ isFound }) => isFound),
      alarm: outcome !== "conforms",
    },
  ];
}

async function peerScore(bench: WorldBench, peer: Peer, sample: readonly ProvenMutant[]): Promise<PeerScore> {
  const start = performance.now();
  let requests = 0;
  const usual = await withMutant({ world: bench.world, mutant: correct }, async (baseUrl, server) => {
    const complaints = await peer.judge(bench, baseUrl);
    requests = server.requests();
    // It did not come to sending: the document is none that it reads.
    return requests === 0 ? undefined : complaints;
  });
  const seconds = (performance.now() - start) / 1000;
  let found = 0;
  for (const proven of usual === undefined ? [] : sample) {
    const complaints = await withMutant(proven, (baseUrl) => peer.judge(bench, baseUrl));
    found += Number(isWorse(complaints, usual));
  }
  const alarm = usual === undefined ? undefined : usual > 0;
  return { tool: peer.name, world: bench.world.name, mutants: sample.length, found, alarm, requests, seconds };
}

/** A tool that gives up on a mutant, and not on the correct server, has found it too. */
function isWorse(complaints: Complaints, usual: Complaints): boolean {
  return complaints === undefined || complaints > (usual ?? 0);
}
