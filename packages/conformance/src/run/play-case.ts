import { Interruption, type InterruptionCause } from "../client/interruption.ts";
import type { RecordedExchange } from "../contract/exchange.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { RunTools } from "./run-tools.ts";

/** Dependencies of playing a case. */
type CaseTools = Pick<RunTools, "sender" | "random" | "guard" | "peers">;

/** A case after it was played, before it is evaluated. */
export interface PlayedCase {
  readonly planned: PlannedCase;
  readonly findings: readonly Finding[];
  readonly exchanges: readonly RecordedExchange[];
  readonly milliseconds: number;
  /** Cause of an interruption. */
  readonly interruption?: InterruptionCause;
  /** Exception thrown by our own code. */
  readonly defect?: string;
}

/** Number of retained exchanges of one case: the first and the last ones. */
const keptExchanges = 12;

/** Plays a case and catches everything that it throws. */
export async function playCase(planned: PlannedCase, tools: CaseTools): Promise<PlayedCase> {
  const exchanges: RecordedExchange[] = [];
  const onRecord = (record: RecordedExchange): void => {
    if (exchanges.length >= keptExchanges) exchanges.splice(keptExchanges / 2, 1);
    exchanges.push(record);
  };
  const play: CasePlay = {
    send: async (request, options = {}) => {
      const peer = options.to === undefined ? tools : tools.peers[options.to];
      if (peer === undefined) throw new Interruption({ kind: "skipped", text: "The run has no second target" });
      const refusal = peer.guard(request, planned.operation);
      if (refusal !== undefined) throw new Interruption({ kind: "withheld", text: refusal });
      return peer.sender.send(request, { ...options, operation: planned.operation, writes: planned.writes, onRecord });
    },
    skip: (reason) => {
      throw new Interruption({ kind: "skipped", text: reason });
    },
    random: tools.random.fork(planned.id),
  };
  const start = performance.now();
  const end = (result: Partial<PlayedCase>): PlayedCase => ({
    planned,
    findings: [],
    exchanges,
    milliseconds: performance.now() - start,
    ...result,
  });
  try {
    return end({ findings: await planned.play(play) });
  } catch (reason) {
    if (reason instanceof Interruption) return end({ interruption: reason.why });
    return end({ defect: reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason) });
  }
}

/** Returns a case that was interrupted before it began. */
export function unplayed(planned: PlannedCase, interruption: InterruptionCause): PlayedCase {
  return { planned, findings: [], exchanges: [], milliseconds: 0, interruption };
}
