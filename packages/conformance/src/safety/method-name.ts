import type { SafetyDecision } from "./safety.ts";

/** Prefixes of methods that only read. */
const readingVerbs: readonly string[] =
  "get list is has estimate decode validate verify search find count trace help version".split(" ");

/** Words that begin with one of these verbs and mean something else. */
const falseBeginnings = /^(?:issu|isolat|listen(?!ing)|getaway|hasten|helper|counter|tracer)/;

/** Names of what a node reports about itself and its chain, after a namespace: `eth_chainId`, `chain.height`, `system/health`. */
const readNouns: ReadonlySet<string> = wordsOf(`
  accounts baseFee blobBaseFee blockNumber capabilities chain chainId clientVersion coinbase feeHistory gasPrice
  health height maxPriorityFeePerGas mining networkId peerCount protocolVersion specVersion status syncing
  uptime
`);

/** Methods that only read by their specification: the Ethereum execution API, the clients' `txpool` and `trace`, and Bitcoin Core. */
const knownReaders: ReadonlySet<string> = wordsOf(`
  eth_call eth_config eth_createAccessList eth_fillTransaction eth_simulateV1 trace_callMany
  trace_rawTransaction txpool_content txpool_contentFrom txpool_inspect uptime web3_sha3
`);

/** Words that indicate a write, anywhere in a name. */
const changingWords: ReadonlySet<string> = wordsOf(`
  abandon abort accept activate add airdrop allow announce append apply approve assign attach authorize backup
  ban begin bind broadcast bump burn buy cancel change claim clean clear close combine commit compact configure
  confirm connect consume convert create cut deactivate delete deploy deposit deregister detach disable
  disconnect drop dump edit emit enable encrypt enqueue erase eject evict execute exit export finalize flush
  force forget freeze fund generate grant halt import increment init insert install invalidate invoke join kick
  kill leave load lock mark merge migrate mine mint modify move new notify open overwrite patch pause pay
  persist pin ping post precious prioritise prioritize process produce promote propose prune publish purge push
  put rebroadcast rebuild reconsider redeem refill refresh refund register reindex reject release reload relay
  remove rename replace replay requeue rescan reserve reset resend resign restart restore resume retry revert
  revoke rewind roll rollback rotate run save sell send set setup shift shutdown sign simulate sleep spend split
  start stop store submit subscribe suspend sweep swap sync terminate toggle transfer trigger truncate unban
  unbind uninstall unload unlock unpin unregister unset unstake unsubscribe update upgrade upload upsert
  withdraw wipe write zap
`);

/** Names of yes-or-no queries, after their namespace: `isOpen`, `shop.is_open`, `can_be_split`. */
const predicate = /^(?:[a-z0-9]+_)?(is|has|can)(?=[A-Z_])/;

/** Words for writing that are adjectives too, and may be the subject of such a query. */
const adjectives: ReadonlySet<string> = wordsOf("clean clear close compact new open precious set split");

/**
 * Methods that write although their names indicate reading: an address is issued once, a filter returns its changes once, a node requests a
 * block from a peer, a trace is written to a file of the node.
 */
const falseReaders =
  /^(?:getaccountaddress|get(?:fresh|next|unused)\w*address(?:es)?|getauxblock|getblockfrompeer|getfilterchanges|getwork|trace\w+tofile)$/i;

/** Names of methods that return secrets of a wallet, which no report may contain. */
const secretsWithin = /hdkeys|priv(?:ate)?_?key|mnemonic|pass(?:phrase|word)|seed_?(?:phrase|words)|xprv/i;

/** Namespaces of methods for a node's operator, its wallet or its consensus client. */
const operatorNamespaces: ReadonlySet<string> = new Set(["admin", "engine", "miner", "personal"]);

/**
 * Decides by a method's name whether it only reads: the method is known, or the last part of its name begins with a reading verb or names
 * what a node reports about itself, and no word of the name indicates a write. All other methods count as writing.
 *
 * `eth_getBalance`, `eth_chainId`, `getblock`, `get_block_count` and `Wallet.ListUnspent` read; `getnewaddress` takes an address out of a
 * wallet.
 */
export function classifyMethodName(method: string): SafetyDecision {
  if (knownReaders.has(method)) return { isSafe: true, reason: "it is known to change nothing" };
  const parts = partsOf(method);
  const namespace = parts.length > 1 ? (parts[0] ?? "").toLowerCase() : "";
  if (operatorNamespaces.has(namespace)) return unsafe(`${namespace} is for the node's operator`);
  const predicateVerb = predicate.exec(method.split(/[./:]+/).at(-1) ?? "")?.[1];
  const verb = readingVerbOf(method, parts) ?? predicateVerb;
  const noun = parts.length > 1 && readNouns.has(parts.at(-1) ?? "") ? parts.at(-1) : undefined;
  if (verb === undefined && noun === undefined)
    return unsafe("its name does not begin with a reading verb such as get or list; --safe calls it");
  if (secretsWithin.test(method)) return unsafe("it hands out a secret");
  if (falseReaders.test(parts.at(-1) ?? "")) return unsafe("it changes something in spite of its name");
  const changing = changingWordsOf(method).find((word) => predicateVerb === undefined || !adjectives.has(word));
  if (changing !== undefined) return unsafe(`its name holds the word "${changing}"`);
  return {
    isSafe: true,
    reason: verb === undefined ? `"${noun}" names what is read` : `its name begins with "${verb}"`,
  };
}

/** Returns the word of a name that indicates a write. */
export function findChangingWord(method: string): string | undefined {
  return changingWordsOf(method)[0];
}

function changingWordsOf(method: string): readonly string[] {
  return partsOf(method).flatMap((part) => splitWords(part, changingWords).filter((word) => changingWords.has(word)));
}

function partsOf(method: string): readonly string[] {
  return method.split(/[_./:]+/).filter((part) => part !== "");
}

function unsafe(reason: string): SafetyDecision {
  return { isSafe: false, reason };
}

/** Returns the reading verb of a name. In snake case the last part is a noun, and the verb comes first, or after the namespace. */
function readingVerbOf(method: string, parts: readonly string[]): string | undefined {
  const ofLast = beginningOf(parts.at(-1) ?? "");
  if (ofLast !== undefined) return ofLast;
  const isSnakeCase = method === method.toLowerCase() && method.includes("_");
  if (!isSnakeCase) return undefined;
  return parts.slice(0, 2).find((part) => readingVerbs.includes(part));
}

function beginningOf(part: string): string | undefined {
  const word = part.toLowerCase();
  if (falseBeginnings.test(word)) return undefined;
  return readingVerbs.find((verb) => word.startsWith(verb) && endsWord(part, verb.length));
}

/**
 * Returns whether a word ends at a position. In camel case a verb is a word of its own: `getBalance`, not `getterOf`. A name in lower case
 * has no such boundaries.
 */
function endsWord(part: string, length: number): boolean {
  if (part.length === length || part === part.toLowerCase()) return true;
  return !/[a-z]/.test(part.charAt(length));
}

/** Words of names without boundaries that contain words for writing: `gettxoutsetinfo`, `getaddressinfo`. */
const knownWords = wordsOf(`
  get list is has estimate decode validate verify help version account accounts address addresses addr added addrman
  amount asset assets at balance balances banned base best block blockchain blocks bytes by bwt cache cfilter
  cfilterheader cfilterheaders chain chains chaintips chaintxstats chainstates client code coin coinbase coins
  confirmed connection connections count current data deployment descriptor descriptors details difficulty dir
  directory entry epoch event events fee fees filter filterheader filters for from generation genesis groupings hash
  hashes hashespersec hashps header headers height id ids in index indexes info input inputs interest item items key
  keys label labels last latest link links lockunspent log logs mem memory mempool message messages metadata min max
  mining minimum multisig name names net nettotals network node nodes nonce notification notifications number of offer
  orphan orphans orphantxs out output outputs outs owner payload payloads peer peers pending pool pools position
  prevout price prioritised priority proof proofs psbt public query raw rate rates rawtx receipt receipts received
  resource result results root row rpc script scripthash scripts secret security service services setting settings
  settlement signature signatures signed signing signer since size slot slots smart spending spent state stats status
  storage supply supported sync syncing tag tags template time timestamp tip tips to token tokens top total totals
  transaction transactions tree tx txid txids txout txoutproof txoutset txouts txs txspendingprevout type types
  unconfirmed unspent upgrade uptime url utxo utxos utxoset value values vin volume vote voters vout wallet wallets
  walletdir work zmq zmqnotifications addressset dataset subset offset preset reset asset node ban block lock
  chaininfo loaded loading unlocked locked setup created updated imported started stopped sent sends removed deleted
  banscore spendable stakers staking minted mined miner miners mininginfo newest signers gas contract bytecode pruned
  archive and or synced
`);
const longestKnownWord = Math.max(...[...knownWords].map(({ length }) => length));

/**
 * Returns the words of one part of a name, in lower case. Boundaries are those of camel case; a piece without any is split into words of
 * the domain and of `others`. A lower-case part that can't be split has all `others` that it contains as its words: one too many is safer.
 */
function splitWords(part: string, others: ReadonlySet<string>): readonly string[] {
  return part
    .split(
      /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])/,
    )
    .filter((word) => word !== "")
    .flatMap((word) => cut(word, part === part.toLowerCase(), others));
}

function cut(piece: string, isLowerCase: boolean, others: ReadonlySet<string>): readonly string[] {
  const word = piece.toLowerCase();
  if (others.has(word) || knownWords.has(word)) return [word];
  return fewestWords(word, others) ?? [word, ...(isLowerCase ? wordsWithin(word, others) : [])];
}

/** Returns the words that occur in a string outside of longer known words: `lock` of `getblockfoo` is part of one, so it does not occur. */
function wordsWithin(text: string, others: ReadonlySet<string>): readonly string[] {
  return [...others].filter((other) => {
    if (other.length < 3 || !text.includes(other)) return false;
    const longer = [...knownWords].filter((word) => word.length > other.length && word.includes(other));
    return longer.reduce((rest, word) => rest.replaceAll(word, " "), text).includes(other);
  });
}
/** Returns the words that compose a string, as few as possible. */
function fewestWords(text: string, others: ReadonlySet<string>): readonly string[] | undefined {
  // best[n] contains the words of the first n characters.
  const best: (readonly string[] | undefined)[] = [[]];
  for (let end = 1; end <= text.length; end += 1) {
    for (let start = Math.max(0, end - longestKnownWord); start < end; start += 1) {
      const before = best[start];
      const word = text.slice(start, end);
      if (before === undefined || !(knownWords.has(word) || others.has(word))) continue;
      const known = best[end];
      if (known === undefined || before.length + 1 < known.length) best[end] = [...before, word];
    }
  }
  return best[text.length];
}

/** Returns the words of a list. */
function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
