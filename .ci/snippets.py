"""Runs the JavaScript and Python of README.md against a running service: snippets.py BASE"""

import pathlib
import re
import subprocess
import sys

PROGRAMS = {"js": ["node", "--input-type=module", "-"], "python": [sys.executable, "-"]}

readme = pathlib.Path("README.md").read_text(encoding="utf-8")
found = re.findall(r"^```(js|python)\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
assert {language for language, _ in found} == set(PROGRAMS), "README.md has a snippet in each language"
for language, source in found:
    source = source.replace("http://127.0.0.1:8080", sys.argv[1])
    done = subprocess.run(PROGRAMS[language], input=source, text=True, capture_output=True, timeout=60)
    print(f"{language}: {done.stdout.strip()}")
    assert done.returncode == 0 and done.stdout, done.stderr
