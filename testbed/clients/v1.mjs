// The TypeScript client of the first line, which knows the older revisions: node v1.mjs BINARY
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { session } from "./session.mjs";

const [command] = process.argv.slice(2);
const transport = new StdioClientTransport({ command, args: ["mcp"], env: process.env });
const client = new Client({ name: "v1", version: "1" });
await client.connect(transport);
const watch = async (uri, tell) => {
	client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => tell(params.uri));
	await client.subscribeResource({ uri });
	return () => client.unsubscribeResource({ uri });
};
await session(client, (name, args, options) => client.callTool({ name, arguments: args }, undefined, options), watch);
await client.close();
