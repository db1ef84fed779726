import type { ParameterAliases } from "@nodewright/runtime";

/** Bitcoin Core's names of parameters with another name here, for the generated server's `parameterAliases`. */
export const parameterAliases: ParameterAliases = {
  getblock: { verbose: "verbosity" },
  getblockheader: { blockhash: "hash" },
  getnetworkhashps: { nblocks: "blocks" },
  getrawtransaction: { verbosity: "verbose" },
  gettxout: { n: "vout", include_mempool: "includemempool" },
  verifychain: { nblocks: "checkdepth" },
};
