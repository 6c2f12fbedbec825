"""Print what `residue exp` prints for a file of rows, computed by Python."""

import json
import sys

with open(sys.argv[1]) as rows:
    for row in map(json.loads, rows):
        base, exp, mod = (int(row[field], 16) for field in ("base", "exp", "mod"))
        record = {"id": row["id"], "result": format(pow(base, exp, mod), "x")}
        print(json.dumps(record, separators=(",", ":")))
