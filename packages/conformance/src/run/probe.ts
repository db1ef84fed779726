import type { PlainRequest, RecordedExchange } from "../contract/exchange.ts";
import { Interruption } from "../client/interruption.ts";
import type { Sender } from "../client/sender.ts";
import { preflightOperation } from "./preflight.ts";

/** Whether any of these requests is answered, however. */
export async function isAnyAnswered(requests: readonly PlainRequest[], sender: Sender): Promise<boolean> {
  const answered = await Promise.all(
    requests.map(async (request) => {
      try {
        await sender.send(request, { operation: preflightOperation, writes: false });
        return true;
      } catch (reason) {
        if (!(reason instanceof Interruption)) throw reason;
        return reason.why.kind !== "no-answer";
      }
    }),
  );
  return answered.includes(true);
}

/** What became of a request that no case is about; undefined where it was not sent. */
export async function exchangeOf(request: PlainRequest, sender: Sender): Promise<RecordedExchange | undefined> {
  let exchange: RecordedExchange | undefined;
  try {
    await sender.send(request, {
      operation: preflightOperation,
      writes: false,
      onRecord: (record) => {
        exchange = record;
      },
    });
  } catch (reason) {
    if (!(reason instanceof Interruption)) throw reason;
  }
  return exchange;
}
