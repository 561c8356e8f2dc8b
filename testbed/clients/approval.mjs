// A person is asked about a call that destroys: node approval.mjs BINARY v1|legacy|auto|modern
// No editor runs, so a yes goes on to that error and a no ends before it.
import assert from "node:assert/strict";

const [command, kind] = process.argv.slice(2);
const args = ["mcp", "--approval", "ask"];
let question = "";
let answer;
const elicited = async (request) => {
	question = request.params.message;
	return answer;
};

async function connect(capabilities) {
	if (kind === "v1") {
		const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
		const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
		const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
		const client = new Client({ name: "approval", version: "1" }, { capabilities });
		if (capabilities.elicitation) client.setRequestHandler(ElicitRequestSchema, elicited);
		await client.connect(new StdioClientTransport({ command, args, env: process.env }));
		return client;
	}
	const { Client } = await import("@modelcontextprotocol/client");
	const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
	const mode = kind === "modern" ? { pin: "2026-07-28" } : kind;
	const client = new Client({ name: "approval", version: "1" }, { capabilities, versionNegotiation: { mode } });
	if (capabilities.elicitation) client.setRequestHandler("elicitation/create", elicited);
	await client.connect(new StdioClientTransport({ command, args, env: process.env }));
	return client;
}

async function remove(client) {
	const result = await client.callTool({ name: "godot_node_delete", arguments: { node_path: "Player", confirm: true } });
	assert.equal(result.isError, true);
	return result.content[0].text;
}

const asking = await connect({ elicitation: { form: {} } });
for (const said of [{ action: "decline" }, { action: "cancel" }, { action: "accept", content: { approve: false } }]) {
	question = "";
	answer = said;
	assert.match(await remove(asking), /^APPROVAL_DENIED: .*\[required=human_approval\]$/);
	assert.match(question, /^Carry out node delete\? It is destructive\.\nproject: ".*"\nnode_path: "Player"$/);
}
answer = { action: "accept", content: { approve: true } };
assert.match(await remove(asking), /^BRIDGE_DISCONNECTED: /);
await asking.close();

const silent = await connect({});
assert.match(await remove(silent), /^APPROVAL_DENIED: .*this client cannot ask its user/);
await silent.close();
