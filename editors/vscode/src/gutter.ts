// Coverage in the gutter, from suite.json.

import * as path from "node:path";
import * as vscode from "vscode";

import { coverageOf, type FileCoverage, type LineState } from "./suite";

const COLORS: Record<LineState, string> = {
  covered: "#2e7d32",
  partly: "#f9a825",
  unreachable: "#757575",
  open: "#ef6c00",
  violated: "#c62828",
};

/** A bar as wide as the gutter lets it be. */
function bar(color: string): vscode.Uri {
  const image = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="6" width="4" height="16" fill="${color}"/></svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;utf8,${encodeURIComponent(image)}`);
}

export class Gutter implements vscode.Disposable {
  private readonly types = new Map<LineState, vscode.TextEditorDecorationType>();
  private readonly disposables: vscode.Disposable[] = [];
  private files: { file: string; coverage: FileCoverage }[] = [];
  private isShown: boolean;

  constructor() {
    for (const [state, color] of Object.entries(COLORS) as [LineState, string][]) {
      const type = vscode.window.createTextEditorDecorationType({
        gutterIconPath: bar(color),
        gutterIconSize: "contain",
        overviewRulerColor: color,
        overviewRulerLane: vscode.OverviewRulerLane.Left,
      });
      this.types.set(state, type);
      this.disposables.push(type);
    }
    this.isShown = settings().get("coverage", true);
    const name = path.posix.basename(settings().get("suite", "glassbox-out/suite.json"));
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${name}`);
    const reload = () => void this.load();
    this.disposables.push(
      watcher,
      watcher.onDidChange(reload),
      watcher.onDidCreate(reload),
      watcher.onDidDelete(reload),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
      vscode.workspace.onDidChangeTextDocument(() => this.draw()),
    );
    void this.load();
  }

  toggle(): void {
    this.isShown = !this.isShown;
    this.draw();
  }

  async load(): Promise<void> {
    const files: { file: string; coverage: FileCoverage }[] = [];
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const place = vscode.Uri.joinPath(folder.uri, settings().get("suite", "glassbox-out/suite.json"));
      let bytes: Uint8Array;
      try {
        bytes = await vscode.workspace.fs.readFile(place);
      } catch {
        continue;
      }
      for (const coverage of coverageOf(new TextDecoder().decode(bytes)) ?? []) {
        files.push({ file: path.resolve(folder.uri.fsPath, coverage.path), coverage });
      }
    }
    this.files = files;
    this.draw();
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const found = this.files.find((each) => each.file === editor.document.uri.fsPath);
      // Lines of a text that has changed since are not those that were tested.
      const text = found?.coverage.text;
      const isCurrent = text === undefined || text === editor.document.getText();
      const lines = this.isShown && isCurrent ? found?.coverage.lines : undefined;
      for (const [state, type] of this.types) {
        const options: vscode.DecorationOptions[] = [];
        for (const [line, own] of lines ?? []) {
          if (own === state && line <= editor.document.lineCount) {
            const range = editor.document.lineAt(line - 1).range;
            const details = found?.coverage.details.get(line) ?? [];
            options.push({ range: new vscode.Range(range.start, range.start), hoverMessage: details.join("\n\n") });
          }
        }
        editor.setDecorations(type, options);
      }
    }
  }

  dispose(): void {
    this.disposables.forEach((each) => void each.dispose());
  }
}

export function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("glassbox");
}
