#compdef godot-mcp
# zsh completion for godot-mcp. Words are unquoted, never evaluated; zsh quotes what is put in.

_godot_mcp() {
    local program=${(Q)words[1]} orders line
    local -a typed names shown suffix
    program=${program/#\~\//$HOME/}
    typed=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
    {
        IFS= read -r orders || return 1
        while IFS= read -r line; do
            names+=("${line%%$'\t'*}")
            if [[ -n ${line#*$'\t'} ]]; then
                shown+=("${line%%$'\t'*}  -- ${line#*$'\t'}")
            else
                shown+=("${line%%$'\t'*}")
            fi
        done
    } < <("$program" __complete_for zsh "${typed[@]}" 2>/dev/null)
    [[ " $orders " == *" open "* ]] && suffix=(-S '')
    if (( $#names )); then
        compadd -l -d shown "${suffix[@]}" -a names
    elif [[ " $orders " == *" folders "* ]]; then
        _files -/
    elif [[ " $orders " == *" files "* ]]; then
        _files
    else
        return 1
    fi
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _godot_mcp "$@"
else
    compdef _godot_mcp godot-mcp
fi
