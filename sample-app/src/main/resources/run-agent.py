"""An agent in place of one with a model: each line of a turn is a command of the shell."""
import json
import os
import shutil
import subprocess
import sys

conversation, parent = sys.argv[1:]
text = sys.stdin.read()

# What it remembers is in the workspace, so it outlives the sandbox.
os.makedirs(".turns", exist_ok=True)
memory = os.path.join(".turns", conversation)
branched = os.path.join(".turns", parent)
if parent and not os.path.exists(memory) and os.path.exists(branched):
    shutil.copy(branched, memory)
with open(memory, "a") as turns:
    turns.write(json.dumps(text) + "\n")
with open(memory) as turns:
    turn = len(turns.readlines())

done, code = 0, 0
for command in filter(str.strip, text.splitlines()):
    result = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    done, code = done + 1, result.returncode
    output = result.stdout.decode(errors="replace")[-4000:]
    print(json.dumps({"id": f"step-{done}", "command": command, "exitCode": code, "output": output}), flush=True)
    if code:
        break
print(json.dumps({"type": "result", "result": f"Turn {turn}: {done} done, exit code {code}."}))
