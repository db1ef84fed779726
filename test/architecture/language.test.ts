import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root, sourceFiles, workspacePackages } from "../support/workspace.ts";

/** Words of names and paths for which the specifications have others: the glossary is in CONTRIBUTING.md. */
const nameWords = [
  "answers?",
  "ask(?:s|ed)?",
  "beside",
  "foreseen",
  "holes?",
  "judge(?:s|d|ment)?",
  "judgement",
  "len[dt]",
  "questions?",
  "rooms?",
  "strangers?",
  "tells?",
  "told",
  "whole",
].join("|");

/** Such a word between the hyphens, slashes and dots of a path, or of a name in kebab-case. */
const namePattern = new RegExp(`(?:^|[-/])(?:${nameWords})(?=[-/.]|$)`);

/** Phrases of messages, documents and docstrings for which there are plainer ones. */
const phrasePattern = new RegExp(
  [
    String.raw`\b(?:the answers?|an answer|answers? (?:of|to|with)|answered|asked|ask again|ask for|hold against|held against`,
    "told|judge(?:s|d)?|judging|behind this|beside|stands? in|let(?:s)? go of|left in peace|lent|foreseen|holes?|rooms?|strangers?",
    String.raw`whole(?! numbers?\b)|(?<!\bthere )(?:is|are) no(?! longer\b)(?= \w))\b`,
  ].join("|"),
  "i",
);

/** Reports of runs, notes of tests, the glossary itself, and the history. */
const otherDocuments = /^docs\/nodes\/|^test\/|^CONTRIBUTING\.md|^CHANGELOG\.md|^\.changeset\//;

const exportPattern = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;
const stringPattern = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const docstringPattern = /\/\*\*[\s\S]*?\*\//g;

const packages = workspacePackages();

describe.each(packages)("the words of $name", ({ directory }) => {
  const files = sourceFiles(directory)
    .filter((path) => !/\/gen\/|\.test(?:-d)?\.ts$|\/testing\/|template-programs/.test(path))
    .map(read);

  it("are those of the specifications in exported names", () => {
    const names = files.flatMap((text) => [...text.matchAll(exportPattern)].map(([, name = ""]) => name));
    expect(names.filter((name) => namePattern.test(kebabCase(name)))).toEqual([]);
  });

  it("are those of the specifications in messages", () => {
    const messages = files.flatMap((text) =>
      [...withoutComments(text).matchAll(stringPattern)].map(([message]) => message.replaceAll(/\$\{[^{}]*\}/g, "…")),
    );
    expect(messages.filter((message) => message.includes(" ") && phrasePattern.test(message))).toEqual([]);
  });

  it("are those of the specifications in docstrings", () => {
    const sentences = files.flatMap((text) =>
      [...text.matchAll(docstringPattern)].map(([comment]) => comment.replaceAll(/\s+\*?\s*/g, " ")),
    );
    expect(sentences.filter((sentence) => phrasePattern.test(withoutCode(sentence)))).toEqual([]);
  });
});

const trackedFiles = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)));

it("documents use the words of the specifications", () => {
  const documents = trackedFiles.filter((path) => /\.md$/.test(path) && !otherDocuments.test(path));
  const lines = documents.flatMap((path) =>
    read(path)
      .split("\n")
      .map((line) => `${path}: ${line}`),
  );
  expect(lines.filter((line) => phrasePattern.test(withoutCode(line)))).toEqual([]);
});

it("files are named with the words of the specifications", () => {
  expect(trackedFiles.filter((path) => namePattern.test(path))).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** Leaves out names in backquotes, which are checked where they are declared. */
function withoutCode(text: string): string {
  return text.replaceAll(/`[^`]*`/g, "…");
}

function kebabCase(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, "-$&").toLowerCase();
}
