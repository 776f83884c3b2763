"""Plain BM25 in numpy, term at a time, the measure of the machine: k1 .9, b .4, Snowball stems, Lucene's 33 stop words, title and text as one field."""
import json
import re

import numpy as np
import snowballstemmer

from host import serve

STOP = set(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split()
)
stem = snowballstemmer.stemmer("english").stemWord
known = {}
state = {}


def terms_of(text):
    for word in re.findall(r"[a-z0-9]+", text.lower()):
        if word in STOP:
            continue
        term = known.get(word)
        if term is None:
            term = known[word] = stem(word)
        yield term


def load(given):
    ids, lengths, postings = [], [], {}
    with open(given["corpus"], encoding="utf8") as lines:
        for ordinal, line in enumerate(lines):
            each = json.loads(line)
            counts = {}
            for term in terms_of(each["title"] + " " + each["text"]):
                counts[term] = counts.get(term, 0) + 1
            ids.append(each["id"])
            lengths.append(sum(counts.values()))
            for term, count in counts.items():
                postings.setdefault(term, []).append((ordinal, count))
    n, k1, b = len(ids), 0.9, 0.4
    lengths = np.array(lengths, dtype=np.float32)
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    impacts = {}
    for term in list(postings):
        pairs = np.array(postings.pop(term), dtype=np.int32)
        ordinals, tf = pairs[:, 0], pairs[:, 1].astype(np.float32)
        idf = np.log(1 + (n - len(pairs) + 0.5) / (len(pairs) + 0.5))
        impacts[term] = (ordinals, (idf * tf / (tf + norm[ordinals])).astype(np.float32))
    state.update(ids=ids, impacts=impacts, scores=np.zeros(n, dtype=np.float32))
    return n


def ask(text, kind):
    scores, impacts, ids = state["scores"], state["impacts"], state["ids"]
    scores[:] = 0
    for term in terms_of(text):
        found = impacts.get(term)
        if found is not None:
            scores[found[0]] += found[1]
    touched = np.flatnonzero(scores)
    found = scores[touched]
    best = np.argpartition(found, -10)[-10:] if len(found) > 10 else np.arange(len(found))
    return [ids[touched[i]] for i in best[np.argsort(-found[best], kind="stable")]]


serve(load, ask)
