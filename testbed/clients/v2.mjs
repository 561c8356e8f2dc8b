// The TypeScript client of the second line: node v2.mjs BINARY|URL legacy|auto|modern
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { headers, session } from "./session.mjs";

const [server, era] = process.argv.slice(2);
const newest = "2026-07-28";
const mode = era === "modern" ? { pin: newest } : era;
const transport = server.startsWith("http")
	? new StreamableHTTPClientTransport(new URL(server), { requestInit: { headers } })
	: new StdioClientTransport({ command: server, args: ["mcp"], env: process.env });
const client = new Client({ name: "v2", version: "1" }, { versionNegotiation: { mode } });
await client.connect(transport);
const negotiated = client.getNegotiatedProtocolVersion();
assert.equal(negotiated, era === "legacy" ? "2025-11-25" : newest);
const watch = async (uri, tell) => {
	client.setNotificationHandler("notifications/resources/updated", ({ params }) => tell(params.uri));
	if (era === "legacy") {
		await client.subscribeResource({ uri });
		return () => client.unsubscribeResource({ uri });
	}
	const listening = await client.listen({ resourceSubscriptions: [uri, "godot://nowhere"] });
	assert.deepEqual(listening.honoredFilter.resourceSubscriptions, [uri]);
	return () => listening.close();
};
await session(client, (name, args, options) => client.callTool({ name, arguments: args }, options), watch);
await client.close();
