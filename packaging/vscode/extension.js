"use strict";
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const server = require("./server.js");

const kScheme = "bayplan-explain";
let client;

function makeClient() {
  const command = server.command(vscode.workspace.getConfiguration("bayplan").get("path"));
  const documentSelector = server.languages.map((language) => ({ language }));
  return new LanguageClient("bayplan", "bayplan", { ...command, transport: TransportKind.stdio }, { documentSelector });
}

async function restart() {
  await client?.stop();
  client = makeClient();
  await client.start();
}

/// Explains the selected text, else what is typed, in a preview.
async function explainMessage(pages) {
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.document.getText(editor.selection).trim();
  const prompt = "A rule (BAY112), a failure reason (RESOURCE:GPU) or any message of ECS";
  const text = selected || (await vscode.window.showInputBox({ prompt }));
  if (!text) return;
  const open = editor ? [editor.document.uri.toString()] : [];
  const said = await client.sendRequest("workspace/executeCommand", { command: "bayplan.explain", arguments: [text, ...open] });
  const uri = vscode.Uri.from({ scheme: kScheme, path: `/${pages.size + 1}.md` });
  pages.set(uri.toString(), said.value);
  await vscode.commands.executeCommand("markdown.showPreview", uri);
}

exports.activate = async (context) => {
  const pages = new Map();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(kScheme, { provideTextDocumentContent: (uri) => pages.get(uri.toString()) ?? "" }),
    vscode.commands.registerCommand("bayplan.explainMessage", () => explainMessage(pages)),
    vscode.commands.registerCommand("bayplan.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("bayplan.path") && restart()),
  );
  await restart();
};

exports.deactivate = () => client?.stop();
