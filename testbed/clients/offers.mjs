// What the server offers beside tools: resources, prompts, completion, and word of what changes. watch brings
// the client's own way to hear of it.
import assert from "node:assert/strict";

export async function offers(client, call, watch) {
	await resources(client);
	await prompts(client);
	const { completion } = await client.complete({
		ref: { type: "ref/prompt", name: "build_scene" }, argument: { name: "root_type", value: "Sprite2" },
	});
	assert.ok(completion.values.every((value) => value.startsWith("Sprite2")), JSON.stringify(completion));
	await changes(call, watch);
}

async function resources(client) {
	const { resources } = await client.listResources();
	assert.deepEqual(
		resources.map((r) => r.uri),
		["godot://node/selected", "godot://project/info", "godot://scene/current", "godot://scene/tree"],
	);
	const { resourceTemplates } = await client.listResourceTemplates();
	assert.deepEqual(resourceTemplates.map((r) => r.uriTemplate), ["godot://artifact/{id}", "godot://scene/tree/{max_depth}"]);
	for (const { uri } of resources) {
		const { contents } = await client.readResource({ uri });
		assert.equal(contents.length, 1);
		assert.equal(contents[0].uri, uri);
		JSON.parse(contents[0].text);
	}
	const { contents, _meta } = await client.readResource({ uri: "godot://scene/tree/0" });
	const { tree, total } = JSON.parse(contents[0].text);
	assert.deepEqual([tree.name, total], ["Größe", 1]);
	assert.equal(_meta["dev.godot-mcp/project_text"], true);
	await assert.rejects(client.readResource({ uri: "godot://nowhere" }), (e) => [-32602, -32002].includes(e.code));
}

async function prompts(client) {
	const { prompts } = await client.listPrompts();
	assert.ok(prompts.some((p) => p.name === "build_scene" && p.arguments[0].required));
	const { messages } = await client.getPrompt({ name: "build_scene", arguments: { scene_path: "res://größer.tscn" } });
	assert.match(messages[0].content.text, /`godot_scene_create \{"root_type":"Node2D","scene_path":"res:\/\/größer\.tscn"\}`/);
	await assert.rejects(client.getPrompt({ name: "build_scene", arguments: {} }), (e) => e.code === -32602);
}

async function changes(call, watch) {
	let tell;
	const told = new Promise((resolve, reject) => {
		tell = resolve;
		setTimeout(() => reject(new Error("no word of a change")), 20000).unref();
	});
	const end = await watch("godot://scene/tree", tell);
	const added = await call("godot_node_add", { node_name: "Watched" });
	assert.ok(!added.isError, JSON.stringify(added.content));
	assert.equal(await told, "godot://scene/tree");
	await end();
	await call("godot_undo", {});
}
