# SPDX-License-Identifier: MIT
"""Shells really complete what is typed: bash, zsh and fish with the scripts of `withy completion`.

usage: completion.py COMMAND FOLDER
What must be offered is read from the help: every command, and every option of each of them.
"""
import os
import pty
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

COMMAND, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
WAIT = 20  # seconds for one answer of zsh


def told(*arguments):
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=True).stdout


def commands():
    table = told("--help").split("commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in table.splitlines()]


def options(command):
    """The long options of a command, and its letters."""
    found = re.findall(r"^  (?:-(\w), |    )--([\w-]+)", told(command, "--help"), re.M)
    return [f"--{name}" for _, name in found], [f"-{letter}" for letter, _ in found if letter]


def in_bash(lines):
    program = """source "$1"
    while IFS= read -r line; do
      read -ra COMP_WORDS <<<"${line//=/ = }"
      [[ $line == *[\\ =] ]] && COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      echo "== $line"
      _withy
      printf '%s\\n' "${COMPREPLY[@]}"
    done"""
    return subprocess.run(["bash", "-c", program, "bash", "script.bash"], input="\n".join(lines) + "\n",
                          capture_output=True, text=True, check=True)


def in_fish(lines):
    program = 'source script.fish; while read -l line; echo "== $line"; complete -C "$line"; end'
    environment = {**os.environ, "HOME": str(FOLDER), "XDG_CONFIG_HOME": str(FOLDER)}
    return subprocess.run(["fish", "-c", program], input="\n".join(lines) + "\n", capture_output=True, text=True,
                          check=True, env=environment)


def answers_of(run):
    """What a shell printed, as {line: set of words}."""
    assert not run.stderr, run.stderr
    answers = {}
    for part in run.stdout.split("== ")[1:]:
        line, *words = part.split("\n")
        answers[line] = {word.split("\t")[0].rstrip("/") for word in words if word}
    return answers


ZSH = """PROMPT=
autoload -U compinit && compinit -u -D
source ./script.zsh
compadd() {
  local -a hits
  case " ${(j: :)@[1,(i)(-|--)]} " in
    *\\ -[OAD]\\ *) builtin compadd "$@"; return ;;
  esac
  builtin compadd -O hits "$@"
  print -rl -- $hits >>zsh.answers
  builtin compadd "$@"
}
answer() {
  zle complete-word
  print END >>zsh.answers
}
zle -N answer
zstyle ':completion:*' insert-tab false
bindkey '^I' answer
LISTMAX=100000
print READY >>zsh.answers
"""


def in_zsh(lines):
    """zsh completes in its line editor only: it runs on a terminal of its own, and notes what it would offer."""
    (FOLDER / "setup.zsh").write_text(ZSH)
    notes = FOLDER / "zsh.answers"
    notes.write_text("")
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(FOLDER)
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": str(FOLDER)})

    def ask(keys, end):
        notes.write_text("")
        os.write(terminal, keys.encode())
        until = time.monotonic() + WAIT
        while f"{end}\n" not in (text := notes.read_text()):
            assert time.monotonic() < until, f"zsh does not answer to {keys!r}: {text}"
            os.set_blocking(terminal, False)
            try:
                os.read(terminal, 65536)
            except BlockingIOError:
                time.sleep(0.002)
        return {word for word in text.splitlines() if word not in (end, "")}

    ask("source ./setup.zsh\n", "READY")
    answers = {line: ask(f"\x15{line}\t", "END") for line in lines}
    os.close(terminal)
    os.waitpid(child, 0)
    return answers


def wanted():
    """Lines with the cursor at their end, and what must be offered there."""
    lines = {"withy ": set(commands())}
    for command in commands():
        names, letters = options(command)
        assert "--help" in names and "-h" in letters, f"{command}: no --help"
        for name in names:
            lines[f"withy {command} {name[:-1]}"] = {name}
    builtin = {line.split()[0] for line in told("list").splitlines()}
    for command in "run", "check", "converge":
        lines[f"withy {command} "] = builtin | {"mine.yaml"}
    lines["withy show "] = builtin | {"hose-path.csv"}
    for command in "plot", "view", "export":
        lines[f"withy {command} "] = {"mine.out"}
    lines["withy compare mine.out "] = lines["withy compare mine.out a b "] = {"mine.out"}
    lines["withy sweep "] = {"mine.yaml"}
    lines["withy converge rubber-pendulum --refine "] = {"all", "segments", "step", "tolerance"}
    lines["withy run -q -s a=1 rub"] = {"rubber-pendulum"}
    lines["withy run rubber-pendulum --output mi"] = {"mine.out"}
    lines["withy run rubber-pendulum --output=mi"] = {"mine.out"}
    lines["withy export mine.out --to "] = {"glb", "obj", "csv", "usda"}
    lines["withy export mine.out --as "] = {"tubes", "lines"}
    lines["withy completion "] = {"bash", "zsh", "fish"}
    lines["withy man r"] = {"run", "reproduce"}
    lines["withy reproduce "] = {line.split()[0] for line in told("reproduce", "--list").splitlines()
                                 if line and not line.startswith(" ")}
    return lines


def refused(lines):
    """What must not be offered: files that are no scenarios, files where folders stand, a second operand."""
    return {"withy run ": {"notes.txt"}, "withy view ": {"notes.txt", "mine.yaml"}, "withy list ": {"mine.yaml", "mine.out"},
            "withy show ": {"mine.yaml"}}


def main():
    os.chdir(FOLDER)
    Path("mine.out").mkdir()
    for name in "mine.yaml", "notes.txt":
        Path(name).touch()
    lines, failed = wanted(), 0
    for line in refused(lines):
        lines.setdefault(line, set())
    for shell, ask in ("bash", lambda x: answers_of(in_bash(x))), ("fish", lambda x: answers_of(in_fish(x))), ("zsh", in_zsh):
        if not shutil.which(shell):
            print(f"{shell} is not installed: its script is not tested")
            continue
        Path(f"script.{shell}").write_text(told("completion", shell))
        answers = ask(lines)
        for line, words in lines.items():
            got = answers[line] | {word.split("=")[-1] for word in answers[line]}
            missing, extra = words - got, got & refused(lines).get(line, set())
            # fish lists all files where some are asked for.
            extra = set() if shell == "fish" and line == "withy run " else extra
            failed += bool(missing or extra)
            if missing or extra:
                print(f"{shell}: '{line}' misses {sorted(missing)}, has {sorted(extra)} too much: {sorted(got)[:40]}")
        print(f"{shell}: {len(lines)} lines")
    sys.exit(failed > 0)


main()
