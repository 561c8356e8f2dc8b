# bash completion for godot-mcp. The program itself reads the line and quotes what it offers; nothing of
# the line is evaluated here.

_godot_mcp() {
    local program=$1 orders line
    case $program in
    "~/"*) program=$HOME/${program:2} ;;
    esac
    COMPREPLY=()
    {
        IFS= read -r orders || return 0
        while IFS= read -r line; do
            COMPREPLY+=("$line")
        done
    } < <("$program" __complete_for bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
    case " $orders " in *" open "*) compopt -o nospace 2>/dev/null ;; esac
    case " $orders " in *" files "*) compopt -o default 2>/dev/null ;; esac
    case " $orders " in *" folders "*) compopt -o dirnames 2>/dev/null ;; esac
    return 0
}

complete -F _godot_mcp godot-mcp
