# fish completion for godot-mcp. Words are unquoted, never evaluated; fish quotes what is put in.

function __godot_mcp_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    # A quote that is still open does not unquote.
    set -l plain (string unescape -- $typed 2>/dev/null; or string unescape -- $typed\' 2>/dev/null; or string unescape -- $typed\" 2>/dev/null)
    set -l program (string replace -r '^~/' $HOME/ -- $words[1])
    set -l answer ($program __complete_for fish $words[2..-1] "$plain" 2>/dev/null)
    set -l orders $answer[1]
    set -e answer[1]
    if test (count $answer) -gt 0
        printf '%s\n' $answer
    else if string match -q '*folders*' -- $orders
        __fish_complete_directories $typed
    else if string match -q '*files*' -- $orders
        __fish_complete_path $typed
    end
end

complete -c godot-mcp -e
complete -c godot-mcp -f -a '(__godot_mcp_complete)'
