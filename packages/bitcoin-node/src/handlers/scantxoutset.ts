import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { OutputScans } from "../context/output-scans.ts";
import { scanOutputs } from "../scan/scan-outputs.ts";

/** Searches for unspent outputs of descriptors. */
export const scantxoutset: BitcoinHandler<"scantxoutset", BitcoinNodeContext> = async (
  { action, scanobjects },
  context,
) => {
  const scans = context.scans ?? new OutputScans().of("");
  switch (action) {
    case "status":
      return scans.running === undefined ? null : { progress: scans.running.progress };
    case "abort":
      scans.running?.abort();
      return scans.running !== undefined;
    case "start": {
      if (scanobjects === undefined && scans.running === undefined) {
        throw rpcError("miscellaneous", "scanobjects argument is required for the start action");
      }
      const result = scans.run((scan) => {
        if (context.isClientDisconnected !== undefined) scan.abortWhen(context.isClientDisconnected);
        return scanOutputs(scanobjects ?? [], context, scan);
      });
      if (result !== undefined) return result;
      throw rpcError("invalidParameter", 'Scan already in progress, use action "abort" or "status"');
    }
  }
};
