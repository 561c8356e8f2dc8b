using Godot;

public partial class Game : Node3D
{
	[Export] public int CoinsToWin { get; set; } = 3;
}
