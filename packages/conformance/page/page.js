// @ts-check
// The script of a report's page. It is put into the page as it stands, so it needs nothing but the browser. All that comes from a target
// is set as text and never as markup.

/** @typedef {{ rule: string, level: string, title: string, message: string, detail?: string, pointer?: string, place?: string, guess?: string }} Finding */
/** @typedef {{ status: number, headers: Record<string, string>, size: number, body: string }} RecordedResponse */
/** @typedef {{ method: string, url: string, headers: Record<string, string>, body?: string, milliseconds: number, response?: RecordedResponse, trouble?: string }} Exchange */
/** @typedef {{ id: string, operation: string, group: string, rule: string, level: string, verdict: string, expected: string, reason?: string, findings: Finding[], exchanges: Exchange[], curl?: string, milliseconds: number }} Case */
/** @typedef {{ seen: string[], unseen: string[] }} Coverage */
/** @typedef {{ operation: string, origin: string, place?: string, availability: string, availabilityReason: string, calls: number, latency?: { requests: number, p50: number, p95: number, p99: number, most: number }, coverage: Record<string, Coverage> }} Operation */
/** @typedef {{ text: string, isMarked: boolean }} Line */
/** @typedef {{ rule: string, rules: string[], level: string, message: string, operations: string[], cases: string[] }} Fault */
/** @typedef {{ outcome: string, faults: Fault[], report: { suite: Record<string, string>, tool: { version: string }, protocol: string, baseUrl: string, against?: string, seed: string, startedAt: string, milliseconds: number, requests: number, target: Record<string, unknown>, cases: Case[], operations: Operation[], totals: Record<string, number>, notices: string[], outcome: string, inconclusiveBecause?: string }, verdicts: Record<string, string>, documentFrames: Record<string, string>, excerpts: Record<string, Line[]> }} Data */

/** Cases of an operation that are laid out at once. */
const pageSize = 200;
/** Faults that are listed above the cases. */
const shownFaults = 50;

const source = document.getElementById("report");
/** @type {Data} */
const data = JSON.parse(source?.textContent ?? "{}");
const { report, faults, verdicts, documentFrames, excerpts } = data;

/** Shows characters that nobody sees, and those that turn the direction of what follows. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are to be seen
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

/** @param {string} text */
function visible(text) {
  return text.replace(hidden, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * An element with attributes and children; texts become text nodes.
 *
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string | undefined)[]} children
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  append(made, children);
  return made;
}

/**
 * @param {Element} parent
 * @param {(Node | string | undefined)[]} children
 */
function append(parent, children) {
  for (const child of children)
    if (child !== undefined) parent.append(typeof child === "string" ? visible(child) : child);
}

/**
 * @param {number} count
 * @param {string} noun
 */
function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** @param {number} milliseconds */
function time(milliseconds) {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @type {Map<string, Case[]>} */
const casesByOperation = new Map();
for (const one of report.cases) {
  const own = casesByOperation.get(one.operation);
  if (own === undefined) casesByOperation.set(one.operation, [one]);
  else own.push(one);
}
const operations = new Map(report.operations.map((one) => [one.operation, one]));
const casesById = new Map(report.cases.map((one) => [one.id, one]));

/** Text that a search examines, created at the first search. @type {Map<Case, string>} */
const searchTexts = new Map();

/** @param {Case} one */
function searchText(one) {
  let text = searchTexts.get(one);
  if (text === undefined) {
    const parts = one.findings.flatMap((finding) => [finding.rule, finding.message, finding.detail ?? ""]);
    const origin = operations.get(one.operation)?.origin ?? "";
    text = [one.id, origin, one.rule, one.reason ?? "", one.expected, ...parts].join("\n").toLowerCase();
    searchTexts.set(one, text);
  }
  return text;
}

const order = Object.keys(verdicts);
const failing = ["failed", "stale"];
/** @type {{ verdicts: Set<string>, words: string[] }} */
const filter = { verdicts: new Set(), words: [] };

/** @param {Case} one */
function isWanted(one) {
  if (filter.verdicts.size > 0 && !filter.verdicts.has(one.verdict)) return false;
  if (filter.words.length === 0) return true;
  const text = searchText(one);
  return filter.words.every((word) => text.includes(word));
}

/** @param {Case[]} cases */
function countWords(cases) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { verdict } of cases) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const made = element("span", { class: "counts" });
  const parts = order.filter((verdict) => counts.has(verdict));
  for (const [position, verdict] of parts.entries()) {
    if (position > 0) made.append(", ");
    made.append(element("b", { class: verdict }, `${counts.get(verdict)} ${verdicts[verdict]}`));
  }
  return made;
}

/**
 * A details element whose contents are made when it is opened for the first time.
 *
 * @param {Record<string, string>} attributes
 * @param {Node} summary
 * @param {() => Node[]} contents
 */
function lazyDetails(attributes, summary, contents) {
  const made = document.createElement("details");
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(summary);
  let isFilled = false;
  const fill = () => {
    if (isFilled) return;
    isFilled = true;
    made.append(element("div", { class: "body" }, ...contents()));
  };
  made.addEventListener("toggle", () => made.open && fill());
  return Object.assign(made, { fill });
}

/** @param {string} text */
function copyButton(text) {
  const button = element("button", { type: "button", class: "small" }, "Copy");
  button.addEventListener("click", () => {
    navigator.clipboard?.writeText(text).then(
      () => {
        button.textContent = "Copied";
      },
      () => undefined,
    );
  });
  return button;
}

/** @param {Line[]} lines */
function excerptOf(lines) {
  const made = element("pre", { class: "excerpt", tabindex: "0" });
  for (const { text, isMarked } of lines)
    made.append(
      isMarked
        ? element("span", { class: "marked" }, `> ${text}\n`)
        : document.createTextNode(`${lines.length > 1 ? "  " : ""}${visible(text)}\n`),
    );
  return made;
}

/** @param {Finding} finding */
function findingOf(finding) {
  const frame = finding.place === undefined ? undefined : documentFrames[finding.place];
  const made = element(
    "div",
    { class: "finding" },
    element(
      "div",
      {},
      element("span", { class: `level ${finding.level}` }, finding.level),
      element("code", {}, finding.rule),
      ` ${finding.message}`,
    ),
  );
  if (finding.detail !== undefined && finding.detail !== finding.message)
    made.append(element("div", {}, finding.detail));
  if (finding.guess !== undefined) made.append(element("div", { class: "brief" }, `Guessed: ${finding.guess}`));
  made.append(element("div", { class: "brief" }, finding.title));
  if (frame !== undefined)
    made.append(element("h3", {}, "What the document says"), element("pre", { class: "frame", tabindex: "0" }, frame));
  return made;
}

/** @param {Record<string, string>} headers */
function headersOf(headers) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return lazyDetails({}, element("summary", {}, counted(lines.length, "header")), () => [
    element("pre", { tabindex: "0" }, lines.join("\n")),
  ]);
}

/**
 * @param {Exchange} exchange
 * @param {Line[] | undefined} excerpt
 */
function exchangeOf(exchange, excerpt) {
  const { response } = exchange;
  /** @type {Node[]} */
  const parts = [
    element("h3", {}, "Sent"),
    element("pre", { tabindex: "0" }, `${exchange.method} ${exchange.url}`),
    headersOf(exchange.headers),
  ];
  if (exchange.body !== undefined && exchange.body !== "") parts.push(element("pre", { tabindex: "0" }, exchange.body));
  parts.push(element("h3", {}, "Came"));
  if (response === undefined) {
    parts.push(element("p", {}, exchange.trouble ?? "no response"));
    return parts;
  }
  const type = response.headers["content-type"] ?? "without content type";
  parts.push(
    element(
      "div",
      {},
      `${response.status}, ${type}, ${response.size.toLocaleString("en")} bytes, ${time(exchange.milliseconds)}`,
    ),
    headersOf(response.headers),
  );
  if (excerpt !== undefined) parts.push(excerptOf(excerpt));
  if (response.body !== "") {
    const complete = () => [element("pre", { tabindex: "0" }, response.body)];
    if (excerpt === undefined) parts.push(...complete());
    else parts.push(lazyDetails({}, element("summary", {}, "Response as received"), complete));
  }
  return parts;
}

/**
 * What was sent last and what came, in short: the rest stands in the case.
 *
 * @param {Case} one
 */
function trafficOf(one) {
  const exchange = one.exchanges.at(-1);
  if (exchange === undefined) return [];
  const { method, url, body, response, trouble } = exchange;
  const excerpt = excerpts[one.id];
  const sent = body === undefined || body === "" ? "" : `\n${body}`;
  const came =
    response === undefined
      ? (trouble ?? "no response")
      : `${response.status} ${response.headers["content-type"] ?? ""}`;
  return [
    element("h3", {}, "Sent"),
    element("pre", { class: "short", tabindex: "0" }, `${method} ${url}${sent}`),
    element("h3", {}, `Came: ${came}`),
    excerpt === undefined
      ? element("pre", { class: "short", tabindex: "0" }, response?.body ?? "")
      : excerptOf(excerpt),
  ];
}

/** @param {Fault} fault */
function faultOf({ rule, rules, level, message, operations: names, cases }) {
  const [first = ""] = cases;
  const shown = casesById.get(first);
  const finding = shown?.findings.find((one) => one.rule === rule && one.message === message) ?? shown?.findings[0];
  const of = names.length > 1 ? ` of ${counted(names.length, "operation")}` : "";
  const summary = element(
    "summary",
    {},
    element("span", { class: `level ${level}` }, level),
    element("code", {}, rules.join(", ")),
    ` ${message}`,
    element("span", { class: "brief" }, `${counted(cases.length, "case")}${of}`),
  );
  const links = lazyDetails({}, element("summary", {}, counted(cases.length, "case")), () =>
    cases.map((id) => element("div", {}, element("a", { href: `#${encodeURIComponent(id)}` }, id))),
  );
  const origin = operations.get(names[0] ?? "")?.origin ?? names[0] ?? "";
  return lazyDetails({ class: "fault" }, summary, () => {
    if (shown === undefined || finding === undefined) return [links];
    const { detail, place } = finding;
    const frame = place === undefined ? undefined : documentFrames[place];
    return [
      element("div", {}, element("code", {}, origin), detail === undefined || detail === message ? "" : `: ${detail}`),
      ...trafficOf(shown),
      ...(frame === undefined
        ? []
        : [element("h3", {}, "The document says"), element("pre", { class: "frame", tabindex: "0" }, frame)]),
      links,
    ];
  });
}

/** Faults, each once, the first of them open: what a reader looks for stands on the first screen. */
function faultList() {
  const nodes = faults.slice(0, shownFaults).map(faultOf);
  const [first] = nodes;
  if (first !== undefined) {
    first.open = true;
    first.fill();
  }
  const left = faults.length - nodes.length;
  return [
    ...nodes,
    ...(left > 0 ? [element("p", { class: "brief" }, `${counted(left, "more fault")} among the cases.`)] : []),
  ];
}

/** @param {Case} one */
function caseContents(one) {
  /** @type {Node[]} */
  const parts = one.findings.map(findingOf);
  parts.push(element("h3", {}, "Expected"), element("div", {}, one.expected));
  if (one.reason !== undefined) parts.push(element("h3", {}, "Because"), element("div", {}, one.reason));
  for (const [position, exchange] of one.exchanges.entries())
    parts.push(...exchangeOf(exchange, position === one.exchanges.length - 1 ? excerpts[one.id] : undefined));
  if (one.curl !== undefined)
    parts.push(element("h3", {}, "Again"), element("pre", { tabindex: "0" }, one.curl), copyButton(one.curl));
  const link = element("a", { href: `#${encodeURIComponent(one.id)}` }, "Link to this case");
  parts.push(element("p", {}, link));
  return parts;
}

/** @param {Case} one */
function caseOf(one) {
  const brief = one.findings[0]?.message ?? one.reason;
  const summary = element(
    "summary",
    {},
    element("span", { class: "word" }, verdicts[one.verdict] ?? one.verdict),
    " ",
    element("code", {}, one.id),
    brief === undefined ? undefined : element("span", { class: "brief" }, brief),
  );
  return lazyDetails({ class: `case ${one.verdict}`, "data-case": one.id }, summary, () => caseContents(one));
}

/** @typedef {{ name: string, cases: Case[], node: HTMLDetailsElement, update: () => number, open: () => void, showCase: (id: string) => Element | undefined }} Group */

/**
 * @param {string} name
 * @param {Case[]} cases
 * @returns {Group}
 */
function groupOf(name, cases) {
  const sorted = cases.toSorted((left, right) => order.indexOf(left.verdict) - order.indexOf(right.verdict));
  const operation = operations.get(name);
  const title = operation === undefined || operation.origin === name ? name : `${operation.origin} (${name})`;
  const node = document.createElement("details");
  node.className = "operation";
  const summary = element("summary", {}, element("code", {}, title));
  let counts = countWords(cases);
  summary.append(counts);
  const list = element("div", { class: "body" });
  node.append(summary, list);
  let wanted = sorted;
  let shown = 0;

  const showMore = () => {
    list.querySelector("button.more")?.remove();
    const next = wanted.slice(shown, shown + pageSize);
    list.append(...next.map(caseOf));
    shown += next.length;
    const left = wanted.length - shown;
    if (left <= 0) return;
    const button = element(
      "button",
      { type: "button", class: "more small" },
      `Show ${Math.min(left, pageSize)} more of ${left}`,
    );
    button.addEventListener("click", showMore);
    list.append(button);
  };
  const fill = () => {
    list.replaceChildren();
    shown = 0;
    if (node.open) showMore();
  };
  const open = () => {
    node.open = true;
    if (shown === 0) showMore();
  };
  node.addEventListener("toggle", () => (node.open ? open() : undefined));

  return {
    name,
    cases,
    node,
    update() {
      wanted = sorted.filter(isWanted);
      node.hidden = wanted.length === 0;
      const next = countWords(wanted);
      counts.replaceWith(next);
      counts = next;
      fill();
      return wanted.length;
    },
    open,
    showCase(id) {
      const position = wanted.findIndex((one) => one.id === id);
      if (position === -1) return undefined;
      open();
      while (shown <= position) showMore();
      return list.querySelector(`[data-case="${CSS.escape(id)}"]`) ?? undefined;
    },
  };
}

/** Operations with failures first, then as the document has them. */
function groupsOf() {
  const names = [...new Set([...report.operations.map(({ operation }) => operation), ...casesByOperation.keys()])];
  const rank = (/** @type {string} */ name) => {
    const cases = casesByOperation.get(name) ?? [];
    const best = Math.min(...cases.map(({ verdict }) => order.indexOf(verdict)), order.length);
    return Math.min(best, order.indexOf("known"));
  };
  return names
    .filter((name) => casesByOperation.has(name))
    .map((name) => ({ name, rank: rank(name) }))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ name }) => groupOf(name, casesByOperation.get(name) ?? []));
}

const vectorNamespace = "http://www.w3.org/2000/svg";

/**
 * @param {NonNullable<Operation["latency"]>} latency
 * @param {number} most
 */
function latencyBar(latency, most) {
  const made = document.createElementNS(vectorNamespace, "svg");
  made.setAttribute("class", "bar");
  made.setAttribute("viewBox", "0 0 150 12");
  made.setAttribute("role", "img");
  made.setAttribute(
    "aria-label",
    `median ${time(latency.p50)}, 95 % ${time(latency.p95)}, 99 % ${time(latency.p99)}, most ${time(latency.most)}`,
  );
  const width = (/** @type {number} */ milliseconds) => String(Math.max(1, (milliseconds / most) * 150));
  for (const [kind, value] of /** @type {const} */ ([
    ["p99", latency.p99],
    ["p95", latency.p95],
    ["p50", latency.p50],
  ])) {
    const bar = document.createElementNS(vectorNamespace, "rect");
    bar.setAttribute("class", kind);
    bar.setAttribute("height", "12");
    bar.setAttribute("width", width(value));
    made.append(bar);
  }
  return made;
}

/** @param {Record<string, Coverage>} coverage */
function coverageCell(coverage) {
  const kinds = Object.entries(coverage).filter(([, { seen, unseen }]) => seen.length + unseen.length > 0);
  if (kinds.length === 0) return element("td", {}, "");
  const words = kinds.map(([kind, { seen, unseen }]) => `${kind} ${seen.length}/${seen.length + unseen.length}`);
  const left = kinds.filter(([, { unseen }]) => unseen.length > 0);
  if (left.length === 0) return element("td", {}, words.join(", "));
  const details = lazyDetails({}, element("summary", {}, words.join(", ")), () =>
    left.map(([kind, { unseen }]) => element("div", { class: "brief" }, `${kind} never seen: ${unseen.join(", ")}`)),
  );
  return element("td", {}, details);
}

/** @param {number} most */
function operationRow(/** @type {Operation} */ one, most) {
  const own = casesByOperation.get(one.operation) ?? [];
  const median = one.latency === undefined ? "" : time(one.latency.p50);
  const availability = element("td", {}, one.availability);
  availability.title = visible(one.availabilityReason);
  const quantiles = element("td", {});
  if (one.latency !== undefined) quantiles.append(latencyBar(one.latency, most));
  return element(
    "tr",
    {},
    element("td", {}, element("code", {}, one.origin)),
    availability,
    element("td", {}, own.length === 0 ? "" : countWords(own)),
    element("td", { class: "number" }, String(one.calls)),
    element("td", { class: "number" }, median),
    element("td", { class: "number" }, one.latency === undefined ? "" : time(one.latency.p95)),
    element("td", { class: "number" }, one.latency === undefined ? "" : time(one.latency.p99)),
    quantiles,
    coverageCell(one.coverage),
  );
}

function operationTable() {
  const most = Math.max(1, ...report.operations.map(({ latency }) => latency?.p99 ?? 0));
  const heads = [
    ["operation", ""],
    ["availability", ""],
    ["cases", ""],
    ["calls", "number"],
    ["p50", "number"],
    ["p95", "number"],
    ["p99", "number"],
    ["times", ""],
    ["coverage", ""],
  ];
  const body = element("tbody");
  const rows = report.operations;
  let shown = 0;
  const more = element("button", { type: "button", class: "small" });
  const showMore = () => {
    const next = rows.slice(shown, shown + pageSize);
    body.append(...next.map((one) => operationRow(one, most)));
    shown += next.length;
    more.textContent = `Show ${Math.min(rows.length - shown, pageSize)} more of ${rows.length - shown}`;
    more.hidden = shown >= rows.length;
  };
  more.addEventListener("click", showMore);
  showMore();
  const header = element(
    "tr",
    {},
    ...heads.map(([text = "", kind = ""]) => element("th", { scope: "col", class: kind }, text)),
  );
  return [element("div", { class: "table" }, element("table", {}, element("thead", {}, header), body)), more];
}

function coverageTotals() {
  /** @type {Map<string, { seen: number, all: number }>} */
  const totals = new Map();
  for (const { coverage } of report.operations)
    for (const [kind, { seen, unseen }] of Object.entries(coverage)) {
      const total = totals.get(kind) ?? { seen: 0, all: 0 };
      totals.set(kind, { seen: total.seen + seen.length, all: total.all + seen.length + unseen.length });
    }
  const meters = [...totals].filter(([, { all }]) => all > 0);
  return element(
    "div",
    { class: "meters" },
    ...meters.map(([kind, { seen, all }]) => {
      const label = `${kind}: ${seen} of ${all}`;
      return element(
        "div",
        {},
        element("div", {}, label),
        element("meter", { min: "0", max: String(all), value: String(seen), "aria-label": label }),
      );
    }),
  );
}

function header() {
  const { suite, target } = report;
  const tone = { conforms: "passed", differs: "failed", inconclusive: "warned" }[report.outcome] ?? "";
  const facts = [
    target["client"],
    target["chain"],
    target["height"] === undefined ? undefined : `height ${target["height"]}`,
    target["isSynchronised"] === false ? "still catching up" : undefined,
    target["prunedBelow"] === undefined ? undefined : `blocks from ${target["prunedBelow"]}`,
    `seed ${report.seed}`,
    report.startedAt,
    `nodewright ${report.tool.version}`,
  ].filter((fact) => fact !== undefined);
  const against = report.against === undefined ? "" : ` against ${report.against}`;
  return element(
    "header",
    { class: "page" },
    element("h1", {}, `${suite["title"]} ${suite["version"]}`),
    element(
      "p",
      { class: "facts" },
      element("code", {}, `${report.baseUrl}${against}`),
      ` held against ${suite["source"]}`,
    ),
    element("p", { class: "facts" }, facts.join(" · ")),
    element(
      "div",
      { class: `outcome ${tone}`, role: "status" },
      element("strong", {}, data.outcome),
      element(
        "span",
        {},
        `${report.inconclusiveBecause ?? ""} ${counted(report.cases.length, "case")}, ${counted(report.requests, "request")} in ${time(report.milliseconds)}`.trim(),
      ),
    ),
  );
}

/**
 * @param {string} title
 * @param {Node[]} contents
 */
function section(title, ...contents) {
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return element("section", { "aria-labelledby": id }, element("h2", { id }, title), ...contents);
}

function unsentList() {
  const unsent = report.operations.filter(({ availability }) => availability === "not sent");
  return unsent.map(({ origin, availabilityReason }) =>
    element("li", {}, element("code", {}, origin), `: ${availabilityReason}`),
  );
}

function start() {
  const groups = groupsOf();
  const status = element("p", { class: "legend", role: "status", "aria-live": "polite" });
  const update = () => {
    const count = groups.reduce((sum, group) => sum + group.update(), 0);
    status.textContent =
      count === report.cases.length
        ? `${counted(count, "case")}.`
        : `${count.toLocaleString("en")} of ${counted(report.cases.length, "case")}.`;
  };
  const buttons = order
    .filter((verdict) => (report.totals[verdict] ?? 0) > 0)
    .map((verdict) => {
      const button = element(
        "button",
        { type: "button", class: `verdict ${verdict}`, "aria-pressed": "false" },
        `${(report.totals[verdict] ?? 0).toLocaleString("en")} ${verdicts[verdict]}`,
      );
      button.addEventListener("click", () => {
        const isOn = filter.verdicts.delete(verdict) === false;
        if (isOn) filter.verdicts.add(verdict);
        button.setAttribute("aria-pressed", String(isOn));
        update();
      });
      return button;
    });
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = "Search cases, rules and messages";
  search.setAttribute("aria-label", search.placeholder);
  /** @type {number | undefined} */
  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      filter.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      update();
    }, 120);
  });

  const unsent = unsentList();
  const main = element("main");
  append(main, [
    faults.length === 0 ? undefined : section("Faults", ...faultList()),
    section(
      "Cases",
      element("div", { class: "filters" }, ...buttons, search),
      status,
      ...groups.map(({ node }) => node),
    ),
    report.notices.length === 0
      ? undefined
      : section(
          "To know",
          element("ul", { class: "plain" }, ...report.notices.map((notice) => element("li", {}, notice))),
        ),
    section("Operations", ...operationTable()),
    section("Coverage", coverageTotals()),
    unsent.length === 0 ? undefined : section("Not sent", element("ul", { class: "plain" }, ...unsent)),
  ]);
  document.body.replaceChildren(header(), main);
  update();

  const goToCase = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (id === "") return;
    for (const group of groups) {
      const found = /** @type {HTMLDetailsElement | undefined} */ (group.showCase(id));
      if (found === undefined) continue;
      found.open = true;
      found.scrollIntoView();
      return;
    }
  };
  addEventListener("hashchange", goToCase);
  goToCase();
  // On paper nothing can be opened: what fails is laid out.
  addEventListener("beforeprint", () => {
    for (const { open, cases } of groups) if (cases.some(({ verdict }) => failing.includes(verdict))) open();
    for (const one of document.querySelectorAll("details.fault, details.case.failed, details.case.stale")) {
      const details = /** @type {HTMLDetailsElement & { fill?: () => void }} */ (one);
      details.open = true;
      details.fill?.();
    }
  });
}

start();
