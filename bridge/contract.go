package bridge

// contractNow is the contract a client without OwnContract is built for.
const contractNow = 1

// own is the contract this build speaks.
func (c *Client) own() int {
	if c.OwnContract > 0 {
		return c.OwnContract
	}
	return contractNow
}

// oldest is the oldest contract this build still serves.
func (c *Client) oldest() int {
	if c.MinContract > 0 {
		return c.MinContract
	}
	return contractNow
}

// contract is K: the contract the caller is built for.
func (c *Client) contract() int {
	if c.Contract != 0 {
		return c.Contract
	}
	return c.own()
}

// checkBuild compares the caller's contract with this build's.
func (c *Client) checkBuild() error {
	k := c.contract()
	switch {
	case k > c.own():
		return Errorf(PreconditionFailed, "contract_version",
			"the caller is built for contract %d, this godot-mcp serves %d to %d: upgrade godot-mcp; its numbers: godot-mcp get-server-info", k, c.oldest(), c.own())
	case k < c.oldest():
		return Errorf(PreconditionFailed, "contract_version",
			"the caller is built for contract %d, this godot-mcp serves %d to %d: upgrade the caller; the numbers: godot-mcp get-server-info", k, c.oldest(), c.own())
	}
	return nil
}

// checkAddon compares the caller's contract with those the addon serves, from
// oldest to newest. 0 means that a number is not known yet.
func (c *Client) checkAddon(oldest, newest int, project string) error {
	k := c.contract()
	switch {
	case newest != 0 && k > newest:
		return Errorf(PreconditionFailed, "addon_version",
			"the addon serves contract %d at most, this godot-mcp speaks %d: upgrade the addon: godot-mcp addon update --project %s", newest, k, quote(project))
	case k < oldest && c.own() >= oldest:
		return Errorf(PreconditionFailed, "contract_version",
			"the caller is built for contract %d, the addon serves %d to %d: upgrade the caller; the numbers: godot-mcp get-server-info", k, oldest, newest)
	case k < oldest:
		return Errorf(PreconditionFailed, "contract_version",
			"this godot-mcp speaks contract %d, the addon serves %d to %d: upgrade godot-mcp; its numbers: godot-mcp get-server-info", k, oldest, newest)
	}
	return nil
}
