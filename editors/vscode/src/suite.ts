// What suite.json says about lines. Nothing here knows the editor, so that tests can run without it.

/** What is known about a line: the worst of its goals counts. */
export type LineState = "covered" | "partly" | "unreachable" | "open" | "violated";

interface Goal {
  readonly file?: string | null;
  readonly line: number;
  readonly text?: string;
  readonly verdict: string;
}

interface Suite {
  readonly format?: number;
  readonly functions?: readonly { readonly goals?: readonly Goal[] }[];
  readonly sources?: readonly { readonly path: string; readonly text?: string | null }[];
}

/** The lines of one file, counted from 1. */
export interface FileCoverage {
  readonly path: string;
  readonly lines: ReadonlyMap<number, LineState>;
  /** By line: one sentence for each goal. */
  readonly details: ReadonlyMap<number, readonly string[]>;
  /** The text that was tested; lines of another text may be others. */
  readonly text: string | undefined;
}

/** The format of suite.json that is understood. */
const FORMAT = 1;

function stateOf(verdicts: readonly string[]): LineState {
  const isReached = (verdict: string) => verdict === "covered" || verdict.startsWith("holds");
  const isExcluded = (verdict: string) => verdict.startsWith("infeasible");
  if (verdicts.includes("violated")) {
    return "violated";
  }
  if (verdicts.every(isExcluded)) {
    return "unreachable";
  }
  if (verdicts.every((verdict) => isReached(verdict) || isExcluded(verdict))) {
    return "covered";
  }
  return verdicts.some(isReached) ? "partly" : "open";
}

/** Reads the text of a suite.json; undefined where it is none that is understood. */
export function coverageOf(json: string): FileCoverage[] | undefined {
  let suite: Suite;
  try {
    suite = JSON.parse(json) as Suite;
  } catch {
    return undefined;
  }
  if (typeof suite !== "object" || suite === null || suite.format !== FORMAT) {
    return undefined;
  }
  const files = new Map<string, Map<number, Goal[]>>();
  for (const goal of (suite.functions ?? []).flatMap((each) => each.goals ?? [])) {
    if (!goal.file || goal.line < 1) {
      continue;
    }
    const lines = files.get(goal.file) ?? new Map<number, Goal[]>();
    files.set(goal.file, lines);
    lines.set(goal.line, [...(lines.get(goal.line) ?? []), goal]);
  }
  const texts = new Map((suite.sources ?? []).map((source) => [source.path, source.text ?? undefined]));
  return [...files].map(([path, lines]) => ({
    path,
    lines: new Map([...lines].map(([line, goals]) => [line, stateOf(goals.map((goal) => goal.verdict))])),
    details: new Map(
      [...lines].map(([line, goals]) => [line, goals.map((goal) => `${goal.text ?? "?"}: ${goal.verdict}`)]),
    ),
    text: texts.get(path),
  }));
}
