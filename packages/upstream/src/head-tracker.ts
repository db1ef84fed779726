import {
  findReference,
  type Head,
  type HeadChange,
  type HeadFigures,
  type HeardNode,
  judgeNode,
  type NodeStanding,
} from "./head-judgement.ts";
import { bitcoinWords } from "./bitcoin-words.ts";
import { type Ask, type ChainIdentity, type ChainWords, isSameChain, type NodeSoftware } from "./chain-words.ts";
import { ethereumWords } from "./ethereum-words.ts";
import type { NodeLink } from "./node-link.ts";

export interface HeadTrackerOptions extends ChainIdentity {
  /** In whose words the nodes are asked. Absent: Bitcoin's. */
  readonly words?: "bitcoin" | "ethereum" | undefined;
  /** A node that is more blocks behind is left out. */
  readonly maximumLag?: number | undefined;
  /** For so long after its last answer the others are measured by the head of a node that is gone. */
  readonly goneMilliseconds?: number | undefined;
  /** For so long a node is held to a height that it has left. */
  readonly memoryMilliseconds?: number | undefined;
  /** Between two questions for a node's best block, give or take a fifth. */
  readonly pollMilliseconds?: number | undefined;
}

/** With the next question for a head, others take the place of a node that is gone within a minute. */
const defaults = { pollMilliseconds: 1_000, maximumLag: 2, goneMilliseconds: 55_000, memoryMilliseconds: 300_000 };

/** A node that is silent for so long when it is asked for its head is not one to ask for more. */
const answerMilliseconds = 5_000;

const jitter = 0.2;

const wordsOf: Readonly<Record<"bitcoin" | "ethereum", ChainWords>> = {
  bitcoin: bitcoinWords,
  ethereum: ethereumWords,
};

interface TrackedNode extends HeardNode {
  readonly link: NodeLink;
  readonly ask: Ask;
  head: Head | undefined;
  heardAt: number;
  isLost: boolean;
  isOtherNetwork: boolean;
  isOtherSoftware: boolean;
  /** What it has told last of itself. */
  chain: ChainIdentity | undefined;
  software: NodeSoftware | undefined;
  /** Whether it is to be asked once more what it is. */
  mayBeAnother: boolean;
  wentBackFrom: number | undefined;
  wentBackAt: number;
  /** By the hash of the reference's head: whether `head` is of its chain. */
  comparison: { readonly reference: string; readonly own: string; readonly isSame: boolean } | undefined;
  standing: NodeStanding;
  timer: NodeJS.Timeout | undefined;
}

/** Asks each node for its best block again and again, and judges by that which of them may be asked for more. */
export class HeadTracker {
  readonly #nodes: readonly TrackedNode[];
  readonly #byLink: ReadonlyMap<NodeLink, TrackedNode>;
  readonly #words: ChainWords;
  /** What the nodes are to have, as far as that was said. */
  readonly #wanted: ChainIdentity;
  readonly #pollMilliseconds: number;
  readonly #figures: HeadFigures;
  readonly #memoryMilliseconds: number;
  readonly #closing = new AbortController();
  readonly #onChange: (change: HeadChange) => void;
  #reference: (TrackedNode & { readonly head: Head }) | undefined;
  #head: Head | undefined;
  /** What they are to have beyond that: what the first one had. */
  #chain: ChainIdentity | undefined;
  #family: string | undefined;
  readonly #unheard: Set<TrackedNode>;
  #settle: () => void = () => undefined;

  /** Fulfilled when a node is well, or each has been asked. */
  readonly settled: Promise<void>;

  constructor(links: readonly NodeLink[], options: HeadTrackerOptions, onChange: (change: HeadChange) => void) {
    this.#words = wordsOf[options.words ?? "bitcoin"];
    this.#nodes = links.map((link) => createTrackedNode(link, (...call) => this.#ask(link, ...call)));
    this.#byLink = new Map(this.#nodes.map((node) => [node.link, node]));
    this.#wanted = { chainId: options.chainId, genesisHash: options.genesisHash };
    this.#pollMilliseconds = options.pollMilliseconds ?? defaults.pollMilliseconds;
    this.#figures = {
      maximumLag: options.maximumLag ?? defaults.maximumLag,
      goneMilliseconds: options.goneMilliseconds ?? defaults.goneMilliseconds,
    };
    this.#memoryMilliseconds = options.memoryMilliseconds ?? defaults.memoryMilliseconds;
    this.#onChange = onChange;
    this.#unheard = new Set(this.#nodes);
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    for (const node of this.#nodes) void this.#follow(node);
  }

  standingOf(link: NodeLink): NodeStanding {
    return this.#byLink.get(link)?.standing ?? "unheard";
  }

  /** Of nodes with equal heads it is the first. */
  isLeading(link: NodeLink): boolean {
    return this.#reference?.link === link;
  }

  /** What the node has told last. */
  headOf(link: NodeLink): Head | undefined {
    return this.#byLink.get(link)?.head;
  }

  /** Blocks that the node is behind the best of all; `undefined` while unknown. */
  lagOf(link: NodeLink): number | undefined {
    const head = this.headOf(link);
    if (head === undefined || this.#reference === undefined) return undefined;
    return Math.max(0, this.#reference.head.height - head.height);
  }

  /** What the node has told last of its chain and its program. */
  identityOf(link: NodeLink): {
    readonly chain?: ChainIdentity | undefined;
    readonly software?: NodeSoftware | undefined;
  } {
    const { chain, software } = this.#byLink.get(link) ?? {};
    return { chain, software };
  }

  /** The best head, of which the answers are; `undefined` before the first and while no node answers that has it. */
  get head(): Head | undefined {
    return this.#reference?.isLost === false ? this.#head : undefined;
  }

  close(): void {
    this.#closing.abort();
    this.#settle();
    for (const { timer } of this.#nodes) clearTimeout(timer);
  }

  async #follow(node: TrackedNode): Promise<void> {
    // Nothing but nodes is asked, and what they fail of stands in their counters.
    await this.#hear(node).catch(() => {
      node.isLost = true;
    });
    this.#unheard.delete(node);
    if (this.#judgeChains()) await this.#settleHeads(node);
    if (this.#closing.signal.aborted) return;
    const pause = this.#pollMilliseconds * (1 - jitter + 2 * jitter * Math.random());
    node.timer = setTimeout(() => void this.#follow(node), pause);
    node.timer.unref();
  }

  async #settleHeads(node: TrackedNode): Promise<void> {
    await this.#compareAll().catch(() => undefined);
    if (this.#closing.signal.aborted) return;
    this.#judgeAll();
    if (node.standing === "well" || this.#unheard.size === 0) this.#settle();
  }

  async #hear(node: TrackedNode): Promise<void> {
    // A node that is left in peace is asked when its rest is over: the question for its head is what it is tried with.
    if (!node.link.canPass()) throw new Error("The node rests");
    const head = await this.#words.askHead(node.ask, node.head);
    // Where an address leads to several nodes, one of another chain shows by a head that does not follow.
    const isNext = node.head === undefined || head.hash === node.head.hash || head.parentHash === node.head.hash;
    if (node.isLost || node.mayBeAnother || !isNext) {
      node.chain = await this.#words.askChain(node.ask);
      if (this.#nodes.length > 1 || this.#words.asksSoftwareOfOne)
        node.software = await this.#words.askSoftware(node.ask);
      node.mayBeAnother = false;
    }
    if (head.hash !== node.head?.hash) this.#move(node, head);
    node.heardAt = performance.now();
    node.isLost = false;
  }

  #move(node: TrackedNode, head: Head): void {
    const before = node.head;
    node.head = head;
    if (before !== undefined && head.height < before.height) {
      node.wentBackFrom = Math.max(before.height, node.wentBackFrom ?? 0);
      node.wentBackAt = performance.now();
      // A chain that is begun anew goes back too.
      node.mayBeAnother = true;
    }
    if (node.wentBackFrom !== undefined && head.height >= node.wentBackFrom) node.wentBackFrom = undefined;
  }

  /** Asks the reference which of the others' heads are of its chain, and whether its own is of the chain before. */
  async #compareAll(): Promise<void> {
    const reference = this.#findReference();
    if (reference === undefined || reference.isLost) return;
    const { head } = reference;
    for (const node of this.#nodes) await this.#compare(node, reference, head);
    await this.#announce(reference, head);
  }

  async #compare(node: TrackedNode, reference: TrackedNode, best: Head): Promise<void> {
    const own = node.head;
    if (own === undefined || node.isLost || node === reference) return;
    if (node.comparison?.reference === best.hash && node.comparison.own === own.hash) return;
    // A chain of more blocks has lost to one of more work.
    const isSame = own.height <= best.height && (await this.#isOnChainOf(reference, own));
    node.comparison = { reference: best.hash, own: own.hash, isSame };
  }

  async #announce(reference: TrackedNode & { readonly head: Head }, head: Head): Promise<void> {
    const before = this.#head;
    if (before?.hash === head.hash) {
      this.#reference = reference;
      return;
    }
    const isExtension =
      before !== undefined && before.height < head.height && (await this.#isOnChainOf(reference, before));
    // Another question may have come first.
    if (this.#head?.hash !== before?.hash || reference.head.hash !== head.hash) return;
    this.#reference = reference;
    this.#head = head;
    this.#onChange({ head, isReorganisation: before !== undefined && !isExtension });
  }

  async #isOnChainOf(node: TrackedNode, block: Head): Promise<boolean> {
    return node.head?.parentHash === block.hash || (await this.#words.askIsOnChain(node.ask, block));
  }

  /**
   * All that count have the chain that was wanted, and where that leaves it open, the chain of the first one, until no node is known to have
   * it. Gives whether that is settled.
   */
  #judgeChains(): boolean {
    const chosen = this.#chain;
    const isHeld =
      chosen !== undefined && this.#nodes.some(({ chain }) => chain !== undefined && isSameChain(chain, chosen));
    if (!isHeld) this.#chain = this.#findFirstChain();
    for (const node of this.#nodes) node.isOtherNetwork = node.chain !== undefined && !this.#isWanted(node.chain);
    return this.#chain !== undefined || this.#unheard.size === 0;
  }

  /** Of the first node in their order, not of the first that answers: that is chance. */
  #findFirstChain(): ChainIdentity | undefined {
    for (const node of this.#nodes) {
      if (node.chain !== undefined && isSameChain(node.chain, this.#wanted)) return node.chain;
      if (this.#wanted.genesisHash === undefined && this.#unheard.has(node)) return undefined;
    }
    return undefined;
  }

  #isWanted(chain: ChainIdentity): boolean {
    return isSameChain(chain, this.#wanted) && (this.#chain === undefined || isSameChain(chain, this.#chain));
  }

  /**
   * What is asked in one program's words is not to come to another: all that count run what the first one ran, until no node is known to
   * run that.
   */
  #judgeSoftware(): void {
    const known = this.#nodes.filter(({ software, isOtherNetwork }) => software !== undefined && !isOtherNetwork);
    if (!known.some(({ software }) => software?.family === this.#family)) this.#family = known[0]?.software?.family;
    for (const node of this.#nodes)
      node.isOtherSoftware = node.software !== undefined && node.software.family !== this.#family;
  }

  #judgeAll(): void {
    const now = performance.now();
    this.#judgeSoftware();
    for (const node of this.#nodes) {
      if (now - node.wentBackAt > this.#memoryMilliseconds) node.wentBackFrom = undefined;
    }
    const reference = this.#findReference();
    for (const node of this.#nodes) {
      const { comparison } = node;
      const isSame = comparison?.reference === reference?.head.hash ? comparison?.isSame : undefined;
      node.standing = judgeNode(node, reference, isSame, this.#figures);
    }
  }

  #findReference(): (TrackedNode & { readonly head: Head }) | undefined {
    return findReference(this.#nodes, performance.now(), this.#figures);
  }

  async #ask(link: NodeLink, method: string, params: readonly unknown[]): Promise<unknown> {
    return await link.call(method, params, {
      signal: this.#closing.signal,
      timeoutMilliseconds: answerMilliseconds,
      isUrgent: true,
    });
  }
}

function createTrackedNode(link: NodeLink, ask: Ask): TrackedNode {
  return {
    link,
    ask,
    head: undefined,
    heardAt: 0,
    isLost: false,
    isOtherNetwork: false,
    isOtherSoftware: false,
    chain: undefined,
    software: undefined,
    mayBeAnother: true,
    wentBackFrom: undefined,
    wentBackAt: Number.NEGATIVE_INFINITY,
    comparison: undefined,
    standing: "unheard",
    timer: undefined,
  };
}
