# PowerShell completion for godot-mcp. Words are taken from the parsed command line, never evaluated.

Register-ArgumentCompleter -Native -CommandName 'godot-mcp', 'godot-mcp.exe' -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

    $Program = $CommandAst.CommandElements[0].Extent.Text.Trim('"', "'")
    $Typed = [string]$WordToComplete
    $Words = @()
    foreach ($Element in ($CommandAst.CommandElements | Select-Object -Skip 1)) {
        if ($Element.Extent.EndOffset -ge $CursorPosition) { break }
        if ($Element -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
            $Words += $Element.Value
        } else {
            $Words += $Element.Extent.Text
        }
    }
    $Typed = $Typed.TrimStart('"', "'").Replace("''", "'")
    $Words += $Typed
    # Windows PowerShell drops empty arguments and does not escape quotes in others.
    if ($null -eq $PSNativeCommandArgumentPassing -or "$PSNativeCommandArgumentPassing" -eq 'Legacy') {
        $Words = $Words | ForEach-Object { if ($_ -eq '') { '""' } else { $_.Replace('"', '\"') } }
    }
    $Answer = @(& $Program __complete_for powershell @Words 2>$null)
    if ($Answer.Count -lt 2) { return }
    $Open = " $($Answer[0]) ".Contains(' open ')
    foreach ($Line in $Answer[1..($Answer.Count - 1)]) {
        $Name, $Doc = $Line -split "`t", 2
        if (-not $Doc) { $Doc = $Name }
        $Text = $Name
        if ($Name -notmatch '^[\w./:=+-]+$' -or $Name -match '^[.@]') {
            $Text = "'" + $Name.Replace("'", "''") + "'"
        } elseif (-not $Open) {
            $Text = "$Name "
        }
        [System.Management.Automation.CompletionResult]::new($Text, $Name, 'ParameterValue', $Doc)
    }
}
