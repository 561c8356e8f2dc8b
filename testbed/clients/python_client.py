"""The Python client does what those of TypeScript do: python python_client.py BINARY|URL legacy|auto|2026-07-28"""

import os
import sys

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

server, mode = sys.argv[1:]
NEWEST = "2026-07-28"


def transport():
    if not server.startswith("http"):
        return StdioServerParameters(command=server, args=["mcp"], env=dict(os.environ), cwd=os.getcwd())
    headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}
    return streamable_http_client(server, http_client=httpx2.AsyncClient(headers=headers, timeout=60))


async def read(client):
    opened = await client.call_tool("godot_scene_open", {"scene_path": "res://slow.tscn"})
    assert not opened.is_error, opened
    tree = await client.call_tool("godot_scene_tree", {})
    assert tree.structured_content["tree"]["name"] == "Größe", tree


async def edit(client):
    arguments = {"node_path": ".", "property": "position"}
    value = {"x": 3, "y": 4.5}
    done = await client.call_tool("godot_node_set_property", {**arguments, "value": value})
    assert done.structured_content["value"] == value, done
    undone = await client.call_tool("godot_undo", {})
    assert undone.structured_content["undone"] == 1, undone
    now = await client.call_tool("godot_node_get_property", arguments)
    assert now.structured_content["value"] == {"x": 0, "y": 0}, now


async def fail(client):
    missing = await client.call_tool("godot_node_get", {"node_path": "Nowhere"})
    assert missing.is_error and missing.content[0].text.startswith("RESOURCE_NOT_FOUND: "), missing
    try:
        await client.call_tool("godot_no_such_tool", {})
    except MCPError as error:
        assert error.error.code == -32602, error
    else:
        raise AssertionError("an unknown tool was called")


async def cancel(client):
    arguments = {"node_path": ".", "property": "slow"}
    with anyio.move_on_after(0.2) as given_up:
        await client.call_tool("godot_node_get_property", arguments)
    assert given_up.cancelled_caught
    after = await client.call_tool("godot_node_get_property", {"node_path": "Child", "property": "name"})
    assert after.structured_content["value"] == "Child", after


async def main():
    told = []

    async def progress(at, total, message):
        told.append(at)

    async with Client(transport(), mode=mode) as client:
        assert client.protocol_version == ("2025-11-25" if mode == "legacy" else NEWEST), client.protocol_version
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == sorted(names) and "godot_scene_tree" in names, names
        started = await client.call_tool("godot_editor_start", {"headless": True}, progress_callback=progress)
        assert not started.is_error and told, (started, told)
        await read(client)
        await edit(client)
        await fail(client)
        await cancel(client)
        stopped = await client.call_tool("godot_editor_stop", {"force": True, "confirm": True})
        assert stopped.structured_content["stopped"], stopped


anyio.run(main)
