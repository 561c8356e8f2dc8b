// The TypeScript client of the first line, which knows the older revisions: node v1.mjs BINARY|URL [refused]
// With refused, the server knows the newest revision alone and must say so.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { headers, session } from "./session.mjs";

const [server, refused] = process.argv.slice(2);
const args = refused ? ["mcp", "--protocol", "2026-07-28"] : ["mcp"];
const transport = server.startsWith("http")
	? new StreamableHTTPClientTransport(new URL(server), { requestInit: { headers } })
	: new StdioClientTransport({ command: server, args, env: process.env });
const client = new Client({ name: "v1", version: "1" });
const watch = async (uri, tell) => {
	client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => tell(params.uri));
	await client.subscribeResource({ uri });
	return () => client.unsubscribeResource({ uri });
};
if (refused) {
	await assert.rejects(client.connect(transport), (error) => {
		// Over HTTP this client keeps the text of the answer alone.
		const said = `${error.code} ${error.message} ${JSON.stringify(error.data)}`;
		return /-32022/.test(said) && /"supported":\["2026-07-28"\]/.test(said);
	});
} else {
	await client.connect(transport);
	await session(client, (name, args, options) => client.callTool({ name, arguments: args }, undefined, options), watch);
}
await client.close();
