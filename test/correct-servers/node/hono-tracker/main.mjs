// Issues of software projects, in the way of the interfaces of code hosts, with Hono and zod-openapi.
import { serve } from "@hono/node-server";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";

const Label = z.object({ name: z.string(), color: z.string().regex(/^[0-9a-f]{6}$/) }).openapi("Label");
const User = z.object({ login: z.string(), id: z.int() }).openapi("User");
const Issue = z
  .object({
    number: z.int(),
    title: z.string(),
    state: z.enum(["open", "closed"]),
    user: User,
    labels: z.array(Label),
    assignee: z.union([User, z.null()]),
    comments: z.int().openapi({ description: "Number of comments." }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    closed_at: z.iso.datetime().nullable(),
    body: z.string().nullable(),
  })
  .openapi("Issue");
const Commit = z
  .object({
    sha: z.string().regex(/^[0-9a-f]{40}$/),
    message: z.string(),
    author: z.union([User, z.null()]),
    stats: z.object({ additions: z.int(), deletions: z.int(), total: z.int() }),
    parents: z.array(z.object({ sha: z.string() })),
    date: z.iso.datetime(),
  })
  .openapi("Commit");
const Failure = z.object({ message: z.string() }).openapi("Failure");

const users = ["ada", "bo", "cleo", "dev"].map((login, place) => ({ login, id: 100 + place }));
const labels = [
  { name: "bug", color: "d73a4a" },
  { name: "docs", color: "0075ca" },
  { name: "good first issue", color: "7057ff" },
];
const at = (minutes) => new Date(Date.UTC(2025, 0, 6) + minutes * 60_000).toISOString();
const issues = Array.from({ length: 47 }, (_, place) => {
  const number = place + 1;
  const isClosed = number % 3 === 0;
  return {
    number,
    title: `${["Crash", "Typo", "Wish"][number % 3]} in module ${number % 7}`,
    state: isClosed ? "closed" : "open",
    user: users[number % 4],
    labels: labels.filter((_, index) => (number >> index) & 1),
    assignee: number % 4 === 0 ? null : users[(number * 3) % 4],
    comments: (number * 5) % 12,
    created_at: at(number * 95),
    updated_at: at(number * 95 + ((number * 641) % 9000)),
    closed_at: isClosed ? at(number * 95 + 9000) : null,
    body: number % 6 === 0 ? null : `Steps to see it: ${number}.`,
  };
});
const shaOf = (number) => (number * 2654435761).toString(16).padStart(10, "0").repeat(4).slice(0, 40);
const commits = Array.from({ length: 36 }, (_, place) => ({
  sha: shaOf(place + 1),
  message: `Change ${place + 1}`,
  author: place % 5 === 0 ? null : users[place % 4],
  stats: { additions: place * 3, deletions: place, total: place * 4 },
  parents: place === 0 ? [] : [{ sha: shaOf(place) }],
  date: at(place * 300),
})).reverse();

const app = new OpenAPIHono({
  defaultHook: (result, c) => {
    if (!result.success) return c.json({ message: z.prettifyError(result.error) }, 422);
  },
});
const json = (schema, description, headers) => ({ description, content: { "application/json": { schema } }, ...(headers ? { headers } : {}) });
const linkHeader = z.object({ Link: z.string().optional().openapi({ description: "Other pages (RFC 8288)." }) });
const paging = {
  per_page: z.coerce.number().int().min(1).max(100).default(30),
  page: z.coerce.number().int().min(1).default(1),
};

function paged(c, found, { page, per_page }) {
  const last = Math.max(1, Math.ceil(found.length / per_page));
  const url = (number) => {
    const address = new URL(c.req.url);
    address.searchParams.set("page", number);
    return address.href;
  };
  const links = [];
  if (page > 1) links.push(`<${url(Math.min(page - 1, last))}>; rel="prev"`, `<${url(1)}>; rel="first"`);
  if (page < last) links.push(`<${url(page + 1)}>; rel="next"`, `<${url(last)}>; rel="last"`);
  if (links.length > 0) c.header("Link", links.join(", "));
  return c.json(found.slice((page - 1) * per_page, page * per_page), 200);
}

app.openapi(
  createRoute({
    method: "get",
    path: "/issues",
    operationId: "listIssues",
    request: {
      query: z.object({
        state: z.enum(["open", "closed", "all"]).default("open"),
        assignee: z.string().optional().openapi({ description: "A login; `none` for no assignee, `*` for any." }),
        creator: z.string().optional(),
        labels: z.string().optional().openapi({ description: "Names with commas between them: issues that have all of these labels.", example: "bug,docs" }),
        since: z.iso.datetime().optional().openapi({ description: "Updated at this time or later." }),
        sort: z.enum(["created", "updated", "comments"]).default("created"),
        direction: z.enum(["asc", "desc"]).default("desc"),
        ...paging,
      }),
    },
    responses: { 200: json(z.array(Issue), "Issues", linkHeader), 422: json(Failure, "Not a valid request") },
  }),
  (c) => {
    const { state, assignee, creator, labels: names, since, sort, direction, ...page } = c.req.valid("query");
    const wanted = names === undefined ? [] : names.split(",").filter((name) => name !== "");
    const found = issues.filter(
      (one) =>
        (state === "all" || one.state === state) &&
        (assignee === undefined ||
          (assignee === "*" ? one.assignee !== null : assignee === "none" ? one.assignee === null : one.assignee?.login === assignee)) &&
        (creator === undefined || one.user.login === creator) &&
        wanted.every((name) => one.labels.some((label) => label.name === name)) &&
        (since === undefined || Date.parse(one.updated_at) >= Date.parse(since)),
    );
    const key = { created: "created_at", updated: "updated_at", comments: "comments" }[sort];
    found.sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.number - b.number));
    if (direction === "desc") found.reverse();
    return paged(c, found, page);
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: "/issues/{number}",
    operationId: "getIssue",
    request: { params: z.object({ number: z.coerce.number().int() }) },
    responses: { 200: json(Issue, "The issue"), 404: json(Failure, "No such issue"), 422: json(Failure, "Not a valid request") },
  }),
  (c) => {
    const found = issues.find(({ number }) => number === c.req.valid("param").number);
    return found === undefined ? c.json({ message: "Not Found" }, 404) : c.json(found, 200);
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: "/commits",
    operationId: "listCommits",
    description: "The latest first.",
    request: {
      query: z.object({
        sha: z.string().optional().openapi({ description: "Start with this commit." }),
        author: z.string().optional().openapi({ description: "A login." }),
        until: z.iso.datetime().optional().openapi({ description: "Made at this time or earlier." }),
        ...paging,
      }),
    },
    responses: { 200: json(z.array(Commit), "Commits", linkHeader), 404: json(Failure, "No such commit"), 422: json(Failure, "Not a valid request") },
  }),
  (c) => {
    const { sha, author, until, ...page } = c.req.valid("query");
    const start = sha === undefined ? 0 : commits.findIndex((one) => one.sha === sha);
    if (start < 0) return c.json({ message: "Not Found" }, 404);
    const found = commits
      .slice(start)
      .filter(
        (one) =>
          (author === undefined || one.author?.login === author) &&
          (until === undefined || Date.parse(one.date) <= Date.parse(until)),
      );
    return paged(c, found, page);
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: "/search/issues",
    operationId: "searchIssues",
    request: { query: z.object({ q: z.string().min(1).openapi({ example: "crash" }), ...paging }) },
    responses: {
      200: json(
        z.object({
          total_count: z.int(),
          incomplete_results: z.boolean(),
          items: z.array(Issue.extend({ score: z.number() })),
        }),
        "Issues, the best first",
      ),
      422: json(Failure, "Not a valid request"),
    },
  }),
  (c) => {
    const { q, page, per_page } = c.req.valid("query");
    const found = issues
      .map((one) => ({ ...one, score: one.title.toLowerCase().includes(q.toLowerCase()) ? 1 / (1 + one.comments) : 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.number - b.number);
    return c.json({ total_count: found.length, incomplete_results: false, items: found.slice((page - 1) * per_page, page * per_page) }, 200);
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: "/rate_limit",
    operationId: "getRateLimit",
    responses: { 200: json(z.object({ limit: z.int(), remaining: z.int(), reset: z.int() }), "What is left of it") },
  }),
  (c) => c.json({ limit: 5000, remaining: 4999 - (Math.floor(Date.now() / 500) % 100), reset: Math.ceil(Date.now() / 3_600_000) * 3600 }),
);

app.doc31("/openapi.json", { openapi: "3.1.0", info: { title: "Tracker", version: "1.0.0" } });
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT) });
