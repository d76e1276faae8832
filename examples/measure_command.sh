#!/bin/sh
# Time a command at several worker counts, then ask for the answer again from the file, then use it as a gate.
# Run it with: sh examples/measure_command.sh
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

# One tenth of this program is serial; it prints the seconds it took, its start-up left out.
cat > program.py <<'PY'
import sys, time
begin = time.perf_counter()
time.sleep(0.04)
time.sleep(0.36 / int(sys.argv[1]))
print(f"elapsed {time.perf_counter() - begin:.6f}")
PY

scalewall measure -n 1,2,4,8,16 --rounds 3 --time-from 'elapsed ([0-9.]+)' --startup 'python3 -c pass' \
  --out before.runs.jsonl -- python3 program.py '{n}'
scalewall fit before.runs.jsonl --json > before.json

sed 's/0.04)/0.08)/; s/0.36/0.32/' program.py > slower.py
scalewall measure -n 1,2,4,8,16 --rounds 3 --time-from 'elapsed ([0-9.]+)' \
  --out after.runs.jsonl --json -- python3 slower.py '{n}' > after.json
scalewall compare before.runs.jsonl after.runs.jsonl --tolerance 1% || echo "exit code $?: the gate is shut"
