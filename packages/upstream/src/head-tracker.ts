import {
  findReference,
  type Head,
  type HeadChange,
  type HeadFigures,
  type HeardNode,
  computeStanding,
  type NodeStanding,
} from "./node-standing.ts";
import { bitcoinWords } from "./bitcoin-methods.ts";
import {
  type CallNode,
  type ChainIdentity,
  type ChainMethods,
  isSameChain,
  type NodeSoftware,
} from "./chain-methods.ts";
import { ethereumWords } from "./ethereum-methods.ts";
import type { NodeLink } from "./node-link.ts";

/** Options of a tracker of the nodes' best blocks. */
export interface HeadTrackerOptions extends ChainIdentity {
  /** Kind of chain, which decides the requests to the nodes. Absent: Bitcoin's. */
  readonly words?: "bitcoin" | "ethereum" | undefined;
  /** Number of blocks beyond which a lagging node is excluded. */
  readonly maximumLag?: number | undefined;
  /** Time in milliseconds after its last response for which the others are compared with the head of a node that is gone. */
  readonly goneMilliseconds?: number | undefined;
  /** Time in milliseconds for which a node is expected to return to a height that it has left. */
  readonly memoryMilliseconds?: number | undefined;
  /** Milliseconds between two polls of a node's best block, give or take a fifth. */
  readonly pollMilliseconds?: number | undefined;
}

/** Defaults of the options. With the next poll, others take the place of a node that is gone within a minute. */
const defaults = { pollMilliseconds: 1_000, maximumLag: 2, goneMilliseconds: 55_000, memoryMilliseconds: 300_000 };

/** Timeout of a head poll in milliseconds: a node that is silent for so long gets no other calls. */
const responseMilliseconds = 5_000;

const jitter = 0.2;

const wordsOf: Readonly<Record<"bitcoin" | "ethereum", ChainMethods>> = {
  bitcoin: bitcoinWords,
  ethereum: ethereumWords,
};

interface TrackedNode extends HeardNode {
  readonly link: NodeLink;
  readonly callNode: CallNode;
  head: Head | undefined;
  heardAt: number;
  isLost: boolean;
  isOtherNetwork: boolean;
  isOtherSoftware: boolean;
  /** Identity that the node has reported last. */
  chain: ChainIdentity | undefined;
  software: NodeSoftware | undefined;
  /** Whether the node's identity must be queried again. */
  mayBeAnother: boolean;
  wentBackFrom: number | undefined;
  wentBackAt: number;
  /** Result of the last comparison, keyed by the hash of the reference's head: whether `head` is on its chain. */
  comparison: { readonly reference: string; readonly own: string; readonly isSame: boolean } | undefined;
  standing: NodeStanding;
  timer: NodeJS.Timeout | undefined;
}

/** Poller of the nodes' best blocks, which derives from them which nodes may be called. */
export class HeadTracker {
  readonly #nodes: readonly TrackedNode[];
  readonly #byLink: ReadonlyMap<NodeLink, TrackedNode>;
  readonly #words: ChainMethods;
  /** Expected chain of the nodes, as far as it is configured. */
  readonly #wanted: ChainIdentity;
  readonly #pollMilliseconds: number;
  readonly #figures: HeadFigures;
  readonly #memoryMilliseconds: number;
  readonly #closing = new AbortController();
  readonly #onChange: (change: HeadChange) => void;
  #reference: (TrackedNode & { readonly head: Head }) | undefined;
  #head: Head | undefined;
  /** Expected chain beyond the configuration: that of the first node. */
  #chain: ChainIdentity | undefined;
  #family: string | undefined;
  readonly #unheard: Set<TrackedNode>;
  #settle: () => void = () => undefined;

  /** Fulfilled when a node is healthy, or each has been polled. */
  readonly settled: Promise<void>;

  constructor(links: readonly NodeLink[], options: HeadTrackerOptions, onChange: (change: HeadChange) => void) {
    this.#words = wordsOf[options.words ?? "bitcoin"];
    this.#nodes = links.map((link) => createTrackedNode(link, (...call) => this.#callNode(link, ...call)));
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

  /** Returns whether the node has the best head. Of nodes with equal heads it is the first. */
  isLeading(link: NodeLink): boolean {
    return this.#reference?.link === link;
  }

  /** Returns the head that the node has reported last. */
  headOf(link: NodeLink): Head | undefined {
    return this.#byLink.get(link)?.head;
  }

  /** Returns the number of blocks by which the node lags the best of all; `undefined` while unknown. */
  lagOf(link: NodeLink): number | undefined {
    const head = this.headOf(link);
    if (head === undefined || this.#reference === undefined) return undefined;
    return Math.max(0, this.#reference.head.height - head.height);
  }

  /** Returns the chain and software that the node has reported last. */
  identityOf(link: NodeLink): {
    readonly chain?: ChainIdentity | undefined;
    readonly software?: NodeSoftware | undefined;
  } {
    const { chain, software } = this.#byLink.get(link) ?? {};
    return { chain, software };
  }

  /** Best head, on which the results are based; `undefined` before the first and while no responsive node has it. */
  get head(): Head | undefined {
    return this.#reference?.isLost === false ? this.#head : undefined;
  }

  close(): void {
    this.#closing.abort();
    this.#settle();
    for (const { timer } of this.#nodes) clearTimeout(timer);
  }

  async #follow(node: TrackedNode): Promise<void> {
    // Only node calls happen here, and their failures are counted in the node's counters.
    await this.#hear(node).catch(() => {
      node.isLost = true;
    });
    this.#unheard.delete(node);
    if (this.#checkChains()) await this.#settleHeads(node);
    if (this.#closing.signal.aborted) return;
    const pause = this.#pollMilliseconds * (1 - jitter + 2 * jitter * Math.random());
    node.timer = setTimeout(() => void this.#follow(node), pause);
    node.timer.unref();
  }

  async #settleHeads(node: TrackedNode): Promise<void> {
    await this.#compareAll().catch(() => undefined);
    if (this.#closing.signal.aborted) return;
    this.#checkAll();
    if (node.standing === "well" || this.#unheard.size === 0) this.#settle();
  }

  async #hear(node: TrackedNode): Promise<void> {
    // A node with an open circuit is polled after its cooldown: the head poll is its trial call.
    if (!node.link.canPass()) throw new Error("The node rests");
    const head = await this.#words.fetchHead(node.callNode, node.head);
    // When an address leads to several nodes, one of another chain is noticed by a head that does not follow.
    const isNext = node.head === undefined || head.hash === node.head.hash || head.parentHash === node.head.hash;
    if (node.isLost || node.mayBeAnother || !isNext) {
      node.chain = await this.#words.fetchChain(node.callNode);
      if (this.#nodes.length > 1 || this.#words.needsSoftwareOfOne)
        node.software = await this.#words.fetchSoftware(node.callNode);
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
      // A chain that is started anew goes back too.
      node.mayBeAnother = true;
    }
    if (node.wentBackFrom !== undefined && head.height >= node.wentBackFrom) node.wentBackFrom = undefined;
  }

  /** Queries the reference for which of the others' heads are on its chain, and whether its own is on the previous chain. */
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
    // A longer chain has lost to one with more work.
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
    // Another poll may have finished first.
    if (this.#head?.hash !== before?.hash || reference.head.hash !== head.hash) return;
    this.#reference = reference;
    this.#head = head;
    this.#onChange({ head, isReorganisation: before !== undefined && !isExtension });
  }

  async #isOnChainOf(node: TrackedNode, block: Head): Promise<boolean> {
    return node.head?.parentHash === block.hash || (await this.#words.fetchIsOnChain(node.callNode, block));
  }

  /**
   * Checks that all nodes have the configured chain, and where the configuration leaves it open, the chain of the first one, until no node
   * is known to have it. Returns whether that is settled.
   */
  #checkChains(): boolean {
    const chosen = this.#chain;
    const isHeld =
      chosen !== undefined && this.#nodes.some(({ chain }) => chain !== undefined && isSameChain(chain, chosen));
    if (!isHeld) this.#chain = this.#findFirstChain();
    for (const node of this.#nodes) node.isOtherNetwork = node.chain !== undefined && !this.#isWanted(node.chain);
    return this.#chain !== undefined || this.#unheard.size === 0;
  }

  /** Returns the chain of the first node in configured order, not of the first to respond: that would be chance. */
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
   * Compares the software of the nodes. A request in one program's form must not reach another, so all nodes must run what the first one
   * runs, until no node is known to run that.
   */
  #checkSoftware(): void {
    const known = this.#nodes.filter(({ software, isOtherNetwork }) => software !== undefined && !isOtherNetwork);
    if (!known.some(({ software }) => software?.family === this.#family)) this.#family = known[0]?.software?.family;
    for (const node of this.#nodes)
      node.isOtherSoftware = node.software !== undefined && node.software.family !== this.#family;
  }

  #checkAll(): void {
    const now = performance.now();
    this.#checkSoftware();
    for (const node of this.#nodes) {
      if (now - node.wentBackAt > this.#memoryMilliseconds) node.wentBackFrom = undefined;
    }
    const reference = this.#findReference();
    for (const node of this.#nodes) {
      const { comparison } = node;
      const isSame = comparison?.reference === reference?.head.hash ? comparison?.isSame : undefined;
      node.standing = computeStanding(node, reference, isSame, this.#figures);
    }
  }

  #findReference(): (TrackedNode & { readonly head: Head }) | undefined {
    return findReference(this.#nodes, performance.now(), this.#figures);
  }

  async #callNode(link: NodeLink, method: string, params: readonly unknown[]): Promise<unknown> {
    return await link.call(method, params, {
      signal: this.#closing.signal,
      timeoutMilliseconds: responseMilliseconds,
      isUrgent: true,
    });
  }
}

function createTrackedNode(link: NodeLink, callNode: CallNode): TrackedNode {
  return {
    link,
    callNode,
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
