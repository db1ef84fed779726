import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { RandomSource } from "../types/random-source.ts";
import type { RecordedExchange } from "../contract/exchange.ts";
import { Interruption } from "../client/interruption.ts";
import type { Sender } from "../client/sender.ts";
import type { PlayedCase } from "./played-case.ts";
import type { Peers } from "../session/peer.ts";
import type { RequestGuard } from "../safety/request-guard.ts";

/** What a case is played with. */
export interface CaseTools {
  readonly sender: Sender;
  /** Of the run. */
  readonly random: RandomSource;
  readonly guard: RequestGuard;
  /** Second targets; absent: there are none. */
  readonly peers?: Peers;
}

/** Exchanges of one case that are kept: the first and the last ones. */
const keptExchanges = 12;

/** Plays a case to its end, whatever it throws. */
export async function playCase(
  planned: PlannedCase,
  { sender, random, guard, peers = {} }: CaseTools,
): Promise<PlayedCase> {
  const exchanges: RecordedExchange[] = [];
  const onRecord = (record: RecordedExchange): void => {
    if (exchanges.length >= keptExchanges) exchanges.splice(keptExchanges / 2, 1);
    exchanges.push(record);
  };
  const play: CasePlay = {
    send: async (request, options = {}) => {
      const peer = options.to === undefined ? { sender, guard } : peers[options.to];
      if (peer === undefined) throw new Interruption({ kind: "skipped", text: "There is no second target" });
      const refusal = peer.guard.refusalOf(request, planned);
      if (refusal !== undefined) throw new Interruption({ kind: "withheld", text: refusal });
      return peer.sender.send(request, { ...options, operation: planned.operation, writes: planned.writes, onRecord });
    },
    skip: (reason) => {
      throw new Interruption({ kind: "skipped", text: reason });
    },
    random: random.fork(planned.id),
  };
  const start = performance.now();
  const end = (): Pick<PlayedCase, "planned" | "exchanges" | "milliseconds"> => ({
    planned,
    exchanges,
    milliseconds: performance.now() - start,
  });
  try {
    const findings = await planned.play(play);
    return { findings, ...end() };
  } catch (reason) {
    if (reason instanceof Interruption) return { findings: [], interruption: reason.why, ...end() };
    return { findings: [], defect: describe(reason), ...end() };
  }
}

function describe(reason: unknown): string {
  return reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
}
