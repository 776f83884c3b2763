"""Takes the kerning of the space out of a font: it drew "Ask Vector" together, and a browser shapes whole lines where words would do.

    python3 drop-space-kerning.py FONT TARGET
"""

import sys

from fontTools.ttLib import TTFont

source, target = sys.argv[1:]
font = TTFont(source)
space = font.getBestCmap()[ord(" ")]
for lookup in font["GPOS"].table.LookupList.Lookup:
    for table in lookup.SubTable:
        pairs = table.ExtSubTable if table.LookupType == 9 else table
        if pairs.LookupType != 2 or pairs.Format != 1:
            continue
        kept = []
        for first, of_first in zip(pairs.Coverage.glyphs, pairs.PairSet):
            of_first.PairValueRecord = [
                pair for pair in of_first.PairValueRecord if space not in (first, pair.SecondGlyph)
            ]
            of_first.PairValueCount = len(of_first.PairValueRecord)
            if of_first.PairValueRecord:
                kept.append((first, of_first))
        pairs.Coverage.glyphs = [first for first, _ in kept]
        pairs.PairSet = [of_first for _, of_first in kept]
        pairs.PairSetCount = len(kept)
font.flavor = "woff2"
font.save(target)
