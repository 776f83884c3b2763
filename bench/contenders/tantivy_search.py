"""tantivy: English stems, any word, with a count; the last word as a beginning where the question is about it."""
import json

import tantivy

from host import serve

builder = tantivy.SchemaBuilder()
builder.add_text_field("id", stored=True, tokenizer_name="raw")
builder.add_text_field("title", tokenizer_name="en_stem")
builder.add_text_field("text", tokenizer_name="en_stem")
schema = builder.build()
index = tantivy.Index(schema)
state = {}


def load(given):
    writer = index.writer(heap_size=256_000_000)
    documents = 0
    with open(given["corpus"], encoding="utf8") as lines:
        for line in lines:
            each = json.loads(line)
            writer.add_document(tantivy.Document(id=each["id"], title=each["title"], text=each["text"]))
            documents += 1
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    state["searcher"] = index.searcher()
    return documents


def ask(text, kind):
    searcher = state["searcher"]
    words = "".join(c if c.isalnum() else " " for c in text)
    fuzzy = {"title": (True, 1, True), "text": (True, 1, True)} if kind in ("one typo", "as you type") else {}
    query = index.parse_query(words, ["title", "text"], fuzzy_fields=fuzzy)
    return [searcher.doc(address)["id"][0] for _, address in searcher.search(query, 10, count=True).hits]


serve(load, ask)
