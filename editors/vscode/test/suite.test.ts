// What the gutter shows of a suite.json.

import assert from "node:assert/strict";
import { test } from "node:test";

import { coverageOf } from "../src/suite";

function suite(goals: readonly object[]): string {
  return JSON.stringify({
    format: 1,
    functions: [{ goals }],
    sources: [{ path: "a.c", text: "int x;\n" }],
  });
}

function state(...verdicts: string[]): string | undefined {
  const goals = verdicts.map((verdict) => ({ file: "a.c", line: 3, text: "g", verdict }));
  return coverageOf(suite(goals))?.[0]?.lines.get(3);
}

test("the worst goal of a line counts", () => {
  assert.equal(state("covered"), "covered");
  assert.equal(state("covered", "infeasible"), "covered");
  assert.equal(state("infeasible", "infeasible-within"), "unreachable");
  assert.equal(state("covered", "unknown"), "partly");
  assert.equal(state("unknown"), "open");
  assert.equal(state("unknown", "violated", "covered"), "violated");
  assert.equal(state("holds", "holds-within"), "covered");
});

test("what is no suite of this format is left alone", () => {
  for (const text of ["", "{", "[]", "null", "7", '{"format":99}', "{}"]) {
    assert.equal(coverageOf(text), undefined, text);
  }
  assert.deepEqual(coverageOf('{"format":1}'), []);
  assert.deepEqual(coverageOf(suite([{ line: 1, verdict: "covered" }])), []);
});

test("lines have their sentences and files their text", () => {
  const goals = [
    { file: "a.c", line: 1, text: "x > 3 is true", verdict: "covered" },
    { file: "b.c", line: 1, text: "y", verdict: "unknown" },
  ];
  const [a, b] = coverageOf(suite(goals)) ?? [];
  assert.deepEqual(a?.details.get(1), ["x > 3 is true: covered"]);
  assert.deepEqual([a?.text, b?.text], ["int x;\n", undefined]);
});
