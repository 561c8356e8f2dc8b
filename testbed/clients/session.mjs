// What every client does with the server: start an editor, list, read, edit, fail, cancel, end the editor.
// A client brings its own way to call; what it must find is the same for all.
import assert from "node:assert/strict";
import { offers } from "./offers.mjs";

const slowSeconds = 3;

// What a server on HTTP wants to see.
export const headers = { Authorization: `Bearer ${process.env.TOKEN}` };

export async function session(client, call, watch) {
	const tools = await list(client);
	await progress(call);
	await read(call, tools);
	await edit(call);
	await offers(client, call, watch);
	await fail(call);
	await cancel(call);
	const stopped = await call("godot_editor_stop", { force: true, confirm: true });
	assert.equal(stopped.structuredContent.stopped, true);
}

async function list(client) {
	const { tools } = await client.listTools();
	const names = tools.map((tool) => tool.name);
	assert.deepEqual(names, [...names].sort());
	for (const tool of tools) {
		assert.equal(tool.inputSchema.type, "object", tool.name);
		assert.equal(tool.outputSchema?.type ?? "object", "object", tool.name);
		assert.equal(typeof tool.annotations.readOnlyHint, "boolean", tool.name);
	}
	for (const name of ["godot_scene_tree", "godot_node_set_property", "godot_toolset_list"]) {
		assert.ok(names.includes(name), name);
	}
	return names;
}

async function progress(call) {
	const told = [];
	const started = await call("godot_editor_start", { headless: true }, { onprogress: (p) => told.push(p) });
	assert.ok(!started.isError, JSON.stringify(started.content));
	assert.ok(told.length > 0, "no progress while the editor started");
	for (let i = 1; i < told.length; i++) {
		assert.ok(told[i].progress > told[i - 1].progress, JSON.stringify(told));
	}
}

async function read(call) {
	const opened = await call("godot_scene_open", { scene_path: "res://slow.tscn" });
	assert.ok(!opened.isError, JSON.stringify(opened.content));
	const tree = await call("godot_scene_tree", {});
	assert.equal(tree.structuredContent.tree.name, "Größe");
	// The text is between the two of a fence whose name nobody can know before.
	const [open, text, close] = tree.content.map((block) => block.text);
	assert.match(open, /^<project-data [A-Z2-7]{12}>$/);
	assert.equal(close, open.replace("<", "</"));
	assert.deepEqual(JSON.parse(text), tree.structuredContent);
	assert.equal(tree._meta["dev.godot-mcp/project_text"], true);
	// The list leaves most tools out; every tool can be called.
	const property = await call("godot_node_get_property", { node_path: ".", property: "position" });
	assert.equal(property.structuredContent.type, "Vector2");
}

async function edit(call) {
	const set = await call("godot_node_set_property", { node_path: ".", property: "position", value: { x: 3, y: 4.5 } });
	assert.deepEqual(set.structuredContent.value, { x: 3, y: 4.5 });
	const undone = await call("godot_undo", {});
	assert.equal(undone.structuredContent.undone, 1);
	const now = await call("godot_node_get_property", { node_path: ".", property: "position" });
	assert.deepEqual(now.structuredContent.value, { x: 0, y: 0 });
}

async function fail(call) {
	const missing = await call("godot_node_get", { node_path: "Nowhere" });
	assert.equal(missing.isError, true);
	assert.match(missing.content[0].text, /^RESOURCE_NOT_FOUND: .*\[required=node_path\]$|^RESOURCE_NOT_FOUND: .*\[required=node_exists\]$/);
	assert.equal(missing.structuredContent, undefined);
	const unconfirmed = await call("godot_node_delete", { node_path: "Child" });
	assert.match(unconfirmed.content[0].text, /^PRECONDITION_FAILED: .*confirm=true.*\[required=confirm\]$/);
	await assert.rejects(call("godot_no_such_tool", {}), (error) => error.code === -32602);
}

// A property whose script takes its time keeps the editor busy. The client gives up long before.
async function cancel(call) {
	const giveUp = new AbortController();
	const begun = Date.now();
	const slow = call("godot_node_get_property", { node_path: ".", property: "slow" }, { signal: giveUp.signal });
	setTimeout(() => giveUp.abort(new Error("given up")), 200);
	await assert.rejects(slow, /given up/);
	assert.ok(Date.now() - begun < slowSeconds * 1000);
	const after = await call("godot_node_get_property", { node_path: "Child", property: "name" });
	assert.equal(after.structuredContent.value, "Child");
}
