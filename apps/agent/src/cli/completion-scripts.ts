/** Shells that there is a script for. */
export const COMPLETION_SHELLS = ["bash", "zsh", "fish"] as const;

/** One of {@link COMPLETION_SHELLS}. */
export type CompletionShell = (typeof COMPLETION_SHELLS)[number];

// Each hands the words up to the cursor over, so that what can be completed is known in one place.
const SCRIPTS: Readonly<Record<CompletionShell, string>> = {
  bash: `# eval "$(toolgate completion bash)"
_toolgate() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <(toolgate __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _toolgate toolgate
`,
  zsh: `# eval "$(toolgate completion zsh)", after compinit
_toolgate() {
  local -a candidates
  candidates=("\${(@f)$(toolgate __complete -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)}")
  compadd -- \${candidates:#}
}
compdef _toolgate toolgate
`,
  fish: `# toolgate completion fish | source
function __toolgate_complete
  set -l words (commandline -opc)
  set -e words[1]
  toolgate __complete -- $words (commandline -ct) 2>/dev/null
end
complete -c toolgate -f -a '(__toolgate_complete)'
`,
};

/** The script that makes a shell complete the words of `toolgate`. */
export function completionScript(shell: CompletionShell): string {
  return SCRIPTS[shell];
}
