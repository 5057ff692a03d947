// Starts `glassbox lsp`, and shows what commands of the server return.

import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

import { Gutter, settings } from "./gutter";

let client: LanguageClient | undefined;

/** What `glassbox.generateTests` returns. */
interface Generated {
  readonly message?: string;
  readonly file?: string | null;
  readonly reports?: readonly string[];
}

/** Explanations are documents that nothing saves. */
class Explanations implements vscode.TextDocumentContentProvider {
  static readonly scheme = "glassbox";
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: Explanations.scheme, path: `/${name}.txt` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const gutter = new Gutter();
  const explanations = new Explanations();
  context.subscriptions.push(
    gutter,
    vscode.workspace.registerTextDocumentContentProvider(Explanations.scheme, explanations),
    vscode.commands.registerCommand("glassbox.toggleCoverage", () => gutter.toggle()),
    vscode.commands.registerCommand("glassbox.restart", () => client?.restart()),
    vscode.commands.registerCommand("glassbox.openReport", openReport),
    vscode.commands.registerCommand("glassbox.generateForFile", async () => {
      const document = vscode.window.activeTextEditor?.document;
      if (document) {
        await vscode.commands.executeCommand("glassbox.generateTests", document.uri.toString());
      }
    }),
  );
  const server: ServerOptions = { command: settings().get("path", "glassbox"), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "c" },
      { scheme: "file", language: "java" },
    ],
    initializationOptions: { showsText: true },
    middleware: {
      executeCommand: async (command, args, next) => {
        if (command === "glassbox.generateTests") {
          const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === args[0]);
          await document?.save();
        }
        const result: unknown = await next(command, args);
        await showResult(command, result, explanations);
        return result;
      },
    },
  };
  client = new LanguageClient("glassbox", "Glassbox", server, options);
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `Glassbox cannot be started: ${String(error)}`,
      "Open Settings",
    );
    if (choice !== undefined) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "glassbox.path");
    }
  }
}

async function showResult(command: string, result: unknown, explanations: Explanations): Promise<void> {
  if (typeof result !== "object" || result === null) {
    return;
  }
  if (command === "glassbox.whyUnreachable") {
    const { function: name, text } = result as { function?: string; text?: string };
    await explanations.show(name ?? "why", text ?? "");
  } else if (command === "glassbox.generateTests") {
    const { message, file, reports } = result as Generated;
    const page = reports?.find((each) => each.endsWith(".html"));
    const choices = [...(file ? ["Show Tests"] : []), ...(page ? ["Open Report"] : [])];
    const choice = await vscode.window.showInformationMessage(message ?? "done", ...choices);
    if (choice === "Show Tests" && file) {
      await vscode.window.showTextDocument(vscode.Uri.parse(file));
    } else if (choice === "Open Report" && page) {
      await vscode.env.openExternal(vscode.Uri.parse(page));
    }
  }
}

async function openReport(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) {
    return;
  }
  const suite = settings().get("suite", "glassbox-out/suite.json");
  const page = vscode.Uri.joinPath(folder.uri, path.posix.dirname(suite), "report", "index.html");
  await vscode.env.openExternal(page);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
