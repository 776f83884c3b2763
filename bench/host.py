"""A contender in Python: see host.mjs, whose calls and answers these are."""
import json
import os
import resource
import sys
import time


def serve(load, ask):
    answers = os.fdopen(3, "w")
    for line in sys.stdin:
        given = json.loads(line)
        call = given.pop("call")
        answer = _load(load, given) if call == "load" else _ask(ask, given)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _load(load, given):
    started = time.perf_counter()
    before = time.process_time()
    documents = load(given)
    return {
        "documents": documents,
        "seconds": time.perf_counter() - started,
        "processorSeconds": time.process_time() - before,
        "peakMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _ask(ask, given):
    micros, ids = [], []
    until = time.perf_counter() + given.get("msMax", float("inf")) / 1000
    for question in given["questions"]:
        started = time.perf_counter()
        if started > until:
            break
        found = ask(question, given["kind"])
        micros.append((time.perf_counter() - started) * 1e6)
        if given["wantsIds"]:
            ids.append(found)
    return {"micros": micros, "ids": ids if given["wantsIds"] else None}
