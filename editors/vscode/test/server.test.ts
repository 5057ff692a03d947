// The real server, spoken to with the library that the extension uses, without an editor.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from "vscode-jsonrpc/node";

import { coverageOf } from "../src/suite";

const TEXT = `int clamp(int x) {
    if (x > 5) {
        if (x < 3) {
            return -1;
        }
        return 5;
    }
    return x;
}
`;

interface Diagnostic {
  readonly code: string;
  readonly range: { readonly start: { readonly line: number } };
  readonly tags?: readonly number[];
}

const binary = process.env.GLASSBOX_BINARY ?? "glassbox";
let folder: string;
let server: ChildProcess;
let connection: MessageConnection;
let diagnostics: Diagnostic[] = [];
let heard: () => void = () => undefined;

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "glassbox-vscode-"));
  server = spawn(binary, ["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  assert.ok(server.stdout && server.stdin);
  connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.onNotification("textDocument/publishDiagnostics", (params: { diagnostics: Diagnostic[] }) => {
    diagnostics = params.diagnostics;
    heard();
  });
  connection.listen();
  await connection.sendRequest("initialize", {
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
    initializationOptions: { showsText: true },
  });
  await connection.sendNotification("initialized", {});
});

after(async () => {
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
  rmSync(folder, { recursive: true });
});

test("what the extension relies on", async () => {
  const file = path.join(folder, "clamp.c");
  writeFileSync(file, TEXT);
  const uri = pathToFileURL(file).href;
  const isThere = new Promise<void>((resolve) => {
    heard = () => {
      if (diagnostics.some((each) => each.code === "unreachable")) {
        resolve();
      }
    };
  });
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "c", version: 1, text: TEXT },
  });
  await isThere;
  const lines = diagnostics.filter((each) => each.tags?.includes(1)).map((each) => each.range.start.line);
  assert.ok(lines.includes(2) && lines.includes(3), JSON.stringify(diagnostics));
  const lenses = await connection.sendRequest<{ command: { command: string } }[]>("textDocument/codeLens", {
    textDocument: { uri },
  });
  const commands = lenses.map((each) => each.command.command);
  assert.deepEqual(commands, ["glassbox.generateTests", "glassbox.whyUnreachable"]);
  const why = await connection.sendRequest<{ text: string }>("workspace/executeCommand", {
    command: "glassbox.whyUnreachable",
    arguments: [uri, "clamp"],
  });
  assert.match(why.text, /INFEASIBLE/);
  const made = await connection.sendRequest<{ covered: number; message: string }>("workspace/executeCommand", {
    command: "glassbox.generateTests",
    arguments: [uri, "clamp"],
  });
  assert.equal(made.covered, 3, made.message);
  const [coverage] = coverageOf(readFileSync(path.join(folder, "glassbox-out/suite.json"), "utf8")) ?? [];
  assert.equal(coverage?.lines.get(2), "covered");
  assert.equal(coverage?.text, TEXT);
});
