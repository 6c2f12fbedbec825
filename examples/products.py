"""Print what `residue ring mul` prints for a file of rows, computed by Python.

A product is computed term by term, with integers of any size, and X^n = -1.
"""

import json
import sys

with open(sys.argv[1]) as rows:
    for row in map(json.loads, rows):
        q, n, a, b = (row[field] for field in ("q", "n", "a", "b"))
        c = [0] * n
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                sign = -1 if i + j >= n else 1
                c[(i + j) % n] += sign * x * y
        record = {"id": row["id"], "c": [v % q for v in c]}
        print(json.dumps(record, separators=(",", ":")))
