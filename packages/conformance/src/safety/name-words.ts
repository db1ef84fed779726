/** Words of names that are written without borders, in which words for changing something stand: `gettxoutsetinfo`, `getaddressinfo`. */
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
 * The words of one part of a name, lower case. Borders are those of camel case; a piece without any is cut into words of the field
 * and of `others`. Of a part all in lower case that can't be cut, the `others` that stand in it anywhere are its words too: better one
 * too many.
 */
export function splitWords(part: string, others: ReadonlySet<string>): readonly string[] {
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

/** `lock` of `getblockfoo` is part of a longer word that is known, so it does not stand there. */
function wordsWithin(text: string, others: ReadonlySet<string>): readonly string[] {
  return [...others].filter((other) => {
    if (other.length < 3 || !text.includes(other)) return false;
    const longer = [...knownWords].filter((word) => word.length > other.length && word.includes(other));
    return longer.reduce((rest, word) => rest.replaceAll(word, " "), text).includes(other);
  });
}
/** The words that a text consists of, as few as can be. */
function fewestWords(text: string, others: ReadonlySet<string>): readonly string[] | undefined {
  // best[n] holds the words of the first n characters.
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
export function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
